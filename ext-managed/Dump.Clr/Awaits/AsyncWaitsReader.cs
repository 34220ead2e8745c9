using System.Collections.Immutable;
using Dump.Clr.Collections;
using Dump.Clr.Frames;
using Dump.Clr.Heap;
using Dump.Clr.Runtimes;
using Dump.Model.Managed;
using Dump.Model.Waits;
using Dump.Readers;
using Microsoft.Diagnostics.Runtime;

namespace Dump.Clr.Awaits;

/// <summary>Looks at a small managed heap for async methods that cannot go on: cheaper than all chains of awaits, so that every verdict can have it.</summary>
internal static class AsyncWaitsReader
{
    /// <summary>Looks.</summary>
    /// <param name="runtime">The runtime.</param>
    /// <param name="memory">Memory of the process; null to read through the runtime's reader.</param>
    /// <param name="threads">Threads with their stacks.</param>
    /// <param name="waits">What threads wait for.</param>
    /// <param name="ownerships">Who holds that.</param>
    /// <param name="places">Knows the methods' places in the code.</param>
    /// <param name="settings">The largest heap that is looked at, and the most tasks.</param>
    /// <param name="progress">Receives what is being done.</param>
    /// <param name="cancellation">Ends the look.</param>
    /// <param name="onTasks">Receives the memory and the pending tasks; null where nobody else asks for them.</param>
    /// <returns>What was found, or why nothing was.</returns>
    /// <exception cref="OperationCanceledException">The look was ended.</exception>
    public static AsyncWaits Read(
        ClrRuntime runtime, IMemory? memory, IReadOnlyCollection<ManagedThread> threads, IEnumerable<WaitFact> waits,
        IEnumerable<OwnershipFact> ownerships, ManagedPlaces places, ClrReadOptions settings, IProgress<string>? progress, CancellationToken cancellation,
        Action<IMemory, PendingTasks>? onTasks = null)
    {
        try
        {
            IMemory known = memory ?? new ClrMemory(runtime.DataTarget.DataReader);
            IReadOnlyList<HeapSegment> segments = ClrHeapSegments.Read(runtime.Heap);
            ulong size = segments.Aggregate(0UL, (sum, s) => unchecked(sum + (s.End - s.Start)));
            if (size > (ulong)(settings.AsyncWaitsHeap ?? 0))
            {
                return new AsyncWaits { HeapLeftOut = (long)Math.Min(size, long.MaxValue) };
            }

            RootReferences references = new(runtime, known, threads);
            progress?.Report("looking at async methods");
            return !ClrHeapSegments.ArePresent(known, segments) ? new AsyncWaits { Gap = HeapLookGap.Absent }
                : !runtime.Heap.CanWalkHeap ? new AsyncWaits { Gap = HeapLookGap.BeingCollected }
                : Look(
                    known, segments, new AsyncTypes(runtime, places, settings.OnLibraryFault), [.. waits], references, AsyncForestReader.Running(threads),
                    cancellation, settings.AsyncWaitsTasks, ownerships.ToLookup(o => o.Resource, o => o.OwnerIsAlive == true ? o.OwnerThreadId : 0),
                    tasks => onTasks?.Invoke(known, tasks)) with { HeapShape = ClrHeapSegments.ShapeOf(runtime.Heap) };
        }
        catch (Exception error) when (error is not (OutOfMemoryException or OperationCanceledException))
        {
            // A damaged dump can make the data-access library fail anywhere; all else that was read stands.
            settings.Gate?.Fail();
            return new AsyncWaits { Gap = HeapLookGap.BrokenOff };
        }
    }

