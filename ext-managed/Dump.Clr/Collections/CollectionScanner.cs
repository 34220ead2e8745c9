using System.Collections.Immutable;
using Dump.Clr.Frames;
using Dump.Clr.Heap;
using Dump.Model.Collections;
using Dump.Model.Managed;
using Dump.Model.Text;
using Dump.Readers;
using Microsoft.Diagnostics.Runtime;

namespace Dump.Clr.Collections;

/// <summary>Looks for broken collections: among those that stacks refer to, in the whole heap, or at one address.</summary>
internal sealed class CollectionScanner
{
    private const int MostFindings = 1_000;
    private const int MostExamples = 20;
    private const long FewSteps = 500_000_000;
    private readonly ClrRuntime _runtime;
    private readonly IMemory _memory;
    private readonly CollectionTypes _types;
    private readonly CollectionUses _uses;
    private readonly CancellationToken _cancellation;

    /// <summary>Prepares a search; reads the uses of collections by threads.</summary>
    /// <param name="runtime">The runtime.</param>
    /// <param name="memory">Memory of the process; null to read through the runtime's reader.</param>
    /// <param name="threads">Threads with their stacks.</param>
    /// <param name="onFault">Called for each type on which the data-access library fails; null where nobody asks.</param>
    /// <param name="cancellation">Ends the search.</param>
    public CollectionScanner(
        ClrRuntime runtime, IMemory? memory, IEnumerable<ManagedThread> threads, Action? onFault, CancellationToken cancellation)
    {
        _runtime = runtime;
        _memory = memory ?? new ClrMemory(runtime.DataTarget.DataReader);
        _types = new CollectionTypes(runtime, onFault);
        _cancellation = cancellation;
        _uses = CollectionUses.Read(threads, _types, Checks(FewSteps));
    }

    /// <summary>Collections with threads inside of them.</summary>
    public ImmutableArray<CollectionUse> Uses => _uses.WithThreadsInside;

    /// <summary>Checks what was asked for.</summary>
    /// <param name="request">What to check.</param>
    /// <param name="progress">Receives what is being done.</param>
    /// <exception cref="OperationCanceledException">The search was ended.</exception>
    public CollectionScan Scan(CollectionRequest request, IProgress<string>? progress)
    {
        IReadOnlyList<HeapSegment> segments = ClrHeapSegments.Read(_runtime.Heap);
        CollectionScan scan = new()
        {
            Scope = request.Scope,
            RuntimeVersion = RuntimeVersion.Of(_runtime),
            UnlocatedThreads = [.. _uses.Unlocated],
            HasUnreadStacks = _uses.HasUnreadStacks,
            HeapIsPresent = ClrHeapSegments.ArePresent(_memory, segments),
        };
        return request.Scope switch
        {
            CollectionScope.Heap => ScanHeap(scan, segments, progress),
            CollectionScope.Object => ScanObject(scan, request.Address),
            _ => ScanUses(scan),
        };
    }

    private CollectionScan ScanUses(CollectionScan scan)
    {
        CollectionTally tally = new(Checks(FewSteps));
        foreach (CollectionUses.Use use in _uses.All)
        {
            tally.Check(use.Address, use.Layout);
        }

        return Sum(scan, [tally]);
    }

    private CollectionScan ScanObject(CollectionScan scan, ulong address)
    {
        ClrObject target = _runtime.Heap.GetObject(address);
        if (target.Type is not { } type)
        {
            return scan with { Refusal = $"there is no object at 0x{address:x}" };
        }

        string name = SafeText.Clean(type.Name ?? "?", 512);
        if (_types.LayoutOf(type) is not { } layout)
        {
            string checkable = CollectionKinds.Names(last: ", ");
            return scan with { Refusal = $"0x{address:x} is a {name}, which is no collection that can be checked ({checkable})" };
        }

        CollectionTally tally = new(Checks(FewSteps));
        tally.Check(address, layout);
        return Sum(scan, [tally]);
    }

    private CollectionScan ScanHeap(CollectionScan scan, IReadOnlyList<HeapSegment> segments, IProgress<string>? progress)
    {
        // Entries take 12 bytes and more, buckets 4: collections that do not share their arrays have fewer steps together than the heap has bytes.
        ulong bytes = segments.Aggregate(0UL, (sum, s) => unchecked(sum + (s.End - s.Start)));
        StepBudget budget = new((long)Math.Min(bytes, 1UL << 46) + FewSteps);
        progress?.Report("walking the managed heap");
        (HeapWalkFacts facts, ImmutableArray<CollectionTally> tallies) = HeapWalk.Run(
            _memory, segments, _types, () => new CollectionTally(new CollectionMemory(_memory, budget, _cancellation)),
            progress is null ? null : share => progress.Report($"walking the managed heap: {share * 100:0} %"), _cancellation);
        NameSets([.. tallies.SelectMany(t => t.Broken)]);
        CollectionTally nodes = new(Checks(FewSteps));
        foreach (CollectionUses.Use use in _uses.All.Where(u => u.Layout.IsOfNode))
        {
            nodes.Check(use.Address, use.Layout);
        }

        return Sum(scan with { Walk = facts }, [.. tallies, nodes]);
    }

