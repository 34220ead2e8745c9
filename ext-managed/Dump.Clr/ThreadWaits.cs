using System.Collections.Immutable;
using Dump.Clr.Awaits;
using Dump.Clr.Blocking;
using Dump.Clr.Frames;
using Dump.Clr.Locks;
using Dump.Clr.Runtimes;
using Dump.Clr.Tasks;
using Dump.Clr.Waits;
using Dump.Model.Facts;
using Dump.Model.Process;
using Dump.Model.Text;
using Dump.Model.Waits;

namespace Dump.Clr;

/// <summary>Waits of all managed threads, and the holders of what they wait for.</summary>
internal sealed class ThreadWaits
{
    private readonly Dictionary<uint, WaitCall> _waits = [];
    private readonly HashSet<uint> _recorded = [];
    private readonly HashSet<uint> _idleWorkers = [];
    private readonly List<FoundWait> _found = [];
    private readonly WaitersAndOwners _results;
    private readonly List<uint> _unidentified = [];
    private readonly HashSet<uint> _collectionWaiters = [];
    private readonly ClrTarget _target;
    private readonly ManagedThreadObjects _objects;
    private readonly IReadOnlyDictionary<uint, ManagedThread> _stacks;
    private readonly ClrReadOptions _options;
    private readonly GarbageCollection _collection;
    private readonly ManagedPlaces _places;
    private int _contradictions;

    private ThreadWaits(
        ClrTarget target, WaitersAndOwners results, ManagedThreadObjects objects, IReadOnlyDictionary<uint, ManagedThread> stacks, ClrReadOptions options,
        NativeWaits native, ManagedPlaces places)
    {
        (_target, _results, _objects, _stacks, _options, _places) = (target, results, objects, stacks, options, places);
        _collection = new GarbageCollection(target.Runtime, native, stacks);
    }

    /// <summary>The facts.</summary>
    public WaitersAndOwners Results => _results;

    /// <summary>Threads that wait for something unknown, or for a lock of which it is not known whether its owner lives.</summary>
    public IEnumerable<uint> Unclear => _unidentified.Concat(UnknownOwners.SelectMany(o => o.Waiters)).Distinct();

    /// <summary>Threads that wait for the end of a garbage collection that is carried out.</summary>
    public IReadOnlyCollection<uint> CollectionWaiters => _collectionWaiters;

    /// <summary>What could not be read.</summary>
    public IEnumerable<MissingData> Missing
    {
        get
        {
            ManagedThread[] unidentified = [.. _unidentified.Where(t => !_options.SeenBefore.Contains(t)).Select(t => _stacks[t])];
            if (unidentified.Length > 0)
            {
                yield return UnidentifiedWaits.Missing(unidentified, UnidentifiedWaits.HasAllMemory(_target), _target.Family);
            }

            int unknownOwners = UnknownOwners.Sum(o => o.Owners);
            if (unknownOwners > 0)
            {
                yield return MissingData.Of(MissingKind.ManagedLockOwners, unknownOwners);
            }

            int contradictions = _contradictions + _results.Contradictions;
            if (contradictions > 0)
            {
                yield return MissingData.Of(MissingKind.Agreement, contradictions);
            }
        }
    }

    /// <summary>Reads what each managed thread waits for, and compares what its frames, the objects and the runtime's own records say.</summary>
    /// <param name="target">The runtime.</param>
    /// <param name="threads">Its threads.</param>
    /// <param name="objects">Their objects.</param>
    /// <param name="stacks">Their stacks.</param>
    /// <param name="native">The native half.</param>
    /// <param name="places">Knows the methods' places in the code.</param>
    /// <param name="options">What earlier looks at a living process showed.</param>
    public static ThreadWaits Read(
        ClrTarget target, ManagedThreads threads, ManagedThreadObjects objects, IReadOnlyCollection<ManagedThread> stacks, NativeWaits native,
        ManagedPlaces places, ClrReadOptions options)
    {
        Lazy<SyncBlocks> blocks = new(() => new SyncBlocks(target), LazyThreadSafetyMode.PublicationOnly);
        BlockingRecords records = BlockingRecords.Read(target, threads, blocks, options.Gate);
        TypeInitializers initializers = new(target.Target.DataReader, stacks);
        Dictionary<uint, ManagedThread> byId = stacks.ToDictionary(t => t.Id);
        WaitersAndOwners results = new(new LockReader(target, blocks, threads, byId, native.Standing), records, initializers);
        ThreadWaits waits = new(target, results, objects, byId, options, native, places);
        foreach (ManagedThread thread in stacks)
        {
            if (ThreadPoolReader.IsIdleNativeWorker(thread, target))
            {
                waits._idleWorkers.Add(thread.Id);
                continue;
            }

            waits.Find(target, thread, native, initializers, [.. records.Of(thread.Id)]);
        }

        waits._results.Add(waits._found, new TaskWaitReader(target.Runtime, objects, places), byId);
        return waits;
    }