    /// <summary>Looks at a heap.</summary>
    /// <param name="memory">Memory of the process.</param>
    /// <param name="segments">The heap.</param>
    /// <param name="types">Its types.</param>
    /// <param name="waits">What threads wait for.</param>
    /// <param name="references">References from outside of the heap.</param>
    /// <param name="running">Threads by the async method that they run.</param>
    /// <param name="cancellation">Ends the look.</param>
    /// <param name="mostTasks">Most pending tasks that are looked at; null for any number.</param>
    /// <param name="owners">Threads that hold what is waited for; 0 for one that does not live, or is not known. Null where nothing is held.</param>
    /// <param name="onTasks">Receives the pending tasks; null where nobody else asks for them.</param>
    public static AsyncWaits Look(
        IMemory memory, IReadOnlyList<HeapSegment> segments, IAsyncTypes types, IReadOnlyCollection<WaitFact> waits, IRootReferences references,
        IReadOnlyDictionary<ulong, uint> running, CancellationToken cancellation, int? mostTasks = null,
        ILookup<Resource, uint>? owners = null, Action<PendingTasks>? onTasks = null)
    {
        (HeapWalkFacts facts, ImmutableArray<AsyncVisitor> visitors) = HeapWalk.Run(
            memory, segments, types, () => new AsyncVisitor(new BlockMemory(memory), types), null, cancellation);
        if (!facts.Stops.IsEmpty || visitors.Any(v => v.Unreadable > 0))
        {
            return new AsyncWaits { Gap = HeapLookGap.BrokenOff };
        }

        if (visitors.Sum(v => (long)v.Count) is var tasks && tasks > mostTasks)
        {
            return new AsyncWaits { TasksLeftOut = tasks };
        }

        PendingTasks pending = new(memory, types, visitors, running);
        (AsyncNodes nodes, Continuations continuations, AwaitGraph graph, AwaitEnds ends, AwaitSteps steps) =
            (pending.Nodes, pending.Continuations, pending.Graph, pending.Ends, pending.Steps);
        cancellation.ThrowIfCancellationRequested();
        onTasks?.Invoke(pending);
        ReferenceSearch search = new(memory, segments, types, cancellation);
        SemaphoreUserSearch users = new(nodes, continuations, search);
        AwaitShapes shapes = new(nodes, graph, steps);
        EndlessWaits endless = new(nodes, graph, steps, ends, references, owners ?? Enumerable.Empty<Resource>().ToLookup(r => r, _ => 0u));
        return new AsyncWaits
        {
            Calls = [.. new ChainTally(nodes, graph, shapes, ends).Calls(new AwaitEndings(nodes, graph, continuations)).Select(c => WithTurns(c, types))],
            Faults = UnobservedFaults.Of(visitors.SelectMany(v => v.Faulted), types),
            Hosts = new HostTransitions(nodes, graph, continuations).Find(),
            AwaitsTime = TimedAwaits.Any(nodes, graph, continuations),
            Cycles = AwaitCycleFacts.Of(
                nodes, new AwaitCycles(nodes, graph, continuations),
                waits.Where(w => w.Resource.Kind == ResourceKind.ManagedTask).Select(w => (w.ThreadId, w.Resource.Identity))),
            Endless = endless.Find(
                waits, () => ReachableObjects.Read(memory, segments, types, references.Handles, nodes, graph, cancellation), cancellation),
            Tasks = new SourceWaits(nodes, graph, continuations, search).Of(visitors.SelectMany(v => v.Sources)),
            Sources = new OwnSourceWaits(nodes, graph, continuations, search, references, Blocked(waits)).Of(visitors.SelectMany(v => v.Sources)),
            Semaphores =
            [
                .. new SemaphoreWaits(nodes, graph, continuations, types, waits).Of(visitors.SelectMany(v => v.Semaphores)).Select(s => s.Semaphore with
                {
                    Users = s.Queue.IsInQuestion(s.Semaphore)
                        ? users.Of(s.Semaphore.Address, s.Queue, () => references.Words(s.Queue.Threads), () => references.Exact(s.Queue.Threads))
                        : SemaphoreUsers.Unknown,
                }),
            ],
        };
    }