    /// <summary>Finds out which of the broken sets those are of which threads keep a node only.</summary>
    private void NameSets(IReadOnlyCollection<(ulong Address, CollectionLayout Layout)> broken)
    {
        if (!_uses.All.Any(u => u.Layout.IsOfNode))
        {
            return;
        }

        CollectionMemory memory = Checks(FewSteps);
        Dictionary<ulong, (ulong, CollectionLayout, ulong)?> sets = [];
        foreach ((ulong address, CollectionLayout layout) in broken)
        {
            try
            {
                if (layout is TreeLayout tree && tree.Cycle(memory, address) is [var first, ..])
                {
                    sets.TryAdd(first, (address, layout, layout.Storage(memory, address)));
                }
            }
            catch (MissingMemoryException)
            {
                // This one stays without threads.
            }
        }

        _uses.Name(node => sets.GetValueOrDefault(node));
    }

    private CollectionScan Sum(CollectionScan scan, ImmutableArray<CollectionTally> tallies)
    {
        (ulong Address, CollectionLayout Layout)[] broken = [.. tallies.SelectMany(t => t.Broken).OrderBy(b => b.Address)];
        ImmutableArray<CollectionFinding> findings = [.. broken.Take(MostFindings).Select(b => Finding(b.Address, b.Layout)).OfType<CollectionFinding>()];
        int lost = Math.Min(broken.Length, MostFindings) - findings.Length;
        return scan with
        {
            Met = tallies.SelectMany(t => t.Met).GroupBy(m => m.Key, m => m.Value).ToImmutableSortedDictionary(g => g.Key, g => g.Sum()),
            Sound = tallies.Sum(t => t.Sound),
            Unreadable = tallies.Sum(t => t.Unreadable) + lost,
            UnreadableExamples = [.. tallies.SelectMany(t => t.UnreadableExamples).OrderBy(u => u.Address).Take(MostExamples)],
            Findings = findings,
            FindingsLeftOut = tallies.Sum(t => t.LeftOut) + Math.Max(0, broken.Length - MostFindings),
        };
    }

    private CollectionFinding? Finding(ulong address, CollectionLayout layout)
    {
        CollectionMemory memory = Checks(FewSteps);
        CollectionState state;
        ulong storage;
        try
        {
            state = layout.Check(memory, address);
            storage = layout.Storage(memory, address);
        }
        catch (MissingMemoryException)
        {
            return null;
        }

        CollectionUses.Use? use = _uses.Of(storage);
        return new CollectionFinding(address, layout.TypeName, state.Faults, [.. use?.Inside ?? []], [.. use?.Referring ?? []], layout.LoopsForEver)
        {
            Kind = layout.Kind,
            IsKnownByNode = layout.IsOfNode,
            ThreadsChanging = [.. use?.Changing ?? []],
            MayHaveOtherUsers = _uses.MayHaveOthers(layout.Kind),
            Count = state.Count,
            Entries = Entries(state),
        };
    }

    private ImmutableArray<CollectionEntry> Entries(CollectionState state)
    {
        try
        {
            return EntryReader.Read(_runtime, state);
        }
        catch (MissingMemoryException)
        {
            return [];
        }
    }

    private CollectionMemory Checks(long steps) => new(_memory, new StepBudget(steps), _cancellation);
}

/// <summary>
/// Checks collections one after the other and counts them. What it keeps is limited; what it leaves out is
/// counted. One for each worker; not safe for concurrent use.
/// </summary>
internal sealed class CollectionTally(CollectionMemory memory) : IHeapVisitor
{
    private const int MostKept = 1_000;
    private readonly List<(ulong Address, CollectionLayout Layout)> _broken = [];
    private readonly List<UnreadableCollection> _unreadable = [];
    private readonly long[] _met = new long[Enum.GetValues<CollectionKind>().Length];

    /// <summary>How many are sound.</summary>
    public long Sound { get; private set; }

    /// <summary>How many could not be read.</summary>
    public long Unreadable { get; private set; }

    /// <summary>How many broken ones were left out.</summary>
    public long LeftOut { get; private set; }

    /// <summary>Those in which something does not fit.</summary>
    public IReadOnlyList<(ulong Address, CollectionLayout Layout)> Broken => _broken;

    /// <summary>Some that could not be read.</summary>
    public IReadOnlyList<UnreadableCollection> UnreadableExamples => _unreadable;

    /// <summary>How many were met, by kind.</summary>
    public IEnumerable<KeyValuePair<CollectionKind, long>> Met => _met.Select((n, i) => KeyValuePair.Create((CollectionKind)i, n)).Where(p => p.Value > 0);

    /// <inheritdoc/>
    public void Visit(ulong address, HeapType type) => Check(address, (CollectionLayout)type.Tag!);

    /// <summary>Checks an object.</summary>
    public void Check(ulong address, CollectionLayout layout)
    {
        _met[(int)layout.Kind]++;
        try
        {
            ImmutableArray<CollectionFault> faults = layout.Check(memory, address).Faults;
            if (faults.IsEmpty)
            {
                Sound++;
            }
            else if (_broken.Count < MostKept)
            {
                _broken.Add((address, layout));
            }
            else
            {
                LeftOut++;
            }
        }
        catch (MissingMemoryException reason)
        {
            Unreadable++;
            if (_unreadable.Count < MostKept)
            {
                _unreadable.Add(new UnreadableCollection(address, layout.TypeName, reason.Message));
            }
        }
    }
}

/// <summary>Which collections to check.</summary>
/// <param name="Scope">Which ones.</param>
/// <param name="Address">The object, for <see cref="CollectionScope.Object"/>; else ignored.</param>
public sealed record CollectionRequest(CollectionScope Scope, ulong Address = 0);

/// <summary>Memory that a check needs is not in the dump, or more of it than a sound heap can hold was asked for.</summary>
internal sealed class MissingMemoryException(string message) : Exception(message);
