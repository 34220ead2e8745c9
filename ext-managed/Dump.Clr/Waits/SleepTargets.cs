using Dump.Clr.Frames;
using Dump.Clr.Locks;
using Dump.Model.Facts;
using Dump.Model.Waits;

namespace Dump.Clr.Waits;

/// <summary>Sleeps without an end, which are waits: a lock that such a thread holds is never released.</summary>
internal static class SleepTargets
{
    /// <summary>
    /// The wait of a thread that sleeps without an end, where the native half has not told of it; null for all others and where the limit is unknown.
    /// </summary>
    public static FoundWait? Endless(ManagedThread thread, WaitCall wait, NativeWaits native)
    {
        if (wait.Function is not { Kind: ManagedWaitKind.Sleep, Method: "Sleep" or "SleepInternal" } || native.HasWait(thread.Id)
            || native.LimitOf(thread.Id) is not { Timeout: WaitTimeout.Infinite })
        {
            return null;
        }

        Evidence stack = new(EvidenceSource.Stack, $"{wait.Text()} innermost");
        WaitTarget target = new(new Resource(ResourceKind.Time, 0, thread.Id), null, Grade.Proven, stack);
        return new FoundWait(WaitFacts.Make(thread, null, target, null, native), target);
    }
}

/// <summary>A wait with what is known of its target.</summary>
/// <param name="Fact">The wait.</param>
/// <param name="Target">The target.</param>
internal sealed record FoundWait(WaitFact Fact, WaitTarget Target)
{
    /// <summary>How it wants to enter a reader-writer lock; to write where the frames do not tell.</summary>
    public ReaderWriterLockMode Mode { get; init; }
}