    /// <summary>Of calls that wait for a semaphore: which of their methods use one as a lock.</summary>
    private static PendingCalls WithTurns(PendingCalls calls, IAsyncTypes types) => calls.Steps[^1].Name != AwaitedOperations.SemaphoreWait ? calls
        : calls with { Steps = [.. calls.Steps.Select(s => MethodOrigins.IsOfProgram(s.Name) ? s with { TakesTurns = types.TakesTurns(s.Code) == true } : s)] };

    private static ILookup<ulong, uint> Blocked(IEnumerable<WaitFact> waits) =>
        waits.Where(w => w.Resource.Kind == ResourceKind.ManagedTask).ToLookup(w => w.Resource.Identity, w => w.ThreadId);
}

/// <summary>The pending tasks of a heap, who awaits whom, and what that ends at.</summary>
internal sealed class PendingTasks
{
    /// <summary>Puts together what a walk over the heap has collected.</summary>
    /// <param name="memory">Memory of the process.</param>
    /// <param name="types">Its types.</param>
    /// <param name="visitors">What was collected.</param>
    /// <param name="running">Threads by the async method that they run.</param>
    public PendingTasks(IMemory memory, IAsyncTypes types, ImmutableArray<AsyncVisitor> visitors, IReadOnlyDictionary<ulong, uint> running)
    {
        Nodes = new AsyncNodes(visitors);
        Continuations = new Continuations(new BlockMemory(memory), types, Nodes);
        Graph = new AwaitGraph(Nodes, Continuations);
        Ends = new AwaitEnds(Nodes, Graph, Continuations, visitors.SelectMany(v => v.Semaphores).OrderBy(s => s.Address));
        Steps = new AwaitSteps(Nodes, Graph, Continuations, types, running);
    }

    /// <summary>The tasks.</summary>
    public AsyncNodes Nodes { get; }

    /// <summary>Reads what goes on when they complete.</summary>
    public Continuations Continuations { get; }

    /// <summary>Who awaits whom.</summary>
    public AwaitGraph Graph { get; }

    /// <summary>What chains of awaits end at.</summary>
    public AwaitEnds Ends { get; }

    /// <summary>Names them.</summary>
    public AwaitSteps Steps { get; }
}

/// <summary>
/// Hosts that start or stop: the pending methods by which <c>Microsoft.Extensions.Hosting</c> does so (dotnet/runtime,
/// src/libraries/Microsoft.Extensions.Hosting/src/Internal/Host.cs). Checked on .NET 8.0.31 and 10.
/// </summary>
/// <param name="nodes">The tasks.</param>
/// <param name="graph">Who awaits whom.</param>
/// <param name="continuations">Reads objects.</param>
internal sealed class HostTransitions(AsyncNodes nodes, AwaitGraph graph, Continuations continuations)
{
    private const string Start = "Microsoft.Extensions.Hosting.Internal.Host.StartAsync";
    private const string Stop = "Microsoft.Extensions.Hosting.Internal.Host.StopAsync";
    private const int MostHosts = 8;
    private const int MostSteps = 64;
    private static readonly ImmutableHashSet<int> s_none = [];
    private readonly AwaitEndings _endings = new(nodes, graph, continuations);

    /// <summary>The first few of them, by address.</summary>
    public ImmutableArray<HostTransition> Find() =>
    [
        .. Enumerable.Range(0, nodes.Count).Where(i => nodes[i] is { IsMethod: true, State: >= 0, Type.Name: Start or Stop })
            .OrderBy(i => nodes[i].Address).Take(MostHosts).Select(Of),
    ];

    private HostTransition Of(int host)
    {
        string? end = _endings.Of(host, s_none);
        return new HostTransition(nodes[host].Address, nodes[host].Type.Name == Start)
        {
            Method = Innermost(host) is { } method ? new AwaitingMethod(nodes[method].Type.Name, 1) { Place = AwaitQueues.PlaceOf(nodes[method]) } : null,
            End = end,
            EndsByItself = end is AwaitEndings.Running or AwaitedOperations.Delay or AwaitedOperations.Tick,
        };
    }

