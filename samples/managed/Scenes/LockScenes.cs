namespace Dump.Samples.Managed.Scenes;

/// <summary>Hangs on the other locks of the class library, and on several kinds together.</summary>
internal static class LockScenes
{
    public static void AddTo(Dictionary<string, Action<Stage>> scenes)
    {
        scenes.Add("rwlock-cycle", ReaderWriterCycle);
        scenes.Add("rwlock-reader-blocks-writer", ReaderBlocksWriter);
        scenes.Add("join-cycle", JoinCycle);
#if NET9_0_OR_GREATER
        scenes.Add("lock-cycle", LockCycle);
        scenes.Add("mixed-cycle", MixedCycle);
        scenes.Add("lock-hot-cycle", HotLockCycle);
#endif
    }

    private static void ReaderWriterCycle(Stage stage)
    {
        ReaderWriterLockSlim left = new(), right = new();
        Barrier allOwn = new(2);
        stage.UntilBlocked(
            stage.Start("left", () => WriteThenWrite(left, right, allOwn)),
            stage.Start("right", () => WriteThenWrite(right, left, allOwn)));
    }

    private static void WriteThenWrite(ReaderWriterLockSlim own, ReaderWriterLockSlim next, Barrier allOwn)
    {
        own.EnterWriteLock();
        allOwn.SignalAndWait();
        next.EnterWriteLock();
    }

    /// <summary>A reader waits for a monitor whose owner waits to write.</summary>
    private static void ReaderBlocksWriter(Stage stage)
    {
        ReaderWriterLockSlim table = new();
        object row = new();
        Barrier allOwn = new(2);
        stage.UntilBlocked(
            stage.Start("reader", () => ReadThenLock(table, row, allOwn)),
            stage.Start("writer", () => LockThenWrite(table, row, allOwn)));
    }

    private static void ReadThenLock(ReaderWriterLockSlim table, object row, Barrier allOwn)
    {
        table.EnterReadLock();
        allOwn.SignalAndWait();
        lock (row)
        {
            table.ExitReadLock();
        }
    }

    private static void LockThenWrite(ReaderWriterLockSlim table, object row, Barrier allOwn)
    {
        lock (row)
        {
            allOwn.SignalAndWait();
            table.EnterWriteLock();
        }
    }

    private static void JoinCycle(Stage stage)
    {
        object held = new();
        using ManualResetEventSlim owned = new();
        using ManualResetEventSlim created = new();
        Thread? worker = null;
        Thread owner = stage.Start("joining", () =>
        {
            lock (held)
            {
                owned.Set();
                created.Wait();
                worker!.Join();
            }
        });
        owned.Wait();
        worker = stage.Start("joined", () => MonitorScenes.EnterAndLeave(held));
        created.Set();
        stage.UntilBlocked(owner, worker);
    }

#if NET9_0_OR_GREATER
    /// <summary>
    /// The same after threads have queued for a lock many times, so that the runtime has compiled its methods anew for the way that they are used.
    /// </summary>
    private static void HotLockCycle(Stage stage)
    {
        const int Queuing = 4, Times = 120;
        Lock contended = new();
        Thread[] threads = [.. Enumerable.Range(0, Queuing).Select(i => stage.Start($"queues-{i}", () =>
        {
            for (int time = 0; time < Times; time++)
            {
                lock (contended)
                {
                    Thread.Sleep(1);
                }

                Thread.Sleep(1);
            }
        }))];
        Array.ForEach(threads, t => t.Join());
        LockCycle(stage);
    }

    private static void LockCycle(Stage stage)
    {
        Lock left = new(), right = new();
        Barrier allOwn = new(2);
        stage.UntilBlocked(
            stage.Start("left", () => TakeOwnThenNext(left, right, allOwn)),
            stage.Start("right", () => TakeOwnThenNext(right, left, allOwn)));
    }

    private static void TakeOwnThenNext(Lock own, Lock next, Barrier allOwn)
    {
        lock (own)
        {
            allOwn.SignalAndWait();
            lock (next)
            {
                Stage.Forever();
            }
        }
    }

    /// <summary>A monitor, a <c>Lock</c> and a reader/writer lock in one cycle.</summary>
    private static void MixedCycle(Stage stage)
    {
        object monitor = new();
        Lock slim = new();
        ReaderWriterLockSlim table = new();
        Barrier allOwn = new(3);
        stage.UntilBlocked(
            stage.Start("owns-monitor", () =>
            {
                lock (monitor)
                {
                    allOwn.SignalAndWait();
                    slim.Enter();
                }
            }),
            stage.Start("owns-lock", () =>
            {
                slim.Enter();
                allOwn.SignalAndWait();
                table.EnterWriteLock();
            }),
            stage.Start("owns-table", () =>
            {
                table.EnterWriteLock();
                allOwn.SignalAndWait();
                lock (monitor)
                {
                }
            }));
    }
#endif
}
