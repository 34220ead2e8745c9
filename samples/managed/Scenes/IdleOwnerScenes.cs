namespace Dump.Samples.Managed.Scenes;

/// <summary>Locks whose owner has gone back to the thread pool, or sleeps without end.</summary>
internal static class IdleOwnerScenes
{
    public static void AddTo(Dictionary<string, Action<Stage>> scenes)
    {
        scenes.Add("monitor-idle-owner", MonitorOverAwait);
        scenes.Add("rwlock-idle-owner", ReaderWriterLockOverAwait);
        scenes.Add("monitor-pool-owner", PoolOwner);
        scenes.Add("rwlock-endless-sleep", EndlessSleep);
    }

    /// <summary>An async method awaits between enter and exit: the lock stays with a worker that has nothing to do.</summary>
    private static void MonitorOverAwait(Stage stage)
    {
        object held = new();
        _ = Task.Run(() => UpdateAsync(held));
        stage.Until("the lock to be held", () => !TryEnter(held));
        stage.UntilBlocked([.. Enumerable.Range(0, 2).Select(_ => stage.Start("waiter", () => MonitorScenes.EnterAndLeave(held)))]);
    }

    private static async Task UpdateAsync(object held)
    {
        Monitor.Enter(held);
        await new TaskCompletionSource<int>().Task;
        Monitor.Exit(held);
    }

    private static bool TryEnter(object held)
    {
        if (!Monitor.TryEnter(held))
        {
            return false;
        }

        Monitor.Exit(held);
        return true;
    }

    private static void ReaderWriterLockOverAwait(Stage stage)
    {
        ReaderWriterLockSlim table = new();
        _ = Task.Run(() => UpdateAsync(table));
        stage.Until("the lock to be held", () => table.IsWriteLockHeld || !TryRead(table));
        stage.UntilBlocked(stage.Start("waiter", () => table.EnterWriteLock()));
    }

    private static async Task UpdateAsync(ReaderWriterLockSlim table)
    {
        table.EnterWriteLock();
        await new TaskCompletionSource<int>().Task;
        table.ExitWriteLock();
    }

    private static bool TryRead(ReaderWriterLockSlim table)
    {
        if (!table.TryEnterReadLock(0))
        {
            return false;
        }

        table.ExitReadLock();
        return true;
    }

    /// <summary>Healthy: a worker of the pool works under the lock.</summary>
    private static void PoolOwner(Stage stage)
    {
        object held = new();
        using ManualResetEventSlim owned = new();
        _ = Task.Run(() =>
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

    private static void EndlessSleep(Stage stage)
    {
        ReaderWriterLockSlim table = new();
        using ManualResetEventSlim owned = new();
        stage.Start("reader", () =>
        {
            table.EnterReadLock();
            owned.Set();
            Stage.Forever();
        });
        owned.Wait();
        stage.UntilBlocked([.. Enumerable.Range(0, 4).Select(_ => stage.Start("waiter", () => table.EnterWriteLock()))]);
    }
}
