using System.Net;
using System.Net.Sockets;

namespace Dump.Samples.Managed.Scenes;

/// <summary>Threads that burn processor time.</summary>
internal static class SpinScenes
{
    public static void AddTo(Dictionary<string, Action<Stage>> scenes)
    {
        scenes.Add("spin-owner", SpinningOwner);
        scenes.Add("spin-crowd", Crowd);
        scenes.Add("spin-calls", stage => Asking(stage, 0));
        scenes.Add("spin-calls-waits", stage => Asking(stage, -1));
        scenes.Add("runaway", Runaway);
        scenes.Add("runaway-long", RunawayLong);
        scenes.Add("spinlock-cycle", stage => SpinLockCycle(stage, trackOwner: true));
        scenes.Add("spinlock-untracked", stage => SpinLockCycle(stage, trackOwner: false));
        scenes.Add("spinlock-slow-owner", SpinLockSlowOwner);
        scenes.Add("spin-each-other", stage => SpinOnFlags(stage, withWorker: false));
        scenes.Add("spin-for-worker", stage => SpinOnFlags(stage, withWorker: true));
        scenes.Add("spinlock-each-other", SpinLocksEachOther);
    }

    private static void Runaway(Stage stage)
    {
        stage.UntilBusy(stage.Start("runaway", Compute));
    }

    /// <summary>The same with enough processor time for a dump that records it: the thread has used six seconds.</summary>
    private static void RunawayLong(Stage stage)
    {
        stage.Start("runaway", Compute);
        using System.Diagnostics.Process own = System.Diagnostics.Process.GetCurrentProcess();
        stage.Until("six seconds of processor time", () =>
        {
            own.Refresh();
            return own.TotalProcessorTime.TotalSeconds > 7;
        });
    }

    /// <summary>Four threads compute, one of them under a lock that fifty others wait for.</summary>
    private static void Crowd(Stage stage)
    {
        object held = new();
        using ManualResetEventSlim owned = new();
        stage.Start("owner", () =>
        {
            lock (held)
            {
                owned.Set();
                Compute();
            }
        });
        owned.Wait();
        Thread[] waiters = [.. Enumerable.Range(0, 50).Select(_ => stage.Start("waiter", () => MonitorScenes.EnterAndLeave(held)))];
        for (int i = 0; i < 3; i++)
        {
            stage.Start("spinner", Compute);
        }

        stage.UntilBlocked(waiters);
    }

    private static void SpinningOwner(Stage stage)
    {
        object held = new();
        using ManualResetEventSlim owned = new();
        Thread owner = stage.Start("owner", () =>
        {
            lock (held)
            {
                owned.Set();
                Compute();
            }
        });
        owned.Wait();
        stage.UntilBlocked([.. Enumerable.Range(0, 5).Select(_ => stage.Start("waiter", () => MonitorScenes.EnterAndLeave(held)))]);
        Thread.Sleep(1500);
        stage.UntilBusy(owner);
    }

    /// <summary>
    /// The owner asks over and over whether something has arrived: a system call that is a wait by its name, and returns at once when its time limit is 0. With
    /// none it does wait.
    /// </summary>
    private static void Asking(Stage stage, int microseconds)
    {
        object held = new();
        using ManualResetEventSlim owned = new();
        stage.Start("owner", () =>
        {
            using Socket silent = new(AddressFamily.InterNetwork, SocketType.Dgram, ProtocolType.Udp);
            silent.Bind(new IPEndPoint(IPAddress.Loopback, 0));
            lock (held)
            {
                owned.Set();
                while (!silent.Poll(microseconds, SelectMode.SelectRead))
                {
                }
            }
        });
        owned.Wait();
        stage.UntilBlocked(stage.Start("waiter", () => MonitorScenes.EnterAndLeave(held)));
        Thread.Sleep(500);
    }

    private static void Compute()
    {
        ulong value = 1;
        while (value != 0)
        {
            value = value * 6364136223846793005 + 1442695040888963407;
            value |= 1;
        }
    }

    /// <summary>One thread holds a spin lock and waits for a monitor whose owner spins for the spin lock.</summary>
    private static void SpinLockCycle(Stage stage, bool trackOwner)
    {
        Counter counter = new(trackOwner);
        object held = new();
        Barrier bothOwn = new(2);
        Thread holder = stage.Start("holder", () =>
        {
            counter.Enter();
            bothOwn.SignalAndWait();
            MonitorScenes.EnterAndLeave(held);
        });
        stage.Start("spinner", () =>
        {
            lock (held)
            {
                bothOwn.SignalAndWait();
                counter.Enter();
            }
        });
        stage.UntilBlocked(holder);
        Thread.Sleep(500);
    }

    private static void SpinLockSlowOwner(Stage stage)
    {
        Counter counter = new(trackOwner: true);
        using ManualResetEventSlim owned = new();
        stage.Start("holder", () =>
        {
            counter.Enter();
            owned.Set();
            Stage.Forever();
        });
        owned.Wait();
        stage.Start("spinner", counter.Enter);
        Thread.Sleep(500);
    }

    /// <summary>Two threads spin for each other's spin locks.</summary>
    private static void SpinLocksEachOther(Stage stage)
    {
        Counter left = new(trackOwner: true), right = new(trackOwner: true);
        Barrier bothOwn = new(2);
        void TakeBoth(Counter own, Counter next)
        {
            own.Enter();
            bothOwn.SignalAndWait();
            next.Enter();
        }

        stage.Start("left", () => TakeBoth(left, right));
        stage.Start("right", () => TakeBoth(right, left));
        Thread.Sleep(500);
    }

    /// <summary>
    /// Two threads poll flags that only the other one sets afterwards; the healthy twin has a third thread that works and sets them at its end.
    /// </summary>
    private static void SpinOnFlags(Stage stage, bool withWorker)
    {
        bool[] ready = new bool[2];
        void Poll(int own)
        {
            SpinWait.SpinUntil(() => Volatile.Read(ref ready[1 - own]));
            Volatile.Write(ref ready[own], true);
        }

        if (withWorker)
        {
            stage.Start("worker", () =>
            {
                Compute();
                Volatile.Write(ref ready[0], true);
            });
        }

        stage.Start("left", () => Poll(0));
        stage.Start("right", () => Poll(1));
        Thread.Sleep(1000);
    }

    private sealed class Counter(bool trackOwner)
    {
        private SpinLock _lock = new(trackOwner);

        public void Enter()
        {
            bool taken = false;
            _lock.Enter(ref taken);
        }
    }
}
