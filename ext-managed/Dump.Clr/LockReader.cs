using System.Collections.Immutable;
using Dump.Clr.Frames;
using Dump.Clr.Locks;
using Dump.Clr.Runtimes;
using Dump.Clr.Waits;
using Dump.Model.Facts;
using Dump.Model.Waits;
using Microsoft.Diagnostics.Runtime;

namespace Dump.Clr;

/// <summary>Reads who holds a managed resource, and how many the resource itself counts as waiting.</summary>
internal sealed class LockReader
{
    private readonly ClrRuntime _runtime;
    private readonly ManagedThreads _threads;
    private readonly MonitorOwners _monitors;
    private readonly LockUse _use;
    private readonly RunningTasks _running;

    public LockReader(ClrTarget target, Lazy<SyncBlocks> blocks, ManagedThreads threads, IReadOnlyDictionary<uint, ManagedThread> stacks, IReadOnlySet<uint> standing)
    {
        ClrRuntime runtime = target.Runtime;
        _runtime = runtime;
        _threads = threads;
        _use = new LockUse(runtime.Heap, stacks);
        _monitors = new MonitorOwners(runtime.Heap, threads, blocks);
        Callbacks = new RunningCallbacks(runtime, threads, stacks, standing);
        _running = new RunningTasks(runtime, threads, stacks);
    }

    /// <summary>Callbacks that threads run.</summary>
    public RunningCallbacks Callbacks { get; }

    /// <summary>How many owners were asked for so far of which it is not known whether they still live.</summary>
    public int UnknownOwners => _threads.UnknownOwners;

    /// <summary>Who holds it; empty when nobody does or nobody can be told.</summary>
    public IEnumerable<OwnershipFact> OwnersOf(Resource resource) => resource.Kind switch
    {
        ResourceKind.Monitor => Facts(
            resource, _monitors.Of(resource.Identity) is { } owner ? [_use.Judge(owner, resource.Identity, isLockStatement: true)] : []),
        ResourceKind.ManagedLock => Facts(resource, OwnerOfLock(resource) is { } owner ? [owner] : []),
        ResourceKind.Mutex => Facts(resource, MutexOwners.Of(Object(resource), _threads) is { } owner ? [owner] : []),
        ResourceKind.ManagedReaderWriterLock when LegacyReaderWriterLock.Is(Object(resource)) =>
            Facts(resource, LegacyReaderWriterLock.Owners(Object(resource), _threads, _use)),
        ResourceKind.ManagedReaderWriterLock => Facts(resource, ReaderWriterLockOwners.Of(Object(resource), _threads, _use)),
        ResourceKind.SpinLock =>
            Facts(resource, SpinLockOwners.Of(resource.Identity, _runtime.DataTarget.DataReader, _threads, _use) is { } owner ? [owner] : []),
        ResourceKind.ManagedTask => Facts(resource, _running.OwnersOf(resource.Identity)),
        ResourceKind.Finalizers or ResourceKind.Suspension or ResourceKind.ProcessExit or ResourceKind.ManagedCallback =>
            Facts(resource, Callbacks.RunnersOf(resource)),
        ResourceKind.Thread =>
            [new OwnershipFact(resource, (uint)resource.Identity, true, null, Grade.Proven,
                [new Evidence(EvidenceSource.Rule, "a thread ends by itself only")])],
        _ => [],
    };

    /// <summary>An owner of a monitor that another source than the monitor names, also by its managed id.</summary>
    public OwnershipFact Recorded(Resource resource, uint thread, Evidence evidence) => Fact(resource, _use.Judge(
        new LockOwner(_threads.WithId(thread)?.ManagedThreadId, thread, null, evidence), resource.Identity, isLockStatement: true));

    /// <summary>True when a thread itself runs a task.</summary>
    public bool Runs(uint thread, ulong task) => _running.IsRunBy(thread, task);

    /// <summary>How many wait by the resource's own count, or null when it has none.</summary>
    public int? WaitersOf(Resource resource) => resource.Kind switch
    {
        ResourceKind.Monitor => _monitors.WaitersOf(resource.Identity),
        ResourceKind.ManagedLock => ManagedLockOwners.WaitersOf(Object(resource)),
        ResourceKind.ManagedReaderWriterLock => Sum(Object(resource), "_numReadWaiters", "_numWriteWaiters", "_numUpgradeWaiters", "_numWriteUpgradeWaiters"),
        _ => null,
    };

