using System.Collections.Concurrent;

namespace Dump.Samples.Managed.Scenes;

/// <summary>Threads in every kind of wait that has no owner, or none that a dump shows. The scene "waits" hangs nobody for whom another thread would be to blame.</summary>
internal static class WaitScenes
{
    private static readonly TimeSpan s_long = TimeSpan.FromMinutes(30);

    public static void AddTo(Dictionary<string, Action<Stage>> scenes)
    {
        scenes.Add("waits", Signals);
        scenes.Add("waits-timed", Timed);
        scenes.Add("wait-handles", Handles);
        scenes.Add("mutex", Mutexes);
        scenes.Add("task-wait-all-cycle", WaitAllCycle);
        scenes.Add("task-wait-any", WaitAny);
        scenes.Add("lazy-cycle", LazyCycle);
        scenes.Add("lazy-slow", LazySlow);
        scenes.Add("type-initializer-cycle", TypeInitializerCycle);
        scenes.Add("type-initializer-slow", TypeInitializerSlow);
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
        stage.UntilBlocked(
            stage.Start("semaphore-1", () => semaphore.Wait()),
            stage.Start("semaphore-2", () => semaphore.Wait()),
            stage.Start("gate", () => gate.Wait()),
            stage.Start("countdown", () => countdown.Wait()),
            stage.Start("barrier", () => barrier.SignalAndWait()),
            stage.Start("consumer", () => queue.Take()),
            stage.Start("producer", () => full.Add(2)),
            stage.Start("all-tasks", () => Task.WaitAll(never)),
            stage.Start("any-task", () => Task.WaitAny(never)),
            stage.Start("one-task", () => LoadAsync().Wait()),
            stage.Start("condition", () => Wait(condition)));
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

    /// <summary>The same with any of them: the other task ends the wait, so nobody is deadlocked for good.</summary>
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

    private static void LazyCycle(Stage stage)
    {
        Barrier bothRun = new(2);
        Lazy<int>? left = null, right = null;
        left = new Lazy<int>(() => Meet(bothRun) + right!.Value);
        right = new Lazy<int>(() => Meet(bothRun) + left.Value);
        stage.UntilBlocked(stage.Start("left", () => _ = left.Value), stage.Start("right", () => _ = right.Value));
    }

    private static int Meet(Barrier barrier)
    {
        barrier.SignalAndWait();
        return 1;
    }

    private static void LazySlow(Stage stage)
    {
        using ManualResetEventSlim begun = new();
        Lazy<int> value = new(() =>
        {
            begun.Set();
            Stage.Forever();
            return 1;
        });
        stage.Start("maker", () => _ = value.Value);
        begun.Wait();
        stage.UntilBlocked(stage.Start("reader-1", () => _ = value.Value), stage.Start("reader-2", () => _ = value.Value));
    }

    /// <summary>A thread runs a class constructor that wants a lock; the lock's owner needs that class.</summary>
    private static void TypeInitializerCycle(Stage stage)
    {
        using ManualResetEventSlim owned = new();
        Thread owner = stage.Start("owner", () =>
        {
            lock (Settings.Lock)
            {
                owned.Set();
                Settings.Begun.Wait();
                Thread.Sleep(300);
                Console.Error.WriteLine(Defaults.Value);
            }
        });
        owned.Wait();
        Thread initializer = stage.Start("initializer", () => Console.Error.WriteLine(Defaults.Value));
        Thread.Sleep(800);
        stage.UntilBlocked(initializer);
        GC.KeepAlive(owner);
    }

    private static void TypeInitializerSlow(Stage stage)
    {
        stage.Start("initializer", () => Console.Error.WriteLine(SlowDefaults.Value));
        Settings.Begun.Wait();
        stage.Start("reader", () => Console.Error.WriteLine(SlowDefaults.Value));
        Thread.Sleep(500);
    }

    private static class Settings
    {
        public static readonly object Lock = new();
        public static readonly ManualResetEventSlim Begun = new();
    }

    private static class Defaults
    {
        public static readonly int Value;

        static Defaults()
        {
            Settings.Begun.Set();
            lock (Settings.Lock)
            {
                Value = 1;
            }
        }
    }

    private static class SlowDefaults
    {
        public static readonly int Value;

        static SlowDefaults()
        {
            Settings.Begun.Set();
            Stage.Forever();
            Value = 1;
        }
    }
}
