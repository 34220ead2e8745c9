using Dump.Clr.Frames;
using Dump.Clr.Locks;
using Dump.Model.Facts;
using Dump.Model.Waits;
using Microsoft.Diagnostics.Runtime;

namespace Dump.Clr.Waits;

/// <summary>Finds the object that a thread waits for among the objects that the frames of its wait refer to.</summary>
internal static class WaitTargets
{
    private const string Lazy = "System.Lazy<";

    /// <summary>The targets of a wait, several only where all of them must end; empty when none of the objects can be one.</summary>
    /// <param name="thread">The waiting thread.</param>
    /// <param name="wait">Its wait.</param>
    /// <param name="objects">The threads' objects.</param>
    /// <param name="isOwnTask">True for the address of a task that the thread itself runs.</param>
    public static IReadOnlyList<WaitTarget> Find(ManagedThread thread, WaitCall wait, ManagedThreadObjects objects, Func<ulong, bool> isOwnTask) => wait.Function.Kind switch
    {
        // The frame that enters a monitor holds exactly one object reference, the monitor's object: its first root.
        // From .NET 11 on it enters the lock that the object's sync block has.
        ManagedWaitKind.MonitorEnter when wait.EntersLock => From(thread, wait, ResourceKind.ManagedLock, t => t.Name == ManagedLockOwners.TypeName),
        ManagedWaitKind.MonitorEnter => From(thread, wait, ResourceKind.Monitor, _ => true),
        ManagedWaitKind.Lock => From(thread, wait, ResourceKind.ManagedLock, t => t.Name == ManagedLockOwners.TypeName),
        ManagedWaitKind.ReaderWriterLock =>
            From(thread, wait, ResourceKind.ManagedReaderWriterLock, t => t.Name is "System.Threading.ReaderWriterLockSlim" or LegacyReaderWriterLock.TypeName),
        ManagedWaitKind.Task => TaskTargets.One(thread, wait, isOwnTask),
        ManagedWaitKind.AllTasks => TaskTargets.All(thread, wait),
        ManagedWaitKind.AnyTask => TaskTargets.Any(thread, wait),
        ManagedWaitKind.MonitorWait => SignalTargets.Condition(thread, wait),
        ManagedWaitKind.Signal => SignalTargets.Find(thread, wait),
        ManagedWaitKind.Handle => HandleTargets.One(thread, wait),
        ManagedWaitKind.AllHandles => HandleTargets.All(thread, wait),
        ManagedWaitKind.AnyHandle => HandleTargets.Any(thread, wait),
        ManagedWaitKind.SpinLock => SpinLockTargets.Find(thread, wait),
        ManagedWaitKind.Join => Join(thread, wait, objects),
        ManagedWaitKind.Finalizers or ManagedWaitKind.Suspension or ManagedWaitKind.ProcessExit or ManagedWaitKind.Callback =>
            RuntimeWorkTargets.Find(thread, wait),
        _ => [],
    };

    private static WaitTarget[] From(ManagedThread thread, WaitCall wait, ResourceKind kind, Func<ClrType, bool> fits)
    {
        ClrObject target = wait.Objects(thread).FirstOrDefault(o => o.Type is { } type && fits(type));
        return target.Type is null || wait.IsInsideCaller ? [] :
        [
            new WaitTarget(
                new Resource(kind, target.Address),
                NameOf(thread, target),
                Grade.Derived,
                new Evidence(EvidenceSource.Runtime, $"first object that the frames of {wait.Function.Type}.{wait.Function.Method} refer to", target.Address))
            {
                Description = LegacyReaderWriterLock.Is(target) ? new ResourceDescription("ReaderWriterLock", null) : null,
            },
        ];
    }

    /// <summary>The monitor inside of a <c>Lazy</c> is named after it.</summary>
    private static string? NameOf(ManagedThread thread, ClrObject target) =>
        target.Type?.Name == "System.LazyHelper"
            && thread.Roots.FirstOrDefault(r => r.Object.Type?.Name?.StartsWith(Lazy, StringComparison.Ordinal) == true) is { Object.Type: { } lazy }
            ? TypeNames.Of(lazy)
            : TypeNames.OfObject(target);

    /// <summary>The thread object that is joined names the thread, which "holds" its own end.</summary>
    private static WaitTarget[] Join(ManagedThread thread, WaitCall wait, ManagedThreadObjects objects)
    {
        bool IsOwn(ClrObject candidate) => candidate.TryReadField("_managedThreadId", out int own) && own == thread.Thread.ManagedThreadId;
        ClrObject[] candidates = [.. wait.Objects(thread).Where(o => o.Type?.Name == "System.Threading.Thread").DistinctBy(o => o.Address)];
        bool isByEvent = candidates.Length == 0;
        if (isByEvent)
        {
            candidates = [.. objects.EndedBy(wait.Objects(thread).Where(o => o.Type?.Name == HandleTargets.SafeHandle).Select(o => o.Address))];
        }

        (ClrObject? found, bool isOwn) = TargetChoice.Of(candidates, IsOwn);
        bool isAmbiguous = wait.IsInsideCaller && candidates.Count(c => !IsOwn(c)) > 1;
        if (found is not { } target || !target.TryReadField("_managedThreadId", out int id))
        {
            return [];
        }

        ClrThread? joined = thread.Thread.Runtime.Threads.FirstOrDefault(t => t.ManagedThreadId == id && t.OSThreadId != 0);
        return joined is null ? [] :
        [
            new WaitTarget(
                new Resource(ResourceKind.Thread, joined.OSThreadId),
                null,
                isOwn || isAmbiguous ? Grade.Suspected : Grade.Derived,
                new Evidence(EvidenceSource.Runtime, isByEvent
                    ? $"the event in the frames of Thread.Join is that of the end of managed thread {id} (Thread._joinEvent)"
                    : $"Thread object of managed thread {id} in the frames of Thread.Join", target.Address)),
        ];
    }
}
