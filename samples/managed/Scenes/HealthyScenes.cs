namespace Dump.Samples.Managed.Scenes;

/// <summary>Nothing hangs here, although threads wait.</summary>
internal static class HealthyScenes
{
    public static void AddTo(Dictionary<string, Action<Stage>> scenes)
    {
        scenes.Add("idle", Idle);
        scenes.Add("monitor-slow-owner", SlowOwner);
        scenes.Add("monitor-diamond", Diamond);
        scenes.Add("monitor-timed", Timed);
        scenes.Add("monitor-wait", MonitorWait);
        scenes.Add("events", Events);
        scenes.Add("rwlock-readers", Readers);
        scenes.Add("monitor-recursive", Recursive);
    }

    private static void Idle(Stage stage) => Task.Run(() => 1).Wait();

    private static void SlowOwner(Stage stage)
    {
        object held = new();
        using ManualResetEventSlim owned = new();
        stage.Start("owner", () =>
        {
            lock (held)
            {
                owned.Set();
                Thread.Sleep(TimeSpan.FromMinutes(1));
            }
        });
        owned.Wait();
        stage.UntilBlocked(stage.Start("waiter", () => MonitorScenes.EnterAndLeave(held)));
    }

    /// <summary>Two threads wait for two locks of one sleeping owner, a fourth waits behind one of them.</summary>
    private static void Diamond(Stage stage)
    {
        object first = new(), second = new(), third = new();
        using ManualResetEventSlim owned = new();
        using ManualResetEventSlim leftOwns = new();
        stage.Start("owner", () =>
        {
            lock (first)
            {
                lock (second)
                {
                    owned.Set();
                    Thread.Sleep(TimeSpan.FromMinutes(1));
                }
            }
        });
        owned.Wait();
        Thread left = stage.Start("left", () =>
        {
            lock (third)
            {
                leftOwns.Set();
                MonitorScenes.EnterAndLeave(first);
            }
        });
        leftOwns.Wait();
        stage.UntilBlocked(
            left,
            stage.Start("right", () => MonitorScenes.EnterAndLeave(second)),
            stage.Start("behind-left", () => MonitorScenes.EnterAndLeave(third)));
    }

    /// <summary>A cycle of waits that end by themselves.</summary>
    private static void Timed(Stage stage)
    {
        object left = new(), right = new();
        Barrier allOwn = new(2);
        stage.UntilBlocked(stage.Start("left", () => Try(left, right, allOwn)), stage.Start("right", () => Try(right, left, allOwn)));
    }

    private static void Try(object own, object next, Barrier allOwn)
    {
        lock (own)
        {
            allOwn.SignalAndWait();
            if (Monitor.TryEnter(next, TimeSpan.FromMinutes(1)))
            {
                Monitor.Exit(next);
            }
        }
    }

    private static void MonitorWait(Stage stage)
    {
        object queue = new();
        stage.UntilBlocked([.. Enumerable.Range(0, 4).Select(_ => stage.Start("consumer", () =>
        {
            lock (queue)
            {
                Monitor.Wait(queue);
            }
        }))]);
    }

    private static void Events(Stage stage)
    {
        AutoResetEvent signal = new(false);
        ManualResetEventSlim slim = new();
        SemaphoreSlim semaphore = new(0);
        stage.Keep(new object[] { signal, slim, semaphore });
        stage.UntilBlocked(
            stage.Start("event", () => signal.WaitOne()),
            stage.Start("slim-event", () => slim.Wait()),
            stage.Start("semaphore", () => semaphore.Wait()),
            stage.Start("sleeper", Stage.Forever));
    }

    /// <summary>Readers share a lock; one of them waits for an event.</summary>
    private static void Readers(Stage stage)
    {
        ReaderWriterLockSlim table = new();
        AutoResetEvent signal = new(false);
        stage.Keep(signal);
        stage.UntilBlocked(
            stage.Start("reader", () => Read(table, signal)),
            stage.Start("reader", () => Read(table, signal)));
    }

    private static void Read(ReaderWriterLockSlim table, AutoResetEvent signal)
    {
        table.EnterReadLock();
        signal.WaitOne();
        table.ExitReadLock();
    }

    private static void Recursive(Stage stage)
    {
        object held = new();
        stage.UntilBlocked(stage.Start("recursive", () =>
        {
            lock (held)
            {
                lock (held)
                {
                    Stage.Forever();
                }
            }
        }));
    }
}