    /// <summary>The last method of the program's own on the way along its awaits; where those branch, the first one is followed.</summary>
    private int? Innermost(int host)
    {
        int? own = null;
        int at = host;
        for (int step = 0; at >= 0 && step < MostSteps; step++)
        {
            if (nodes[at].IsMethod)
            {
                own = MethodOrigins.IsOfProgram(nodes[at].Type.Name) ? at : own;
                at = graph.Next(at);
            }
            else
            {
                (int start, int end) = graph.AwaitedBy(at);
                at = start < end ? graph.Awaited(start) : AwaitGraph.Nothing;
            }
        }

        return own;
    }
}

/// <summary>References into the heap from outside of it, read through the runtime.</summary>
internal sealed class RootReferences(ClrRuntime runtime, IMemory memory, IReadOnlyCollection<ManagedThread> threads) : IRootReferences
{
    private const int MostHandles = 1_000_000;

    /// <summary>A stack of so many methods refers to something, or could not be read.</summary>
    private const int LeastFrames = 4;
    private const string MonitorCondition = "System.Threading.Condition";
    private readonly Lazy<ClrHandle[]> _handles = new(() => [.. runtime.EnumerateHandles().Take(MostHandles + 1)]);

    /// <inheritdoc/>
    public HandleReferences Handles
    {
        get
        {
            ILookup<bool, ClrHandle> dependent = _handles.Value.Where(h => h.HandleKind == ClrHandleKind.Dependent)
                .ToLookup(h => h.Dependent.Type?.Name == MonitorCondition);
            return new HandleReferences(
                [
                    .. _handles.Value.Where(h => h.IsStrong).Select(h => h.Object.Address),
                    .. dependent[false].SelectMany(h => (ulong[])[h.Object.Address, h.Dependent.Address]),
                    .. runtime.Heap.EnumerateFinalizableObjects().Take(MostHandles).Where(o => IsOfProgram(o.Type?.Name)).Select(o => o.Address),
                ],
                _handles.Value.Where(h => h is { IsStrong: false, HandleKind: not ClrHandleKind.Dependent })
                    .DistinctBy(h => h.Address).ToDictionary(h => h.Address, h => h.Object.Address),
                dependent[true].ToLookup(h => h.Object.Address, h => h.Dependent.Address),
                runtime.Heap.Segments.Where(s => s.Kind == GCSegmentKind.Frozen).Select(s => s.ObjectRange.Start).ToHashSet());
        }
    }

    /// <inheritdoc/>
    public bool AreKnown => _handles.Value.Length <= MostHandles
        && !threads.Any(t => t.HasUnreadObjects || t.IsWalkBroken || t.HasTooManyObjects || (t.Code.Count >= LeastFrames && t.Roots.Count + t.Interiors.Count == 0));

    /// <inheritdoc/>
    public IEnumerable<ulong> Words(IReadOnlySet<uint> without) =>
        OutsideReferences.StackWords(memory, threads.Where(t => !without.Contains(t.Id)))
            .Concat(_handles.Value.SelectMany(h => (ulong[])[h.Object.Address, h.Dependent.Address]));

    /// <inheritdoc/>
    public IEnumerable<ulong> Held(HashSet<uint> without) =>
        Exact(without).Concat(OutsideReferences.StackWords(memory, threads.Where(t => !without.Contains(t.Id) && t.Thread.GCMode == GCMode.Cooperative)));

    /// <inheritdoc/>
    public IEnumerable<ulong> Exact(IReadOnlySet<uint> without) =>
        threads.Where(t => !without.Contains(t.Id))
            .SelectMany(t => t.Roots.Concat(t.Interiors).Select(r => r.Object.Address)
                .Concat(t.Thread.GCMode == GCMode.Cooperative ? RegisterObjects.Of(t.Thread).Select(o => o.Address) : []));

