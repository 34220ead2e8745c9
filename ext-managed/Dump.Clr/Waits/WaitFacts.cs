using Dump.Clr.Frames;
using Dump.Model.Facts;
using Dump.Model.Waits;

namespace Dump.Clr.Waits;

/// <summary>Makes the fact that a thread waits, with its time limit.</summary>
internal static class WaitFacts
{
    /// <summary>States a managed wait and its time limit, which the kernel's arguments and the runtime's record must not contradict.</summary>
    /// <param name="thread">The thread.</param>
    /// <param name="wait">The wait by its frames, or null when only the runtime's records show it.</param>
    /// <param name="target">What it waits for.</param>
    /// <param name="milliseconds">Time limit by the runtime's records, -1 for none, null when unknown.</param>
    /// <param name="native">The native half.</param>
    public static WaitFact Make(ManagedThread thread, WaitCall? wait, WaitTarget target, int? milliseconds, NativeWaits native)
    {
        (WaitTimeout limit, long? limitMilliseconds, Evidence? why) = wait?.IsSliced == true ? (WaitTimeout.Unknown, null, null) : native.LimitOf(thread.Id);
        milliseconds = wait?.IsSliced == true ? null : milliseconds;
        WaitTimeout timeout = Timeout(limit, milliseconds);
        if (timeout == WaitTimeout.Unknown && milliseconds is null && wait?.HasNoTimeLimit == true)
        {
            timeout = WaitTimeout.Infinite;
        }

        if (timeout == WaitTimeout.Infinite && wait?.MayBeCancelled(thread) == true)
        {
            timeout = WaitTimeout.Unknown;
            why = new Evidence(EvidenceSource.Runtime, "a registration with a CancellationToken on the stack: who cancels it ends the wait");
        }

        return new WaitFact(
            thread.Id, target.Resource, timeout, target.Grade,
            [
                target.Evidence,
                .. target.Confirmation,
                .. wait is null ? Array.Empty<Evidence>() : [new Evidence(EvidenceSource.Stack, $"{wait.Text()} innermost")],
                .. why is null ? Array.Empty<Evidence>() : [why],
            ],
            timeout != WaitTimeout.Finite ? null : milliseconds is >= 0 ? milliseconds : limitMilliseconds,
            target.IsAny);
    }

    /// <summary>The kernel's arguments and the runtime's record of one wait; unknown when they contradict each other.</summary>
    private static WaitTimeout Timeout(WaitTimeout kernel, int? milliseconds)
    {
        WaitTimeout recorded = milliseconds switch { null => WaitTimeout.Unknown, < 0 => WaitTimeout.Infinite, _ => WaitTimeout.Finite };
        return kernel == WaitTimeout.Unknown ? recorded
            : recorded == WaitTimeout.Unknown || recorded == kernel ? kernel
            : WaitTimeout.Unknown;
    }
}