    /// <summary>True for a monitor that a thread has entered which has ended, and whose managed id another thread has now.</summary>
    public bool HasEarlierOwner(Resource resource) => resource.Kind == ResourceKind.Monitor && _monitors.HasEarlierOwner(resource.Identity);

    /// <summary>True for a monitor whose record says that nobody holds it; false when it is held or there is no record.</summary>
    public bool IsFree(Resource resource) => resource.Kind == ResourceKind.Monitor && _monitors.IsFree(resource.Identity);

    /// <summary>
    /// The type of the event that a synchronous wait sets up as a task's continuation
    /// (<c>SetOnInvokeMres</c>, <c>SetOnCountdownMres</c>), or null when the task has another continuation.
    /// </summary>
    public string? WaitEventOf(Resource resource) =>
        resource.Kind == ResourceKind.ManagedTask
        && Object(resource).TryReadObjectField("m_continuationObject", out ClrObject continuation)
        && continuation is { IsNull: false, IsValid: true }
        && continuation.Type?.Name is "System.Threading.Tasks.Task+SetOnInvokeMres" or "System.Threading.Tasks.Task+SetOnCountdownMres"
            ? continuation.Type?.Name?.Split('+')[^1]
            : null;

    /// <summary>The state of a reader-writer lock, or null for other resources and where it cannot be read.</summary>
    public ReaderWriterLockState? StateOf(Resource resource) => resource.Kind != ResourceKind.ManagedReaderWriterLock ? null
        : LegacyReaderWriterLock.Is(Object(resource)) ? LegacyReaderWriterLock.StateOf(Object(resource))
        : ReaderWriterLockState.Of(Object(resource));

    /// <summary>What a thread waits for under the name that the program knows it by: a monitor instead of the lock that it is (.NET 11).</summary>
    public WaitTarget Named(WaitTarget target)
    {
        if (target.Resource.Kind == ResourceKind.ManagedLock)
        {
            return _monitors.ObjectOf(target.Resource.Identity) is { } entered
                ? target with { Resource = new Resource(ResourceKind.Monitor, entered.Address), Name = TypeNames.OfObject(entered) }
                : target;
        }

        return target.Resource.Kind == ResourceKind.ManagedSignal && Object(target.Resource) is { Type.Name: SignalTargets.ConditionType } condition
            && condition.TryReadObjectField(SignalTargets.ConditionLock, out ClrObject monitor) && _monitors.ObjectOf(monitor.Address) is { } pulsed
                ? target with { Resource = new Resource(ResourceKind.ManagedSignal, pulsed.Address), Description = SignalTargets.PulseOf(pulsed) }
                : target;
    }

    /// <summary>With monitors that are managed code, locks store managed ids.</summary>
    private bool LocksStoreManagedIds => SyncBlocks.AreManagedLocks(_runtime);

    /// <summary>Up to .NET 10 the lock stores the system's id, which no other thread gets soon.</summary>
    private LockOwner? OwnerOfLock(Resource resource) =>
        ManagedLockOwners.Of(Object(resource), _threads, LocksStoreManagedIds) is not { } owner ? null

        // Of a monitor without its object nothing can be on the owner's stack.
        : LocksStoreManagedIds ? _use.Judge(owner, resource.Identity, isLockStatement: !_monitors.AreNameless)
        : owner;

    private ClrObject Object(Resource resource) => _runtime.Heap.GetObject(resource.Identity);

    private IEnumerable<OwnershipFact> Facts(Resource resource, IEnumerable<LockOwner> owners) => owners.Select(o => Fact(resource, o));

    private static OwnershipFact Fact(Resource resource, LockOwner owner) => new(
        resource, owner.ThreadId ?? 0, owner.ThreadId is not null, owner.RecursionCount, owner.Grade, [owner.Evidence])
    {
        OwnerDescription = owner.ThreadId is not null ? null
            : owner.ManagedThreadId is { } ended ? $"a thread with managed id {ended}" : "a managed thread",
        ManagedIdAlone = owner.IsByIdAlone ? owner.ManagedThreadId : null,
    };

    private static int? Sum(ClrObject target, params ReadOnlySpan<string> fields)
    {
        int sum = 0;
        foreach (string field in fields)
        {
            if (!target.TryReadField(field, out uint count))
            {
                return null;
            }

            sum += (int)Math.Min(count, 100_000);
        }

        return sum;
    }
}
