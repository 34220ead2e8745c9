namespace Dump.Samples.Managed.Scenes;

/// <summary>Async methods that need a lock whose owner waits for them, in all the ways in which one task can stand for another.</summary>
internal static class AsyncLockScenes
{
    public static void AddTo(Dictionary<string, Action<Stage>> scenes)
    {
        scenes.Add("async-lock-cycle", stage => Hold(stage, SaveAsync));
        scenes.Add("async-lock-cycle-awaited", stage => Hold(stage, (held, needs) => SaveAllAsync(held, needs)));
        scenes.Add("async-lock-cycle-all", stage => Hold(stage, (held, needs) => Task.WhenAll(SaveAllAsync(held, needs), Task.CompletedTask)));
        scenes.Add("async-lock-cycle-unwrapped", stage => Hold(stage, (held, needs) => Task.Run(() => SaveAsync(held, needs))));
        scenes.Add("async-lock-cycle-continued", stage => Hold(stage, (held, needs) =>
            SaveAsync(held, needs).ContinueWith(_ => { }, CancellationToken.None, TaskContinuationOptions.None, TaskScheduler.Default)));
        scenes.Add("async-lock-cycle-child", stage => Hold(stage, (held, needs) => Task.Factory.StartNew(
            () => _ = Task.Factory.StartNew(() => Need(held, needs), CancellationToken.None, TaskCreationOptions.AttachedToParent, TaskScheduler.Default),
            CancellationToken.None, TaskCreationOptions.None, TaskScheduler.Default)));
        scenes.Add("async-lock-cycle-token", stage => Hold(stage, (held, needs) => Task.Run(() => Need(held, needs)), new CancellationTokenSource().Token));
        scenes.Add("async-parallel-cycle", Parallelly);
        scenes.Add("async-query-cycle", Query);
        scenes.Add("async-lock-any", stage => Hold(stage, (held, needs) => Task.WhenAny(SaveAsync(held, needs), new TaskCompletionSource<int>().Task)));
        scenes.Add("async-lock-elsewhere", Elsewhere);
    }

    /// <summary>A thread holds a lock and waits for a task; whatever the task stands for needs the lock.</summary>
    private static void Hold(Stage stage, Func<object, ManualResetEventSlim, Task> begin, CancellationToken token = default)
    {
        object held = new();
        ManualResetEventSlim needs = new();
        Thread owner = stage.Start("owner", () =>
        {
            lock (held)
            {
                Task task = begin(held, needs);
                if (token.CanBeCanceled)
                {
                    task.Wait(token);
                }

                task.GetAwaiter().GetResult();
            }
        });
        needs.Wait();
        stage.UntilBlocked(owner);
    }

    private static async Task SaveAllAsync(object held, ManualResetEventSlim needs)
    {
        await Task.Yield();
        await SaveAsync(held, needs);
    }

    private static async Task SaveAsync(object held, ManualResetEventSlim needs)
    {
        await Task.Delay(50);
        Need(held, needs);
    }

    private static void Need(object held, ManualResetEventSlim needs)
    {
        needs.Set();
        MonitorScenes.EnterAndLeave(held);
    }

    /// <summary>The caller of a parallel loop holds the lock that the loop's other workers need.</summary>
    private static void Parallelly(Stage stage)
    {
        object held = new();
        ManualResetEventSlim needs = new();
        Thread owner = stage.Start("owner", () =>
        {
            lock (held)
            {
                int own = Environment.CurrentManagedThreadId;
                Parallel.For(0, 8, new ParallelOptions { MaxDegreeOfParallelism = 2 }, _ =>
                {
                    if (Environment.CurrentManagedThreadId != own)
                    {
                        Need(held, needs);
                    }
                    else
                    {
                        needs.Wait();
                    }
                });
            }
        });
        needs.Wait();
        stage.UntilBlocked(owner);
    }

    /// <summary>The same for a parallel query.</summary>
    private static void Query(Stage stage)
    {
        object held = new();
        ManualResetEventSlim needs = new();
        Thread owner = stage.Start("owner", () =>
        {
            lock (held)
            {
                int own = Environment.CurrentManagedThreadId;
                _ = Enumerable.Range(0, 8).AsParallel().WithDegreeOfParallelism(2).WithExecutionMode(ParallelExecutionMode.ForceParallelism).Select(i =>
                {
                    if (Environment.CurrentManagedThreadId != own)
                    {
                        Need(held, needs);
                    }

                    // Else this thread might be done with all of them before the other begins.
                    needs.Wait();
                    return i;
                }).ToArray();
            }
        });
        needs.Wait();
        stage.UntilBlocked(owner);
    }

    /// <summary>Healthy: the method goes on, on a thread that needs nothing of the waiting one; another thread waits for the lock meanwhile.</summary>
    private static void Elsewhere(Stage stage)
    {
        object held = new();
        using ManualResetEventSlim working = new();
        Thread owner = stage.Start("owner", () =>
        {
            lock (held)
            {
                WorkAsync(working).GetAwaiter().GetResult();
            }
        });
        working.Wait();
        stage.UntilBlocked(owner, stage.Start("waiter", () => MonitorScenes.EnterAndLeave(held)));
    }

    private static async Task WorkAsync(ManualResetEventSlim working)
    {
        await Task.Delay(50);
        working.Set();
        Thread.Sleep(TimeSpan.FromMinutes(1));
    }
}
