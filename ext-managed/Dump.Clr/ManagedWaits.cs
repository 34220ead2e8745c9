using System.Collections.Immutable;
using Dump.Clr.Frames;
using Dump.Clr.Locks;
using Dump.Clr.Tasks;
using Dump.Clr.Waits;
using Dump.Model;
using Microsoft.Diagnostics.Runtime;

namespace Dump.Clr;

/// <summary>Waits of all managed threads, and the holders of what they wait for.</summary>
internal sealed class ManagedWaits
{
    private readonly Dictionary<uint, ManagedWait> _waits = [];
    private readonly List<WaitFact> _facts = [];
    private readonly List<OwnershipFact> _ownerships = [];
    private readonly Dictionary<Resource, string> _names = [];
    private readonly List<TaskWait> _taskWaits = [];
    private int _unidentified;

    /// <summary>Who waits for what.</summary>
    public IReadOnlyList<WaitFact> Facts => _facts;

    /// <summary>Who holds what is waited for.</summary>
    public IReadOnlyList<OwnershipFact> Ownerships => _ownerships;

    /// <summary>Waits for tasks that no thread runs.</summary>
    public IReadOnlyList<TaskWait> TaskWaits => _taskWaits;

    /// <summary>Names of resources: type names.</summary>
    public IReadOnlyDictionary<Resource, string> Names => _names;

    /// <summary>What could not be read.</summary>
    public IEnumerable<MissingData> Missing => _unidentified == 0 ? [] :
    [
        new MissingData(
            $"the object that {_unidentified} managed thread{(_unidentified == 1 ? " waits" : "s wait")} for (no reference to it on the stack, or its memory is not in the dump)",
            "a cycle through it can be neither shown nor excluded",
            Runtimes.Advice.FullDump),
    ];

    /// <summary>Reads them.</summary>
    public static ManagedWaits Read(ClrRuntime runtime, ManagedThreads threads, IReadOnlyCollection<ManagedThread> stacks, NativeWaits native)
    {
        ManagedWaits waits = new();
        LockReader locks = new(runtime, threads);
        List<(WaitFact Fact, WaitTarget Target)> found = [];
        foreach (ManagedThread thread in stacks)
        {
            ThreadSnapshot? half = native.Thread(thread.Id);
            if (half?.Activity.Kind == ThreadActivityKind.Running)
            {
                // A thread that executes code outside of the kernel is at most about to wait.
                continue;
            }

            if (ManagedWait.Find(thread) is not { } wait)
            {
                // Managed code that blocks in the kernel through something that is not known here: its own native code, or a wait of another runtime version.
                waits._unidentified += thread.Code.Count > 0 && native.BlocksUnnamed(thread.Id, thread.Code[0].StackPointer) ? 1 : 0;
                continue;
            }

            waits._waits[thread.Id] = wait;
            if (wait.Function.Kind is ManagedWaitKind.Work or ManagedWaitKind.Sleep || native.IsKnownBetter(thread.Id, wait.Function.Kind))
            {
                continue;
            }

            if (WaitTargets.Find(thread, wait) is { } target)
            {
                found.Add((Fact(thread, wait, target, native), target));
            }
            else if (wait.Function.Kind is not (ManagedWaitKind.Signal or ManagedWaitKind.MonitorWait))
            {
                waits._unidentified++;
            }
        }

        Dictionary<uint, ManagedThread> byId = stacks.ToDictionary(t => t.Id);
        TaskWaitReader tasks = new(runtime);
        foreach (IGrouping<Resource, (WaitFact Fact, WaitTarget Target)> group in found.GroupBy(f => f.Target.Resource))
        {
            waits.Add(locks, group.Key, [.. group]);
            if (group.Key.Kind == ResourceKind.ManagedTask && !locks.OwnersOf(group.Key).Any())
            {
                waits._taskWaits.AddRange(group.Select(g => tasks.Read(byId[g.Fact.ThreadId], group.Key.Identity)));
            }
        }

        return waits;
    }

    /// <summary>What a thread does by both halves: the wait of the class library tells an idle pool thread and a sleep from other waits.</summary>
    public ThreadActivity ActivityOf(ThreadSnapshot thread)
    {
        if (!_waits.TryGetValue(thread.Id, out ManagedWait? wait))
        {
            return thread.Activity;
        }

        ThreadActivityKind kind = wait.Function.Kind switch
        {
            ManagedWaitKind.Work => ThreadActivityKind.Idle,
            ManagedWaitKind.Sleep => ThreadActivityKind.Sleeping,
            _ => ThreadActivityKind.Waiting,
        };
        return new ThreadActivity(kind, thread.Activity.SystemCall, [new Evidence(EvidenceSource.Stack, $"{wait.Text()} innermost"), .. thread.Activity.Evidence]);
    }

    private void Add(LockReader locks, Resource resource, (WaitFact Fact, WaitTarget Target)[] group)
    {
        if (group[0].Target.Name is { } name)
        {
            _names.TryAdd(resource, name);
        }

        // Frames and the lock's own count are two independent records of who waits.
        int? counted = locks.WaitersOf(resource);
        bool agrees = counted == group.Length || locks.IsAwaitedExactly(resource);
        Evidence? agreement = !agrees ? null
            : new Evidence(EvidenceSource.Runtime, counted == group.Length
                ? $"the lock counts {counted} waiting, and as many threads' frames refer to it"
                : "the task's continuation is the event that the waiting frames refer to", resource.Identity);
        foreach ((WaitFact fact, _) in group)
        {
            _facts.Add(agreement is null ? fact : fact with { Grade = Grade.Proven, Evidence = fact.Evidence.Add(agreement) });
        }

        _ownerships.AddRange(locks.OwnersOf(resource));
    }

    private static WaitFact Fact(ManagedThread thread, ManagedWait wait, WaitTarget target, NativeWaits native)
    {
        (WaitTimeout timeout, long? milliseconds, Evidence? limit) = native.LimitOf(thread.Id);
        if (timeout == WaitTimeout.Unknown && wait.HasNoTimeLimit)
        {
            timeout = WaitTimeout.Infinite;
        }

        ImmutableArray<Evidence> evidence =
        [
            target.Evidence,
            new Evidence(EvidenceSource.Stack, $"{wait.Text()} innermost"),
            .. limit is null ? Array.Empty<Evidence>() : [limit],
        ];
        return new WaitFact(thread.Id, target.Resource, timeout, target.Grade, evidence, milliseconds);
    }
}