    /// <inheritdoc/>
    public IEnumerable<(uint Thread, ulong Object)> Having(IReadOnlySet<ulong> objects, IReadOnlySet<uint> without) =>
        from thread in threads
        where !without.Contains(thread.Id) && OutsideReferences.StackWords(memory, [thread]).Any(objects.Contains)
        from root in thread.Roots
        where objects.Contains(root.Object.Address)
        select (thread.Id, root.Object.Address);

    /// <summary>Finalizers of the class library release what is the system's, and set nothing.</summary>
    private static bool IsOfProgram(string? type) => type is null
        || !(type.StartsWith("System.", StringComparison.Ordinal) || type.StartsWith("Microsoft.", StringComparison.Ordinal));
}

/// <summary>
/// Looks for whoever could release a semaphore besides its waiters: follows references backwards from it, to objects that have it, to those that have these,
/// and so on. A waiter ends the way, for it does nothing before the semaphore is released. Anything else that can run code ends the search: a stack, a handle,
/// another pending task, an array of objects as static variables lie in, a reference that is not understood.
/// </summary>
internal sealed class SemaphoreUserSearch(AsyncNodes nodes, Continuations continuations, ReferenceSearch references)
{
    private const int MostRounds = 8;
    private const int MostObjects = 4_096;

    /// <summary>Rounds over the heap that are left, of all semaphores together.</summary>
    private int _rounds = 12;

    /// <summary>Looks for them.</summary>
    /// <param name="semaphore">Address of the semaphore.</param>
    /// <param name="queue">What waits for it.</param>
    /// <param name="outside">References from outside of the heap but from the stacks of waiting threads: words of stacks, and handles.</param>
    /// <param name="roots">The same of the stacks as the runtime tells it, registers included; asked for at the end only.</param>
    public SemaphoreUsers Of(ulong semaphore, SemaphoreQueue queue, Func<IEnumerable<ulong>> outside, Func<IEnumerable<ulong>> roots)
    {
        HashSet<ulong> known = [semaphore], open = [semaphore];
        for (int round = 0; open.Count > 0; round++)
        {
            if (outside().Any(open.Contains))
            {
                return SemaphoreUsers.Others;
            }

            if (round == MostRounds || _rounds-- <= 0 || known.Count > MostObjects || references.Find(open) is not { } found)
            {
                return SemaphoreUsers.Unknown;
            }

            open = [];
            foreach ((ulong owner, _, _) in found)
            {
                if (known.Contains(owner) || open.Contains(owner))
                {
                    continue;
                }

                if (MayRelease(owner, queue) is not { } isFurther)
                {
                    return SemaphoreUsers.Others;
                }

                if (isFurther)
                {
                    open.Add(owner);
                }
            }

            known.UnionWith(open);
        }

        return roots().Any(known.Contains) ? SemaphoreUsers.Others : SemaphoreUsers.OnlyWaiters;
    }

    /// <summary>
    /// Null when the owner of a reference can run code by itself or be found by anybody; false when it does nothing; true when whoever has it may.
    /// </summary>
    private bool? MayRelease(ulong owner, SemaphoreQueue queue)
    {
        if (nodes.Find(owner) is >= 0 and var node)
        {
            return queue.Tasks.Contains(node) ? false : null;
        }

        return continuations.TypeAt(owner) is not { } type || type.Name == ReferenceRoles.ObjectArray ? null : continuations.IsCompleted(owner) != true;
    }
}

/// <summary>
/// Who waits for semaphores that cannot be entered. The waits of async methods are tasks in a list; one with a time limit or a cancellation token is awaited by
/// a method of the semaphore's own or by the promise of <c>Task.WaitAsync</c>, one without by the program itself (dotnet/runtime,
/// src/libraries/System.Private.CoreLib/src/System/Threading/SemaphoreSlim.cs, the same from .NET Core 3.1 to .NET 10).
/// </summary>
internal sealed class SemaphoreWaits
{
    private const string OwnType = "System.Threading.SemaphoreSlim.";
    private const int MostSemaphores = 1_000;
    private const int MostThreads = 1_000;
    private const int MostHolders = 8;

