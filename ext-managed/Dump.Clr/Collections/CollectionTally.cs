using System.Collections.Immutable;
using Dump.Clr.Heap;
using Dump.Model.Collections;

namespace Dump.Clr.Collections;

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
