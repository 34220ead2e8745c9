using System.Collections.Concurrent;
using System.Diagnostics;
using System.Runtime.CompilerServices;

namespace Dump.Samples.Managed.Scenes;

/// <summary>
/// Threads in every kind of wait that has no owner, or none that a dump shows. The scene "waits" hangs nobody for whom another thread would be to blame.
/// </summary>
internal static class WaitScenes
{
    private static readonly TimeSpan s_long = TimeSpan.FromMinutes(30);

    public static void AddTo(Dictionary<string, Action<Stage>> scenes)
    {
        scenes.Add("waits", Signals);
        scenes.Add("waits-timed", Timed);
        scenes.Add("waits-alike", Alike);
        scenes.Add("process-wait", ProcessWait);
        scenes.Add("wait-handles", Handles);
        scenes.Add("mutex", Mutexes);
        scenes.Add("task-wait-all-cycle", WaitAllCycle);
        scenes.Add("task-wait-any", WaitAny);
    }

    private static void Signals(Stage stage)
    {
        SemaphoreSlim semaphore = new(0, 5);
        ManualResetEventSlim gate = new();
        CountdownEvent countdown = new(3);
        Barrier barrier = new(4);
        BlockingCollection<int> queue = [];
        BlockingCollection<int> full = new(boundedCapacity: 1) { 1 };
        Task[] never = [new TaskCompletionSource<int>().Task, LoadAsync()];
        object condition = new();
        stage.Keep(new object[] { semaphore, gate, countdown, barrier, queue, full, never, condition });
        stage.UntilBlocked(
            stage.Start("semaphore-1", () => semaphore.Wait()),
            stage.Start("semaphore-2", () => semaphore.Wait()),
            stage.Start("gate", () => gate.Wait()),
            stage.Start("countdown", () => countdown.Wait()),
            stage.Start("barrier", () => barrier.SignalAndWait()),
            stage.Start("consumer", () => queue.Take()),
            stage.Start("loop", () => Consume(queue)),
            stage.Start("producer", () => full.Add(2)),
            stage.Start("all-tasks", () => Task.WaitAll(never)),
            stage.Start("any-task", () => Task.WaitAny(never)),
            stage.Start("one-task", () => LoadAsync().Wait()),
            stage.Start("condition", () => Wait(condition)));
    }

    /// <summary>Threads in one method, each with other variables that are null.</summary>
    private static void Alike(Stage stage)
    {
        ManualResetEventSlim never = new();
        stage.Keep(never);
        stage.UntilBlocked([.. Enumerable.Range(0, 24).Select(i => stage.Start($"alike-{i}", () =>
            Hold(never, (i & 1) == 0 ? null : new object(), (i & 2) == 0 ? null : $"text of {i}", (i & 4) == 0 ? null : new int[i])))]);
    }

    [MethodImpl(MethodImplOptions.NoInlining)]
    private static void Hold(ManualResetEventSlim signal, object? first, string? second, int[]? third)
    {
        signal.Wait();
        GC.KeepAlive(first);
        GC.KeepAlive(second);
        GC.KeepAlive(third);
    }

    /// <summary>The child reads its input, which ends with this process.</summary>
    private static void ProcessWait(Stage stage)
    {
        Process child = Process.Start(new ProcessStartInfo("/bin/sh", "-c \"read line\"") { RedirectStandardInput = true })!;
        stage.UntilBlocked(stage.Start("waits", () => child.WaitForExit()));
    }

    private static void Consume(BlockingCollection<int> queue)
    {
        foreach (int item in queue.GetConsumingEnumerable())
        {
            Thread.Sleep(item);
        }
    }

    private static async Task LoadAsync() => await Task.Delay(s_long);

    private static void Wait(object condition)
    {
        lock (condition)
        {
            Monitor.Wait(condition);
        }
    }

    private static void Timed(Stage stage)
    {
        SemaphoreSlim semaphore = new(0);
        ManualResetEventSlim gate = new();
        CountdownEvent countdown = new(2);
        object condition = new();
        object held = new();
        AutoResetEvent signal = new(false);
        Task never = new TaskCompletionSource<int>().Task;
        using ManualResetEventSlim owned = new();
        stage.Start("owner", () =>
        {
            lock (held)
            {
                owned.Set();
                Stage.Forever();
            }
        });
        owned.Wait();
        stage.UntilBlocked(
            stage.Start("semaphore", () => semaphore.Wait(s_long)),
            stage.Start("gate", () => gate.Wait(s_long)),
            stage.Start("countdown", () => countdown.Wait(s_long)),
            stage.Start("condition", () => WaitAtMost(condition)),
            stage.Start("monitor", () => Monitor.TryEnter(held, s_long)),
            stage.Start("event", () => signal.WaitOne(s_long)),
            stage.Start("task", () => never.Wait(s_long)));
    }

    private static void WaitAtMost(object condition)
    {
        lock (condition)
        {
            Monitor.Wait(condition, s_long);
        }
    }

    private static void Handles(Stage stage)
    {
        AutoResetEvent automatic = new(false);
        ManualResetEvent manual = new(false);
        Semaphore semaphore = new(0, 3);
        stage.Keep(new object[] { automatic, manual, semaphore });
        stage.UntilBlocked(
            stage.Start("auto", () => automatic.WaitOne()),
            stage.Start("manual", () => manual.WaitOne()),
            stage.Start("semaphore", () => semaphore.WaitOne()),
            stage.Start("any", () => WaitHandle.WaitAny([automatic, manual])),
            stage.Start("all", () => WaitHandle.WaitAll([automatic, manual])));
        GC.KeepAlive(automatic);
        GC.KeepAlive(manual);
        GC.KeepAlive(semaphore);
    }

    /// <summary>A deadlock that no dump of .NET on Linux proves: it does not show who owns a mutex.</summary>
    private static void Mutexes(Stage stage)
    {
        Mutex left = new(), right = new();
        Barrier allOwn = new(2);
        stage.UntilBlocked(
            stage.Start("left", () => TakeBoth(left, right, allOwn)),
            stage.Start("right", () => TakeBoth(right, left, allOwn)));
    }

    private static void TakeBoth(Mutex own, Mutex next, Barrier allOwn)
    {
        own.WaitOne();
        allOwn.SignalAndWait();
        next.WaitOne();
    }

    /// <summary>A thread holds a lock and waits for two tasks, one of which wants that lock.</summary>
    private static void WaitAllCycle(Stage stage)
    {
        object held = new();
        using ManualResetEventSlim inTask = new();
        Thread waiter = stage.Start("waiter", () =>
        {
            lock (held)
            {
                Task worker = Task.Run(() => Work(stage, held, inTask));
                inTask.Wait();
                Task.WaitAll(worker, Task.Delay(s_long));
            }
        });
        inTask.Wait();
        stage.UntilBlocked(waiter);
    }

    /// <summary>The same with any of them: the other task ends the wait, so nobody is deadlocked for good; one picture does not show when.</summary>
    private static void WaitAny(Stage stage)
    {
        object held = new();
        using ManualResetEventSlim inTask = new();
        Thread waiter = stage.Start("waiter", () =>
        {
            lock (held)
            {
                Task worker = Task.Run(() => Work(stage, held, inTask));
                inTask.Wait();
                Task.WaitAny(worker, Task.Delay(s_long));
            }
        });
        inTask.Wait();
        stage.UntilBlocked(waiter);
    }

    private static void Work(Stage stage, object held, ManualResetEventSlim inTask)
    {
        stage.Role("worker");
        inTask.Set();
        MonitorScenes.EnterAndLeave(held);
    }
}
