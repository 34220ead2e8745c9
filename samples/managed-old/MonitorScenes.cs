using System;
using System.Threading;

namespace Dump.Samples.ManagedOld
{
    /// <summary>Two threads with two locks, and a thread that waits for a slow one.</summary>
    internal static class MonitorScenes
    {
        internal static void Cycle()
        {
            object left = new object(), right = new object();
            Barrier bothOwn = new Barrier(2);
            Program.UntilBlocked(
                Program.Start("left", () => TakeOwnThenNext(left, right, bothOwn)),
                Program.Start("right", () => TakeOwnThenNext(right, left, bothOwn)));
        }

        internal static void SlowOwner()
        {
            object held = new object();
            ManualResetEventSlim owned = new ManualResetEventSlim();
            Program.Start("owner", () => OwnSlowly(held, owned));
            owned.Wait();
            Program.UntilBlocked(Program.Start("waiter", () => EnterAndLeave(held)));
        }

        private static void TakeOwnThenNext(object own, object next, Barrier bothOwn)
        {
            lock (own)
            {
                bothOwn.SignalAndWait();
                EnterAndLeave(next);
            }
        }

        private static void OwnSlowly(object held, ManualResetEventSlim owned)
        {
            lock (held)
            {
                owned.Set();
                Thread.Sleep(TimeSpan.FromMinutes(1));
            }
        }

        private static void EnterAndLeave(object held)
        {
            lock (held)
            {
            }
        }
    }
}
