using System.Runtime.CompilerServices;

namespace Dump.Samples.Managed.Scenes;

/// <summary>Threads that wait while they handle an exception: the methods that threw are still on their stacks, below the handler.</summary>
internal static class ExceptionScenes
{
    private const int Depth = 4;

    public static void AddTo(Dictionary<string, Action<Stage>> scenes)
    {
        scenes.Add("filter-waits", FilterWaits);
        scenes.Add("filter-cycle", FilterCycle);
        scenes.Add("handler-cycle", HandlerCycle);
    }

    /// <summary>A filter runs before anything is unwound; the holder of its lock sleeps, so that nobody is to blame.</summary>
    private static void FilterWaits(Stage stage)
    {
        object table = new();
        using ManualResetEventSlim held = new();
        stage.Start("holder", () =>
        {
            lock (table)
            {
                held.Set();
                Thread.Sleep(Timeout.Infinite);
            }
        });
        held.Wait();
        stage.UntilBlocked(stage.Start("filter", () =>
        {
            try
            {
                Throw(Depth, table);
            }
            catch (InvalidOperationException) when (IsKnown(table))
            {
                Thread.Sleep(Timeout.Infinite);
            }
        }));
    }

    /// <summary>A thread's filter waits for what another thread holds, which waits for what the first holds.</summary>
    private static void FilterCycle(Stage stage)
    {
        object left = new();
        object right = new();
        using Barrier both = new(2);
        stage.UntilBlocked(
            stage.Start("filters", () =>
            {
                lock (left)
                {
                    try
                    {
                        both.SignalAndWait();
                        Throw(Depth, left);
                    }
                    catch (InvalidOperationException) when (IsKnown(right))
                    {
                        Thread.Sleep(Timeout.Infinite);
                    }
                }
            }),
            stage.Start("waits", () =>
            {
                lock (right)
                {
                    both.SignalAndWait();
                    Take(left);
                }
            }));
    }

    /// <summary>One thread waits in its catch block, the other in its finally block, each for what the other holds.</summary>
    private static void HandlerCycle(Stage stage)
    {
        object left = new();
        object right = new();
        using Barrier both = new(2);
        stage.UntilBlocked(
            stage.Start("catches", () =>
            {
                lock (left)
                {
                    try
                    {
                        Throw(Depth, left);
                    }
                    catch (InvalidOperationException)
                    {
                        both.SignalAndWait();
                        Take(right);
                    }
                }
            }),
            stage.Start("finally", () =>
            {
                lock (right)
                {
                    try
                    {
                        ThrowAndTake(right, left, both);
                    }
                    catch (InvalidOperationException)
                    {
                        Thread.Sleep(Timeout.Infinite);
                    }
                }
            }));
    }

    private static void ThrowAndTake(object held, object wanted, Barrier both)
    {
        try
        {
            Throw(Depth, held);
        }
        finally
        {
            both.SignalAndWait();
            Take(wanted);
        }
    }

    private static bool IsKnown(object table)
    {
        lock (table)
        {
            return true;
        }
    }

    private static void Take(object wanted)
    {
        lock (wanted)
        {
        }
    }

    // A reference that is used after the call is kept in a register across it.
    [MethodImpl(MethodImplOptions.NoInlining)]
    private static void Throw(int depth, object kept)
    {
        if (depth == 0)
        {
            throw new InvalidOperationException("thrown on purpose");
        }

        Throw(depth - 1, kept);
        GC.KeepAlive(kept);
    }
}
