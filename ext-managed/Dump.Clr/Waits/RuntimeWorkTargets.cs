using Dump.Clr.Frames;
using Dump.Clr.Locks;
using Dump.Model.Facts;
using Dump.Model.Waits;
using Microsoft.Diagnostics.Runtime;

namespace Dump.Clr.Waits;

/// <summary>What the runtime does for a thread that waits for it: finalizers, the process' end, a callback that runs.</summary>
internal static class RuntimeWorkTargets
{
    /// <summary>The target of such a wait; empty for a callback whose cancellation token is not found.</summary>
    public static WaitTarget[] Find(ManagedThread thread, WaitCall wait)
    {
        Evidence stack = new(EvidenceSource.Stack, $"{wait.Function.Type}.{wait.Function.Method}");
        return wait.Function.Kind switch
        {
            ManagedWaitKind.Finalizers => [new WaitTarget(new Resource(ResourceKind.Finalizers, 0), null, Grade.Proven, stack)],
            ManagedWaitKind.Suspension => [new WaitTarget(new Resource(ResourceKind.Suspension, 0), null, Grade.Derived, stack)],
            ManagedWaitKind.ProcessExit => [new WaitTarget(new Resource(ResourceKind.ProcessExit, 0), null, Grade.Proven, stack)],
            _ => Callback(wait.Objects(thread).FirstOrDefault(o => RunningCallbacks.RunsCallbacks(o.Type?.Name)), stack),
        };
    }

    /// <summary>
    /// The callbacks of a timer, where a thread waits for the handle that <c>Timer.Dispose(WaitHandle)</c> was given and a callback runs; else the target
    /// itself.
    /// </summary>
    public static WaitTarget OfTimer(WaitTarget target, RunningCallbacks callbacks) =>
        target.Resource.Kind != ResourceKind.ManagedSignal || callbacks.TimerNotifying(target.Resource.Identity) is not { } timer ? target
            : target with
            {
                Resource = new Resource(ResourceKind.ManagedCallback, timer),
                Description = new ResourceDescription("the callback of a Timer", $"signals the {target.Description?.Name ?? "handle"} when it has returned"),
            };

    private static WaitTarget[] Callback(ClrObject registrations, Evidence stack) => registrations.Type is null ? [] :
    [
        new WaitTarget(new Resource(ResourceKind.ManagedCallback, registrations.Address), null, Grade.Derived, stack)
        {
            Description = new ResourceDescription("the callback of a CancellationToken", null),
        },
    ];
}
