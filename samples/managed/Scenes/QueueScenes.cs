namespace Dump.Samples.Managed.Scenes;

/// <summary>Many locks and many queues at once, of which none or exactly one deadlocks.</summary>
internal static class QueueScenes
{
    private static readonly TimeSpan s_long = TimeSpan.FromMinutes(30);

    public static void AddTo(Dictionary<string, Action<Stage>> scenes)
    {
        scenes.Add("monitor-unrelated", stage => Unrelated(stage));
        scenes.Add("monitor-unrelated-and-cycle", UnrelatedAndCycle);
        scenes.Add("monitor-nested", Nested);
        scenes.Add("rwlock-upgrade-slow", UpgradeSlow);
        scenes.Add("rwlock-timed", ReaderWriterTimed);
        scenes.Add("rwlock-orphan", ReaderWriterOrphan);
        scenes.Add("join-slow", JoinSlow);
        scenes.Add("task-slow", TaskSlow);
        scenes.Add("collecting", Collecting);
#if NET9_0_OR_GREATER
        scenes.Add("lock-slow-owner", LockSlowOwner);
        scenes.Add("lock-timed", LockTimed);
        scenes.Add("lock-orphan", LockOrphan);
#endif
    }

    /// <summary>Four locks, each with a sleeping owner and up to three waiters, which arrive in an order that mixes the queues.</summary>
    private static void Unrelated(Stage stage)
    {
        object[] locks = [new(), new(), new(), new()];
        using CountdownEvent owned = new(locks.Length);
        foreach (int i in (int[])[2, 0, 3, 1])
        {
            stage.Start($"owner-{i}", () =>
            {
                lock (locks[i])
                {
                    owned.Signal();
                    Stage.Forever();
                }
            });
        }

        owned.Wait();
        foreach (int i in (int[])[3, 1, 0, 3, 2, 1, 3])
        {
            stage.UntilBlocked(stage.Start($"waiter-{i}", () => MonitorScenes.EnterAndLeave(locks[i])));
        }
    }

    private static void UnrelatedAndCycle(Stage stage)
    {
        Unrelated(stage);
        MonitorScenes.Cycle(stage, 2);
    }

    /// <summary>Everybody takes the same three locks in the same order; the first one in sleeps.</summary>
    private static void Nested(Stage stage)
    {
        object[] locks = [new(), new(), new()];
        void Take(int index)
        {
            if (index == locks.Length)
            {
                Stage.Forever();
            }

            lock (locks[index])
            {
                Take(index + 1);
            }
        }

        stage.UntilBlocked(stage.Start("innermost", () => Take(0)));
        stage.UntilBlocked(stage.Start("second", () => Take(0)), stage.Start("third", () => Take(1)), stage.Start("fourth", () => Take(2)));
    }

    /// <summary>An upgradeable reader waits until a reader, which sleeps, has left.</summary>
    private static void UpgradeSlow(Stage stage)
    {
        ReaderWriterLockSlim table = new();
        using ManualResetEventSlim reading = new();
        stage.Start("reader", () =>
        {
            table.EnterReadLock();
            reading.Set();
            Stage.Forever();
        });
        reading.Wait();
        stage.UntilBlocked(stage.Start("upgrader", () =>
        {
            table.EnterUpgradeableReadLock();
            table.EnterWriteLock();
        }));
    }

    private static void ReaderWriterTimed(Stage stage)
    {
        ReaderWriterLockSlim left = new(), right = new();
        Barrier allOwn = new(2);
        void Take(ReaderWriterLockSlim own, ReaderWriterLockSlim next)
        {
            own.EnterWriteLock();
            allOwn.SignalAndWait();
            next.TryEnterWriteLock(s_long);
        }

        stage.UntilBlocked(stage.Start("left", () => Take(left, right)), stage.Start("right", () => Take(right, left)));
    }

    private static void ReaderWriterOrphan(Stage stage)
    {
        ReaderWriterLockSlim table = new();
        stage.Start("ended-owner", table.EnterWriteLock).Join();
        stage.UntilBlocked(stage.Start("waiter", table.EnterWriteLock));
    }

    private static void JoinSlow(Stage stage)
    {
        Thread worker = stage.Start("worker", Stage.Forever);
        stage.UntilBlocked(stage.Start("joining", worker.Join));
    }

    private static void TaskSlow(Stage stage)
    {
        using ManualResetEventSlim inTask = new();
        Task work = Task.Run(() =>
        {
            inTask.Set();
            Stage.Forever();
        });
        inTask.Wait();
        stage.UntilBlocked(stage.Start("waiter", work.Wait));
    }

    /// <summary>Garbage is collected all the time while threads queue for a lock.</summary>
    private static void Collecting(Stage stage)
    {
        object held = new();
        using ManualResetEventSlim owned = new();
        stage.Start("collector", () =>
        {
            while (true)
            {
                GC.Collect();
            }
        });
        stage.Start("owner", () =>
        {
            lock (held)
            {
                owned.Set();
                Stage.Forever();
            }
        });
        owned.Wait();
        stage.UntilBlocked(stage.Start("waiter", () => MonitorScenes.EnterAndLeave(held)));
    }

#if NET9_0_OR_GREATER
    private static void LockSlowOwner(Stage stage)
    {
        Lock held = new();
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
        stage.UntilBlocked(stage.Start("waiter", () => held.Enter()));
    }

    private static void LockTimed(Stage stage)
    {
        Lock left = new(), right = new();
        Barrier allOwn = new(2);
        void Take(Lock own, Lock next)
        {
            own.Enter();
            allOwn.SignalAndWait();
            next.TryEnter(s_long);
        }

        stage.UntilBlocked(stage.Start("left", () => Take(left, right)), stage.Start("right", () => Take(right, left)));
    }

    private static void LockOrphan(Stage stage)
    {
        Lock held = new();
        stage.Start("ended-owner", () => held.Enter()).Join();
        stage.UntilBlocked(stage.Start("waiter", () => held.Enter()));
    }
#endif
}