    // Each reads an object of the heap and those that it refers to.
    private const int MostCalls = 20_000;
    private readonly AsyncNodes _nodes;
    private readonly Continuations _continuations;
    private readonly IAsyncTypes _types;
    private readonly AwaitQueues _queues;
    private readonly ILookup<ulong, WaitFact> _blocked;
    private readonly HashSet<int> _seen = [];

    /// <summary>Prepares the look.</summary>
    /// <param name="nodes">The tasks.</param>
    /// <param name="graph">Who awaits whom.</param>
    /// <param name="continuations">Follows them to those that wait.</param>
    /// <param name="types">Knows what methods do with semaphores.</param>
    /// <param name="waits">What threads wait for.</param>
    public SemaphoreWaits(AsyncNodes nodes, AwaitGraph graph, Continuations continuations, IAsyncTypes types, IEnumerable<WaitFact> waits)
    {
        (_nodes, _continuations, _types, _queues) = (nodes, continuations, types, new AwaitQueues(nodes, graph, continuations));
        _blocked = waits.Where(w => w.Resource.Kind is ResourceKind.ManagedTask or ResourceKind.ManagedSignal).ToLookup(w => w.Resource.Identity);
    }

    /// <summary>Those of count 0, with the tasks and threads that cannot go on before somebody releases them; those with most waiters come first.</summary>
    public ImmutableArray<(AwaitedSemaphore Semaphore, SemaphoreQueue Queue)> Of(IEnumerable<WaitedSemaphore> semaphores)
    {
        (AwaitedSemaphore Semaphore, SemaphoreQueue Queue)[] found =
        [
            .. semaphores.Where(s => s.Count == 0).OrderBy(s => s.Address).Select(Look).Where(s => s.Semaphore.Waiters + s.Semaphore.Blocked > 0)
                .OrderByDescending(s => s.Semaphore.Waiters + s.Semaphore.Blocked).ThenBy(s => s.Semaphore.Address).Take(MostSemaphores),
        ];
        (int Call, bool? TakesTurns)[] calls = found.Length == 0 ? []
            :
            [
                .. Enumerable.Range(0, _nodes.Count).Where(i => _nodes[i] is { IsMethod: true, State: >= 0 } node && MethodOrigins.IsOfProgram(node.Type.Name))
                    .Select(i => (i, _types.TakesTurns(_nodes[i].Type.Code))),
            ];
        int[] takers = [.. calls.Where(c => c.TakesTurns == true).Select(c => c.Call).Take(MostCalls)];
        ILookup<ulong, int> holders = takers.SelectMany(i => _types.HeldBy(_nodes[i]).Select(s => (Semaphore: s, Call: i))).ToLookup(h => h.Semaphore, h => h.Call);

        // Where calls that the runtime suspends stand in their code is not compared.
        bool areKnown = takers.Length < MostCalls && calls.All(c => c.TakesTurns is not null && _nodes[c.Call].Type.Calls.Length == 0);
        return [.. found.Select(s => (s.Semaphore with { Holders = Holders(holders[s.Semaphore.Address], found), AreHoldersKnown = areKnown }, s.Queue))];
    }

    private ImmutableArray<SemaphoreHolder> Holders(IEnumerable<int> calls, (AwaitedSemaphore Semaphore, SemaphoreQueue Queue)[] found) =>
    [
        .. (from call in calls
           let behind = string.Join(',', found.Where(f => f.Queue.Tasks.Contains(call)).Select(f => f.Semaphore.Address).Order())
           group call by (_nodes[call].Type.Name, _nodes[call].State, behind) into kind
           orderby kind.Count() descending, kind.Key.Name, kind.Key.State, kind.Key.behind
           let first = kind.First()
           select new SemaphoreHolder(new AwaitingMethod(kind.Key.Name, kind.Count()) { Place = AwaitQueues.PlaceOf(_nodes[first]) })
           {
               Behind = [.. found.Where(f => f.Queue.Tasks.Contains(first)).Select(f => f.Semaphore.Address).Order()],
           }).Take(MostHolders),
    ];

