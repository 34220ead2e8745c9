using System.Runtime.CompilerServices;

namespace Dump.Samples.Managed.Scenes;

/// <summary>Monitors whose owner has ended, and whose owner's managed id the runtime has given to another thread that has nothing to do with them.</summary>
internal static class ReusedIdScenes
{
    private const int MostWorkers = 64;

    public static void AddTo(Dictionary<string, Action<Stage>> scenes)
    {
        scenes.Add("monitor-reused-worker", stage => Reuse(stage, TakeByWorker));
        scenes.Add("monitor-reused-thread", stage => Reuse(stage, TakeByThread));
        scenes.Add("monitor-reused-cycle", ReuseInCycle);
        scenes.Add("monitor-reused-waited", ReuseInWaitedCycle);
    }

    private static void Reuse(Stage stage, Action<Stage, int> take)
    {
        object orphaned = new Account();
        take(stage, EnterAndEnd(stage, orphaned));
        stage.UntilBlocked([.. Enumerable.Range(0, 2).Select(_ => stage.Start("waiter", () => MonitorScenes.EnterAndLeave(orphaned)))]);
    }

    /// <summary>The later thread waits for a lock of the thread that waits for the orphaned one: by the ids alone, each waits for the other.</summary>
    private static void ReuseInCycle(Stage stage)
    {
        object orphaned = new Account(), held = new Account();
        ManualResetEventSlim owned = new();
        TakeByThread(stage, EnterAndEnd(stage, orphaned), () =>
        {
            owned.Wait();
            MonitorScenes.EnterAndLeave(held);
        });
        Thread waiter = stage.Start("waiter", () => OwnAndEnter(held, owned, orphaned));
        stage.UntilBlocked(waiter);
    }

    /// <summary>The same, but somebody waits for the lock when its owner ends: it stores who entered it by the system's id as well.</summary>
    private static void ReuseInWaitedCycle(Stage stage)
    {
        object orphaned = new Account(), held = new Account();
        ManualResetEventSlim owned = new();
        int id = EnterAndEnd(stage, orphaned, () => stage.UntilBlocked(stage.Start("waiter", () => OwnAndEnter(held, owned, orphaned))));
        TakeByThread(stage, id, () =>
        {
            owned.Wait();
            MonitorScenes.EnterAndLeave(held);
        });
    }

    private static void OwnAndEnter(object held, ManualResetEventSlim owned, object next)
    {
        lock (held)
        {
            owned.Set();
            MonitorScenes.EnterAndLeave(next);
        }
    }

    /// <summary>Has a thread enter the monitor and end; gives its managed id. In a method of its own, so that no variable keeps the thread's object.</summary>
    [MethodImpl(MethodImplOptions.NoInlining)]
    private static int EnterAndEnd(Stage stage, object orphaned, Action? before = null)
    {
        int id = 0;
        Thread owner = stage.Start("ended-owner", () =>
        {
            id = Environment.CurrentManagedThreadId;
            Monitor.Enter(orphaned);
            before?.Invoke();
        });
        owner.Join();
        return id;
    }

    private static void TakeByThread(Stage stage, int id) => TakeByThread(stage, id, Stage.Forever);

    private static void TakeByThread(Stage stage, int id, Action work)
    {
        bool taken = false;
        stage.Until("a thread to get the id", () =>
        {
            Collect();
            stage.Start("later", () =>
            {
                if (Environment.CurrentManagedThreadId == id)
                {
                    Volatile.Write(ref taken, true);
                    work();
                }
            });
            return Volatile.Read(ref taken);
        });
    }

    /// <summary>Keeps the pool's workers busy until one has the id, then leaves them all without work.</summary>
    private static void TakeByWorker(Stage stage, int id)
    {
        bool taken = false;
        ManualResetEventSlim found = new();
        ThreadPool.SetMinThreads(MostWorkers, 1);
        stage.Until("a worker to get the id", () =>
        {
            Collect();
            ThreadPool.UnsafeQueueUserWorkItem(_ =>
            {
                if (Environment.CurrentManagedThreadId == id)
                {
                    Volatile.Write(ref taken, true);
                }

                found.Wait();
            }, null);
            return Volatile.Read(ref taken);
        });
        found.Set();
        stage.Until("the workers to have no work", () => ThreadPool.PendingWorkItemCount == 0);
    }

    private static void Collect()
    {
        GC.Collect();
        GC.WaitForPendingFinalizers();
    }

    private sealed class Account;
}
