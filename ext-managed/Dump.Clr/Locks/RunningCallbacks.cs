using Dump.Clr.Frames;
using Dump.Model.Facts;
using Dump.Model.Waits;
using Microsoft.Diagnostics.Runtime;

namespace Dump.Clr.Locks;

/// <summary>
/// Which thread runs what others wait for the runtime to finish: finalizers and the handlers of ProcessExit (one thread of the runtime), callbacks of a
/// cancellation token (the token's source stores the thread), callbacks of a timer (in a frame of its <c>Fire</c>). Fields: dotnet/runtime,
/// src/libraries/System.Private.CoreLib/src/System/Threading/CancellationTokenSource.cs and Timer.cs.
/// </summary>
internal sealed class RunningCallbacks(ClrRuntime runtime, ManagedThreads threads, IReadOnlyDictionary<uint, ManagedThread> stacks,
    IReadOnlySet<uint> standing)
{
    private const string Source = "System.Threading.CancellationTokenSource";
    private const string Timer = "System.Threading.TimerQueueTimer";

    // A source's own until .NET Core 3.1, then of an object of its own.
    private static readonly string[] s_executing = ["ThreadIDExecutingCallbacks", "_threadIDExecutingCallbacks"];
    private readonly Lazy<(ClrObject Timer, ClrThread Thread)[]> _timers = new(() => [.. threads.Live.SelectMany(t => TimersOf(t, stacks))]);

    /// <summary>True for the type of an object that runs the callbacks of a cancellation token.</summary>
    public static bool RunsCallbacks(string? type) => type is Source or Source + "+Registrations";

    /// <summary>True when a callback of a timer runs on some thread.</summary>
    public bool RunsTimers => _timers.Value.Length > 0;

    /// <summary>Address of the timer that will signal an object when its callbacks have returned, or null when no callback of such a timer runs.</summary>
    public ulong? TimerNotifying(ulong target) => _timers.Value
        .Where(t => t.Timer.TryReadObjectField("_notifyWhenNoCallbacksRunning", out ClrObject notified) && notified.Address == target)
        .Select(t => (ulong?)t.Timer.Address).FirstOrDefault();

    /// <summary>
    /// Threads that stand in the kernel although the runtime has them as running managed code (cooperative mode), as in native code that was called without
    /// telling it (<c>SuppressGCTransition</c>). No garbage collection begins before they return. One that has left managed code by a marker of the runtime is
    /// none: the thread that carries out a collection looks like this, which it has asked for or which its allocation has brought about.
    /// </summary>
    public IReadOnlyList<ClrThread> Unstoppable { get; } =
    [
        .. threads.Live.Where(t => t.GCMode == GCMode.Cooperative && standing.Contains(t.OSThreadId)
            && stacks.TryGetValue(t.OSThreadId, out ManagedThread? stack) && stack.Frames is not [{ IsMarker: true, IsEntryMarker: false }, ..]),
    ];

    /// <summary>The threads that run it: each has to act. Empty when nobody does or nobody can be told.</summary>
    public IEnumerable<LockOwner> RunnersOf(Resource resource)
    {
        ClrThread? finalizer = runtime.Threads.FirstOrDefault(t => t is { IsFinalizer: true, OSThreadId: not 0 });
        return resource.Kind switch
        {
            ResourceKind.Finalizers => finalizer is null ? [] : [Owner(finalizer, new Evidence(EvidenceSource.Runtime, "the runtime's finalizer thread"))],

            ResourceKind.Suspension => Unstoppable.Select(t => Owner(t, new Evidence(
                EvidenceSource.Runtime, "the thread is in cooperative mode and in the kernel", t.Address)) with { Grade = Grade.Derived }),

            // It runs the handlers as well, after the finalizer that it is in.
            ResourceKind.ProcessExit => finalizer is not null && stacks.TryGetValue(finalizer.OSThreadId, out ManagedThread? stack)
                && stack.Code.Any(f => f.Method is not null)
                ? [Owner(finalizer, new Evidence(
                    EvidenceSource.Stack, "methods on the stack of the runtime's thread for finalizers and handlers of ProcessExit"))]
                : [],
            _ => RunnersOfCallback(resource.Identity),
        };
    }

    private IEnumerable<LockOwner> RunnersOfCallback(ulong address)
    {
        ClrObject target = runtime.Heap.GetObject(address);
        if (RunsCallbacks(target.Type?.Name))
        {
            string? field = s_executing.FirstOrDefault(f => target.Type!.GetFieldByName(f) is not null);
            return field is not null && target.TryReadField(field, out int id) && threads.WithManagedId(id) is { OSThreadId: not 0 } thread
                ? [Owner(thread, new Evidence(EvidenceSource.Memory, $"{target.Type!.Name}.{field}", address, (ulong)id))]
                : [];
        }

        return _timers.Value.Where(t => t.Timer.Address == address)
            .Select(t => Owner(t.Thread, new Evidence(EvidenceSource.Runtime, "the timer in the frame of its Fire on that thread's stack", address)));
    }

    private static IEnumerable<(ClrObject Timer, ClrThread Thread)> TimersOf(ClrThread thread, IReadOnlyDictionary<uint, ManagedThread> stacks)
    {
        if (!stacks.TryGetValue(thread.OSThreadId, out ManagedThread? stack))
        {
            return [];
        }

        HashSet<ulong> frames = [.. stack.Code.Where(f => f is { IsCoreLibrary: true, TypeName: Timer }).Select(f => f.StackPointer)];
        return frames.Count == 0 ? []
            : stack.Roots.Where(r => r.FrameStackPointer is { } at && frames.Contains(at) && r.Object.Type?.Name == Timer)
                .Select(r => r.Object).DistinctBy(o => o.Address).Select(o => (o, thread));
    }

    private static LockOwner Owner(ClrThread thread, Evidence why) => new(thread.ManagedThreadId, thread.OSThreadId, null, why);
}