    /// <summary>Owners that are unknown, and that threads wait for which have not just come.</summary>
    private IEnumerable<(int Owners, ImmutableArray<uint> Waiters)> UnknownOwners => _results.UnknownOwners.Where(o => !o.Waiters.All(HasJustBegun));

    /// <summary>
    /// True for a wait of a living process that was another one, or none, at an earlier stop. A lock that names nobody while such threads alone wait for it is
    /// just being entered or left, which takes as long as a collection: the waiters of one whose owner has ended stay where they are.
    /// </summary>
    private bool HasJustBegun(uint thread) => _options.SeenBefore.Contains(thread) || _options.MovedOn.Contains(thread);

    /// <summary>What a thread does by both halves: the wait of the class library tells an idle pool thread and a sleep from other waits.</summary>
    public ThreadActivity ActivityOf(ThreadSnapshot thread)
    {
        if (_idleWorkers.Contains(thread.Id))
        {
            return new ThreadActivity(ThreadActivityKind.Idle, thread.Activity.SystemCall,
                [new Evidence(EvidenceSource.Runtime, "worker of the runtime's thread pool without a managed frame"), .. thread.Activity.Evidence]);
        }

        if (_collectionWaiters.Contains(thread.Id))
        {
            return new ThreadActivity(ThreadActivityKind.Waiting, thread.Activity.SystemCall,
                [new Evidence(EvidenceSource.Runtime, "inside of the runtime while a garbage collection is under way"), .. thread.Activity.Evidence]);
        }

        if (!_waits.TryGetValue(thread.Id, out WaitCall? wait))
        {
            return _recorded.Contains(thread.Id) ? thread.Activity with { Kind = ThreadActivityKind.Waiting } : thread.Activity;
        }

        ThreadActivityKind kind = wait.Function.Kind switch
        {
            ManagedWaitKind.Work => ThreadActivityKind.Idle,
            ManagedWaitKind.Sleep => ThreadActivityKind.Sleeping,
            ManagedWaitKind.Spin or ManagedWaitKind.SpinLock => ThreadActivityKind.Yielding,
            _ => ThreadActivityKind.Waiting,
        };
        return new ThreadActivity(kind, thread.Activity.SystemCall,
            [new Evidence(EvidenceSource.Stack, $"{wait.Text()} innermost"), .. thread.Activity.Evidence]);
    }

    /// <summary>The event of a wait the native half knows better, but not that a timer signals it, whose callback another thread runs.</summary>
    private void AddTimer(ManagedThread thread, WaitCall wait, NativeWaits native)
    {
        if (wait.Function.Kind == ManagedWaitKind.Handle && _results.RunsTimers)
        {
            _found.AddRange(WaitTargets.Find(thread, wait, _objects, _ => false).Select(_results.OfTimer).Where(t => t.Resource.Kind == ResourceKind.ManagedCallback)
                .Select(t => new FoundWait(WaitFacts.Make(thread, wait, t, null, native), t)));
        }
    }

    /// <summary>The runtime's own lock of a class constructor, which the native half knows as any mutex.</summary>
    private void Describe(ManagedThread thread, WaitCall wait, NativeWaits native, TypeInitializers initializers)
    {
        if (wait.Function.Kind == ManagedWaitKind.TypeInitializer && native.LockOf(thread.Id) is { } mutex
            && initializers.Find(thread, wait, native.Thread(thread.Id)?.Stack.Frames.Select(f => (ulong?)f.StackPointer).FirstOrDefault()) is [{ Name: { } type }])
        {
            _results.Describe(mutex, new ResourceDescription($"the class constructor of {type}", null));
        }
    }

