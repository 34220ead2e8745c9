using System.Collections.Immutable;
using Dump.Clr.Blocking;
using Dump.Clr.Frames;
using Dump.Clr.Locks;
using Dump.Clr.Tasks;
using Dump.Clr.Waits;
using Dump.Model.Facts;
using Dump.Model.Managed;
using Dump.Model.Waits;

namespace Dump.Clr;

/// <summary>Collects facts resource by resource: who waits, who holds, and whether the resource's own records agree.</summary>
internal sealed class WaitersAndOwners(LockReader locks, BlockingRecords records, TypeInitializers initializers)
{
    private static readonly Evidence s_mayEnter = new(EvidenceSource.Rule,
        "not every holder of the lock keeps out a thread that wants to read, or only until a waiting writer gives up");
    private readonly List<WaitFact> _facts = [];
    private readonly List<OwnershipFact> _ownerships = [];
    private readonly Dictionary<Resource, string> _names = [];
    private readonly Dictionary<Resource, ResourceDescription> _descriptions = [];
    private readonly List<TaskWait> _taskWaits = [];
    private readonly List<(int Owners, ImmutableArray<uint> Waiters)> _unknownOwners = [];

    /// <summary>Who waits for what.</summary>
    public IReadOnlyList<WaitFact> Facts => _facts;

    /// <summary>Who holds what is waited for.</summary>
    public IReadOnlyList<OwnershipFact> Ownerships => _ownerships;

    /// <summary>Waits for tasks that no thread is known to run.</summary>
    public IReadOnlyList<TaskWait> TaskWaits => _taskWaits;

    /// <summary>Names of resources: types and methods.</summary>
    public IReadOnlyDictionary<Resource, string> Names => _names;

    /// <summary>What resources are in their users' words.</summary>
    public IReadOnlyDictionary<Resource, ResourceDescription> Descriptions => _descriptions;

    /// <summary>How many owners of a resource are not known to live or to have ended, and the threads that wait for it.</summary>
    public IReadOnlyList<(int Owners, ImmutableArray<uint> Waiters)> UnknownOwners => _unknownOwners;

    /// <summary>How many monitors' owners the sync block and the runtime's debugging library name differently.</summary>
    public int Contradictions { get; private set; }

    /// <summary>True when a thread itself runs a task.</summary>
    public bool Runs(uint thread, ulong task) => locks.Runs(thread, task);

    /// <summary>True when a thread that cannot be stopped keeps every garbage collection from beginning.</summary>
    public bool HoldsUpCollections => locks.Callbacks.Unstoppable.Count > 0;

    /// <summary>True when a callback of a timer runs on some thread.</summary>
    public bool RunsTimers => locks.Callbacks.RunsTimers;

    /// <summary>The callbacks of a timer, where a thread waits for the handle that the timer signals when they have returned; else the target itself.</summary>
    public WaitTarget OfTimer(WaitTarget target) => RuntimeWorkTargets.OfTimer(target, locks.Callbacks);

    /// <inheritdoc cref="LockReader.Named"/>
    public WaitTarget Named(WaitTarget target) => locks.Named(target);

    /// <summary>Adds all waits.</summary>
    public void Add(IEnumerable<FoundWait> found, TaskWaitReader tasks, IReadOnlyDictionary<uint, ManagedThread> threads)
    {
        foreach (IGrouping<Resource, FoundWait> group in found.GroupBy(f => f.Target.Resource))
        {
            int before = locks.UnknownOwners;
            OwnershipFact[] owners = [.. OwnersOf(group.Key)];
            if (locks.UnknownOwners > before)
            {
                _unknownOwners.Add((locks.UnknownOwners - before, [.. group.Select(g => g.Fact.ThreadId)]));
            }

            Add(group.Key, [.. group], owners);
            if (group.Key.Kind == ResourceKind.ManagedTask && owners.Length == 0)
            {
                _taskWaits.AddRange(group.Select(g => tasks.Read(threads[g.Fact.ThreadId], group.Key.Identity)));
            }
        }
    }

    /// <summary>Says what a resource is in its users' words.</summary>
    public void Describe(Resource resource, ResourceDescription description) => _descriptions.TryAdd(resource, description);

    private void Add(Resource resource, FoundWait[] group, OwnershipFact[] owners)
    {
        if (group[0].Target.Name is { } name)
        {
            _names.TryAdd(resource, name);
        }

        if (group[0].Target.Description is { } description)
        {
            _descriptions.TryAdd(resource, description);
        }

        ReaderWriterLockState? state = locks.StateOf(resource);
        if (state?.Words(owners.Sum(o => (long)(o.RecursionCount ?? 0))) is { } inside)
        {
            _descriptions.TryAdd(resource, new ResourceDescription("ReaderWriterLockSlim", inside));
        }

        // Frames and the lock's own count are two independent records of who waits.
        int? counted = locks.WaitersOf(resource);
        Evidence? agreement = counted == group.Length
            ? new Evidence(EvidenceSource.Runtime, $"the lock counts {counted} waiting, and as many threads' frames refer to it", resource.Identity)
            : locks.WaitEventOf(resource) is { } waiting
                ? new Evidence(EvidenceSource.Runtime, $"the task's continuation is the event of a waiting thread ({waiting})", resource.Identity)
            : null;
        WaitTimeout[] writers = [.. group.Where(w => w.Mode == ReaderWriterLockMode.Write).Select(w => w.Fact.Timeout)];
        foreach (FoundWait wait in group)
        {
            if (resource.Kind == ResourceKind.ManagedReaderWriterLock && wait.Mode != ReaderWriterLockMode.Write && state?.KeepsOut(wait.Mode, writers) != true)
            {
                _facts.Add(wait.Fact with { Grade = Grade.Suspected, Evidence = wait.Fact.Evidence.Add(s_mayEnter) });
                continue;
            }

            bool isProven = agreement is not null && wait.Fact.Grade == Grade.Derived && !wait.Target.IsAny;
            _facts.Add(isProven ? wait.Fact with { Grade = Grade.Proven, Evidence = wait.Fact.Evidence.Add(agreement!) } : wait.Fact);
        }

        _ownerships.AddRange(owners);
    }

    /// <summary>Holders by the lock itself, compared with the runtime's debugging library where it names one.</summary>
    private IEnumerable<OwnershipFact> OwnersOf(Resource resource)
    {
        OwnershipFact[] owners = [.. locks.OwnersOf(resource), .. initializers.OwnersOf(resource)];
        if (resource.Kind != ResourceKind.Monitor || records.OwnerOf(resource.Identity) is not { } recorded)
        {
            return owners;
        }

        Evidence says = new(EvidenceSource.Runtime, "ICorDebugHeapValue3.GetThreadOwningMonitorLock", resource.Identity, recorded);
        if (owners.Length == 0 && !locks.IsFree(resource))
        {
            return [locks.Recorded(resource, recorded, says)];
        }

        // The library looks the lock's managed id up: of an owner that has ended it names the thread that has the id now.
        bool agrees = owners.Any(o => o.OwnerThreadId == recorded) || locks.HasEarlierOwner(resource);
        Contradictions += agrees ? 0 : 1;
        return owners.Select(o => o with
        {
            Grade = agrees ? o.Grade : Grade.Suspected,
            ManagedIdAlone = agrees ? o.ManagedIdAlone : null,
            Evidence = o.Evidence.Add(says),
        });
    }
}
