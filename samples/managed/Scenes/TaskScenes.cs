using System.Collections.Concurrent;

namespace Dump.Samples.Managed.Scenes;

/// <summary>Hangs on tasks.</summary>
internal static class TaskScenes
{
    public static void AddTo(Dictionary<string, Action<Stage>> scenes)
    {
        scenes.Add("task-wait-cycle", WaitCycle);
        scenes.Add("sync-over-async-context", ContextDeadlock);
        scenes.Add("pool-starvation", PoolStarvation);
        scenes.Add("pool-starvation-event", EventStarvation);
        scenes.Add("pool-starvation-semaphore", SemaphoreStarvation);
        scenes.Add("pool-busy", BusyPool);
    }

    /// <summary>A thread holds a lock and waits for a task whose thread wants that lock.</summary>
    private static void WaitCycle(Stage stage)
    {
        object held = new();
        using ManualResetEventSlim inTask = new();
        Thread waiter = stage.Start("waiter", () =>
        {
            lock (held)
            {
                Task task = Task.Run(() =>
                {
                    stage.Role("worker");
                    inTask.Set();
                    MonitorScenes.EnterAndLeave(held);
                });
                inTask.Wait();
                task.Wait();
            }
        });
        inTask.Wait();
        stage.UntilBlocked(waiter);
    }

    private static void ContextDeadlock(Stage stage)
    {
        using ManualResetEventSlim reached = new();
        Thread thread = stage.Start("context", () =>
        {
            SingleThreadContext context = new();
            SynchronizationContext.SetSynchronizationContext(context);
            context.Post(_ =>
            {
                reached.Set();
                ShowCustomer();
            }, null);
            context.Run();
        });
        reached.Wait();
        stage.UntilBlocked(thread);
    }

    private static void ShowCustomer() => Console.WriteLine(LoadCustomerAsync().Result);

    private static async Task<string> LoadCustomerAsync()
    {
        await Task.Delay(50);
        return "customer";
    }

    private static void PoolStarvation(Stage stage)
    {
        ThreadPool.SetMinThreads(4, 4);
        ThreadPool.SetMaxThreads(4, 4);
        for (int i = 0; i < 16; i++)
        {
            _ = Task.Run(() => LoadCustomerAsync().Result);
        }

        stage.Until("the pool to be exhausted", () =>
        {
            ThreadPool.GetAvailableThreads(out int available, out _);
            return available == 0 && ThreadPool.PendingWorkItemCount > 0;
        });
        Thread.Sleep(1000);
    }

    /// <summary>All workers wait for an event that only a queued item sets.</summary>
    private static void EventStarvation(Stage stage)
    {
        ThreadPool.SetMinThreads(4, 4);
        ThreadPool.SetMaxThreads(4, 4);
        ManualResetEventSlim done = new();
        using CountdownEvent waiting = new(4);
        for (int i = 0; i < 4; i++)
        {
            _ = ThreadPool.UnsafeQueueUserWorkItem(_ =>
            {
                waiting.Signal();
                done.Wait();
            }, null);
        }

        waiting.Wait();
        _ = ThreadPool.UnsafeQueueUserWorkItem(_ => done.Set(), null);
        stage.Until("an item to be queued", () => ThreadPool.PendingWorkItemCount > 0);
    }

    /// <summary>All workers wait for a semaphore, behind an async waiter, that only a queued item releases.</summary>
    private static void SemaphoreStarvation(Stage stage)
    {
        ThreadPool.SetMinThreads(4, 4);
        ThreadPool.SetMaxThreads(4, 4);
        SemaphoreSlim gate = new(0);
        stage.Keep(gate.WaitAsync());
        using CountdownEvent waiting = new(4);
        for (int i = 0; i < 4; i++)
        {
            _ = ThreadPool.UnsafeQueueUserWorkItem(_ =>
            {
                waiting.Signal();
                gate.Wait();
            }, null);
        }

        waiting.Wait();
        _ = ThreadPool.UnsafeQueueUserWorkItem(_ => gate.Release(5), null);
        stage.Until("an item to be queued", () => ThreadPool.PendingWorkItemCount > 0);
    }

    /// <summary>Healthy: the pool is at its maximum with items queued, and its workers work.</summary>
    private static void BusyPool(Stage stage)
    {
        ThreadPool.SetMinThreads(4, 4);
        ThreadPool.SetMaxThreads(4, 4);
        for (int i = 0; i < 16; i++)
        {
            _ = Task.Run(() => Thread.Sleep(TimeSpan.FromMinutes(1)));
        }

        stage.Until("items to be queued", () => ThreadPool.PendingWorkItemCount > 0);
    }

    /// <summary>A context that runs everything on one thread, like that of a user interface.</summary>
    private sealed class SingleThreadContext : SynchronizationContext
    {
        private readonly BlockingCollection<(SendOrPostCallback Callback, object? State)> _queue = [];

        public override void Post(SendOrPostCallback d, object? state) => _queue.Add((d, state));

        public void Run()
        {
            foreach ((SendOrPostCallback callback, object? state) in _queue.GetConsumingEnumerable())
            {
                callback(state);
            }
        }
    }
}