    /// <summary>True for a thread in SemaphoreSlim.Wait whose caller, a method of the program, releases the semaphore itself.</summary>
    private bool IsForTurn(ManagedThread thread)
    {
        int called = thread.Code.ToList().FindLastIndex(f => f is { IsCoreLibrary: true, TypeName: "System.Threading.SemaphoreSlim", MethodName: "Wait" });
        return called >= 0 && called + 1 < thread.Code.Count && thread.Code[called + 1] is { TypeName: { } type } caller && MethodOrigins.IsOfProgram(type)
            && thread.Code.Take(called).All(f => f.TypeName?.StartsWith("System.Threading.", StringComparison.Ordinal) == true)
            && _places.Of(caller, isReturn: true) is { } place && _places.TurnsOf(place)?.Any == true;
    }

    private void Find(ClrTarget target, ManagedThread thread, NativeWaits native, TypeInitializers initializers, BlockingRecord[] records)
    {
        ThreadSnapshot? half = native.Thread(thread.Id);
        WaitCall? wait = WaitCall.Find(thread) is { } call && (call.Function.Kind != ManagedWaitKind.Suspension || _results.HoldsUpCollections) ? call : null;
        if (half?.Activity.Kind == ThreadActivityKind.Running
            && wait is not { Function.Kind: ManagedWaitKind.Spin or ManagedWaitKind.SpinLock or ManagedWaitKind.Callback })
        {
            // A thread that executes code outside of the kernel is at most about to wait, unless it polls.
            return;
        }

        if (wait is not null)
        {
            _waits[thread.Id] = wait;
        }

        if (wait is not null && SleepTargets.Endless(thread, wait, native) is { } sleep)
        {
            _found.Add(sleep);
        }

        if (wait?.Function.Kind is ManagedWaitKind.Work or ManagedWaitKind.Sleep or ManagedWaitKind.Spin)
        {
            return;
        }

        if (wait is not null && native.IsKnownBetter(thread.Id, wait.Function.Kind))
        {
            AddTimer(thread, wait, native);
            Describe(thread, wait, native, initializers);
            return;
        }

        IReadOnlyList<WaitTarget> byFrames = wait is { Function.Kind: not ManagedWaitKind.TypeInitializer }
            ? [.. WaitTargets.Find(thread, wait, _objects, task => _results.Runs(thread.Id, task)).Select(_results.OfTimer).Select(_results.Named)]
            : [];
        CheckedTargets targets = BlockingCheck.Of(wait?.Function.Kind, byFrames, records, at => TypeNames.OfObject(target.Runtime.Heap.GetObject(at)));
        _contradictions += targets.Contradict ? 1 : 0;
        bool blocksWithoutEnd = thread.Code.FirstOrDefault(f => f.Method is not null) is { } innermost
            && native.BlocksUnnamed(thread.Id, innermost.StackPointer);
        if (targets.Targets.Count == 0 && (wait is { Function.Kind: ManagedWaitKind.TypeInitializer } || (wait is null && blocksWithoutEnd)))
        {
            targets = targets with { Targets = initializers.Find(thread, wait, half?.Stack.Frames.Select(f => (ulong?)f.StackPointer).FirstOrDefault()) };
        }

        if (wait is null && targets.Targets.Count > 0)
        {
            _recorded.Add(thread.Id);
        }

        bool isForTurn = wait is not null && IsForTurn(thread);
        _found.AddRange(targets.Targets.Select(t => new FoundWait(WaitFacts.Make(thread, wait, t, targets.Milliseconds, native) with { IsForTurn = isForTurn },
            t) { Mode = wait?.Mode ?? ReaderWriterLockMode.Write }));

        // Managed code that blocks in the kernel through something that is not known here: its own native code, or a wait of another runtime version.
        bool isOpen = wait is null
            ? blocksWithoutEnd
            : wait.Function.Kind is not (ManagedWaitKind.Signal or ManagedWaitKind.MonitorWait or ManagedWaitKind.AnyTask or ManagedWaitKind.AnyHandle);
        if (!isOpen || targets.Contradict || targets.Targets.Any(t => t.Grade > Grade.Suspected))
        {
            return;
        }

        if (wait is null && _collection.IsWaitedFor(thread))
        {
            _collectionWaiters.Add(thread.Id);
        }
        else if (!(_options.MovedOn.Contains(thread.Id) && native.WaitsWithoutEnd(thread.Id)))
        {
            _unidentified.Add(thread.Id);
        }
    }
}