    private (AwaitedSemaphore Semaphore, SemaphoreQueue Queue) Look(WaitedSemaphore semaphore)
    {
        List<int> waits = Waits(semaphore.First);
        HashSet<int> queue = [.. waits];
        WaitFact[] inside = [.. _blocked[semaphore.Address]];
        WaitFact[] behind = [.. _queues.Behind(waits, queue).SelectMany(n => _blocked[_nodes[n].Address])];
        WaitFact[] threads = [.. inside, .. behind];
        int unlimited = waits.Count(IsUnlimited);
        HashSet<AsyncType> stopped = _queues.Stopped(queue);
        AwaitedSemaphore fact = new(semaphore.Address)
        {
            Waiters = waits.Count,
            Unlimited = unlimited,
            Requests = queue.Count(n => _nodes[n].IsMethod && _nodes[n].Type.Name == MethodOrigins.Request),
            Blocked = Math.Max(0, semaphore.Blocked),
            Further = waits.Count == 0 ? 0 : _queues.Further(queue, stopped),
            Stopped = AwaitQueues.Names(stopped),
            Methods = _queues.Methods(waits.Select(_queues.Awaiter)),
            Threads = [.. threads.Select(w => w.ThreadId).Distinct().Order().Take(MostThreads)],
        };
        bool neverEnds = unlimited == waits.Count && !semaphore.HasHandle && semaphore.Blocked == inside.Length
            && threads.All(w => w.Timeout == WaitTimeout.Infinite);
        return (fact, new SemaphoreQueue(queue, threads.Select(w => w.ThreadId).ToHashSet(), neverEnds));
    }

    /// <summary>The waits in a semaphore's list. One wait belongs to one semaphore, so that all lists together are no longer than there are tasks.</summary>
    private List<int> Waits(ulong first)
    {
        List<int> waits = [];
        for (ulong at = first; _nodes.Find(at) is >= 0 and var wait && _seen.Add(wait);)
        {
            waits.Add(wait);
            at = _continuations.Reference(at, _nodes[wait].Type.Link);
        }

        return waits;
    }

    private bool IsUnlimited(int wait) =>
        _queues.Awaiter(wait) is { } awaiter
            ? _nodes[awaiter].IsMethod && !_nodes[awaiter].Type.Name.StartsWith(OwnType, StringComparison.Ordinal)
            : _blocked[_nodes[wait].Address].Any(w => w.Timeout == WaitTimeout.Infinite);
}

/// <summary>All that waits for a semaphore.</summary>
/// <param name="Tasks">Its waits and what cannot complete before them.</param>
/// <param name="Threads">Threads that wait for it or block in one of these tasks.</param>
/// <param name="NeverEnds">True when every wait is known to have neither a time limit nor a token, and all threads that the semaphore counts are known.</param>
internal sealed record SemaphoreQueue(IReadOnlySet<int> Tasks, IReadOnlySet<uint> Threads, bool NeverEnds)
{
    /// <summary>A wait alone may be meant to have no end: to park a program.</summary>
    private const int LeastWaiters = 2;

    /// <summary>So many share what lives long and can be reached by others; to follow the references of them all takes its time.</summary>
    private const int MostWaiters = 1_000;

    /// <summary>True when it is worth looking who else has the semaphore.</summary>
    /// <param name="semaphore">The semaphore.</param>
    public bool IsInQuestion(Model.Managed.AwaitedSemaphore semaphore) =>
        NeverEnds && semaphore.Waiters + semaphore.Blocked is >= LeastWaiters and <= MostWaiters;
}
