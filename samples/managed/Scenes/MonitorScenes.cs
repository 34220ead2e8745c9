using System.Runtime.CompilerServices;
using System.Runtime.InteropServices;
using System.Runtime.Versioning;

namespace Dump.Samples.Managed.Scenes;

/// <summary>Hangs on <c>lock</c>.</summary>
internal static class MonitorScenes
{
    public static void AddTo(Dictionary<string, Action<Stage>> scenes)
    {
        scenes.Add("monitor-cycle2", stage => Cycle(stage, 2));
        scenes.Add("monitor-cycle3", stage => Cycle(stage, 3));
#if NET6_0_OR_GREATER
        if (!OperatingSystem.IsWindows())
        {
            scenes.Add("monitor-cycle-broken", BrokenCycle);
        }
#endif

        scenes.Add("monitor-orphan", Orphan);
        scenes.Add("monitor-orphan-collected", CollectedOrphan);
        scenes.Add("monitor-head-blocker", HeadBlocker);
        scenes.Add("monitor-synchronized", Synchronized);
        scenes.Add("monitor-many-locks", ManyLocks);
    }

    internal static void Cycle(Stage stage, int count)
    {
        object[] locks = [.. Enumerable.Range(0, count).Select(_ => (object)new Account())];
        using Barrier allOwn = new(count);
        Thread[] threads = [.. Enumerable.Range(0, count).Select(i => stage.Start($"transfer-{i}", () =>
            TakeOwnThenNext(locks[i], locks[(i + 1) % count], allOwn)))];
        stage.UntilBlocked(threads);
    }

    private static void TakeOwnThenNext(object own, object next, Barrier allOwn)
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

#if NET6_0_OR_GREATER
    /// <summary>A cycle out of which the first SIGCONT interrupts a thread, so that both go on.</summary>
    [UnsupportedOSPlatform("windows")]
    private static void BrokenCycle(Stage stage)
    {
        object left = new Account(), right = new Account();
        Barrier allOwn = new(2);
        Thread first = stage.Start("transfer-0", () =>
        {
            try
            {
                TakeOwnThenNext(left, right, allOwn);
            }
            catch (ThreadInterruptedException)
            {
                Stage.Forever();
            }
        });
        Thread second = stage.Start("transfer-1", () => TakeOwnThenNext(right, left, allOwn));
        stage.UntilBlocked(first, second);
        _ = PosixSignalRegistration.Create(PosixSignal.SIGCONT, _ => first.Interrupt());
    }
#endif

    private static void Orphan(Stage stage)
    {
        object orphaned = new Account();
        Thread owner = stage.Start("ended-owner", () => Monitor.Enter(orphaned));
        owner.Join();
        Thread[] waiters = [.. Enumerable.Range(0, 2).Select(_ => stage.Start("waiter", () => EnterAndLeave(orphaned)))];
        stage.UntilBlocked(waiters);
    }

    /// <summary>
    /// The same when a collection has taken the owner's object, and with it the runtime's record of the thread. No thread begins later: it would get that id.
    /// </summary>
    private static void CollectedOrphan(Stage stage)
    {
        object orphaned = new Account();
        ManualResetEventSlim ended = new();
        Thread[] waiters = [.. Enumerable.Range(0, 2).Select(_ => stage.Start("waiter", () =>
        {
            ended.Wait();
            EnterAndLeave(orphaned);
        }))];
        EnterAndEnd(stage, orphaned);
        for (int i = 0; i < 3; i++)
        {
            GC.Collect();
            GC.WaitForPendingFinalizers();
        }

        ended.Set();
        stage.UntilBlocked(waiters);
    }

    /// <summary>In a method of its own, so that no variable keeps the thread's object.</summary>
    [MethodImpl(MethodImplOptions.NoInlining)]
    private static void EnterAndEnd(Stage stage, object orphaned) => stage.Start("ended-owner", () => Monitor.Enter(orphaned)).Join();

    private static void HeadBlocker(Stage stage)
    {
        object held = new Account();
        using ManualResetEventSlim owned = new();
        ManualResetEvent never = new(false);
        stage.Start("owner", () => OwnAndWait(held, owned, never));
        owned.Wait();
        stage.UntilBlocked([.. Enumerable.Range(0, 5).Select(_ => stage.Start("waiter", () => EnterAndLeave(held)))]);
    }

    private static void OwnAndWait(object held, ManualResetEventSlim owned, ManualResetEvent never)
    {
        lock (held)
        {
            owned.Set();
            never.WaitOne();
        }
    }

    private static void Synchronized(Stage stage)
    {
        SynchronizedLedger ledger = new();
        using Barrier allOwn = new(2);
        Thread[] threads =
        [
            stage.Start("instance-then-type", () => ledger.InstanceThenType(allOwn)),
            stage.Start("type-then-instance", () => SynchronizedLedger.TypeThenInstance(ledger, allOwn)),
        ];
        stage.UntilBlocked(threads);
    }

    /// <summary>Seven contended locks, all behind one sleeper that holds them; no two threads wait for each other.</summary>
    private static void ManyLocks(Stage stage)
    {
        object[] locks = [.. Enumerable.Range(0, 7).Select(_ => (object)new Account())];
        using ManualResetEventSlim owned = new();
        stage.Start("sleeper", () => OwnAllAndSleep(locks, 0, owned));
        owned.Wait();
        stage.UntilBlocked([.. locks.Select((l, i) => stage.Start($"waiter-{i}", () => EnterAndLeave(l)))]);
    }

    private static void OwnAllAndSleep(object[] locks, int index, ManualResetEventSlim owned)
    {
        if (index == locks.Length)
        {
            owned.Set();
            Thread.Sleep(TimeSpan.FromMinutes(1));
            return;
        }

        lock (locks[index])
        {
            OwnAllAndSleep(locks, index + 1, owned);
        }
    }

    internal static void EnterAndLeave(object held)
    {
        lock (held)
        {
        }
    }

    private sealed class Account;

    private sealed class SynchronizedLedger
    {
        [MethodImpl(MethodImplOptions.Synchronized)]
        public void InstanceThenType(Barrier allOwn)
        {
            allOwn.SignalAndWait();
            EnterType();
        }

        [MethodImpl(MethodImplOptions.Synchronized)]
        public static void TypeThenInstance(SynchronizedLedger ledger, Barrier allOwn)
        {
            allOwn.SignalAndWait();
            ledger.EnterInstance();
        }

        [MethodImpl(MethodImplOptions.Synchronized)]
        private static void EnterType()
        {
        }

        [MethodImpl(MethodImplOptions.Synchronized)]
        private void EnterInstance()
        {
        }
    }
}
