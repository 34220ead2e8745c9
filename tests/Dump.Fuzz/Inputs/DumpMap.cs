using System.Buffers.Binary;

namespace Dump.Fuzz.Inputs;

/// <summary>Where the structures of a sound minidump lie, by constants of its own: those of minidumpapiset.h, not those of the reader under test.</summary>
internal sealed class DumpMap
{
    private const int HeaderSize = 32;
    private const int EntrySize = 12;
    private const int MaximumElements = 12;

    // For each stream type: where the list's count stands, where its first element does, the element's size, places of further counts and sizes in the stream,
    // and of such in each element.
    private static readonly Dictionary<uint, (int Count, int First, int Element, int[] Fields, int[] ElementFields)> s_lists = new()
    {
        [3] = (0, 4, 48, [], [0x20, 0x28]),
        [4] = (0, 4, 108, [], [0x08, 0x4C, 0x54]),
        [5] = (0, 4, 16, [], [0x08]),
        [6] = (0x20, 0x28, 8, [0xA0], []),
        [8] = (0, 4, 64, [], [0x20, 0x28, 0x38]),
        [9] = (0, 16, 16, [4], [0x08, 0x0C]),
        [12] = (8, 16, 40, [0, 4], []),
        [13] = (0x10, 24, 32 + 0x18 + 2 * 12, [0, 4, 8, 0xC, 0x14], [0x18, 0x1C]),
        [14] = (8, 12, 24, [0, 4], [8]),
        [15] = (0, 24, 4, [], []),
        [16] = (8, 16, 48, [0, 4, 12], []),
        [17] = (8, 12, 64, [0, 4], []),
        [24] = (0, 4, 12, [], []),
    };

    // For each stream type: places in an element of the 32-bit file offsets of counted strings, and of records whose own size stands 8 bytes behind their
    // beginning.
    private static readonly Dictionary<uint, (int[] Strings, int[] Records)> s_references = new()
    {
        [4] = ([0x14], []),
        [12] = ([8, 12], [32]),
        [14] = ([20], []),
        [24] = ([4], []),
    };

    private readonly byte[] _bytes;
    private readonly SortedSet<int> _boundaries = [];
    private readonly SortedSet<int> _counts = [];

    public DumpMap(byte[] bytes)
    {
        _bytes = bytes;
        int directory = (int)UInt32(12);
        _boundaries.UnionWith([0, 1, 4, 8, 12, 16, HeaderSize - 1, HeaderSize]);
        _counts.Add(8);
        for (int i = 0; i < UInt32(8); i++)
        {
            int entry = directory + i * EntrySize;
            _boundaries.UnionWith([entry, entry + 4, entry + 8, entry + EntrySize]);
            _counts.Add(entry + 4);
            AddStream(UInt32(entry), (int)UInt32(entry + 8), (int)UInt32(entry + 4));
        }

        _boundaries.RemoveWhere(at => at >= bytes.Length);
        _counts.RemoveWhere(at => at > bytes.Length - sizeof(uint));
    }

    /// <summary>File offsets at which a structure begins or ends, and some inside of structures.</summary>
    public IReadOnlyCollection<int> Boundaries => _boundaries;

    /// <summary>File offsets of 32-bit counts and sizes (of 64-bit ones: of both halves).</summary>
    public IReadOnlyCollection<int> Counts => _counts;

    private void AddStream(uint type, int start, int size)
    {
        if (type == 0)
        {
            return;
        }

        _boundaries.UnionWith([Math.Max(0, start - 1), start, start + 1, start + 4, start + size / 2, start + size - 1, start + size]);
        if (!s_lists.TryGetValue(type, out (int Count, int First, int Element, int[] Fields, int[] ElementFields) list))
        {
            return;
        }

        _counts.Add(start + list.Count);
        _counts.UnionWith(list.Fields.Select(field => start + field));
        int elements = (size - list.First) / list.Element;
        for (int i = 0; i < Math.Min(elements, MaximumElements); i++)
        {
            int element = start + list.First + i * list.Element;
            _boundaries.UnionWith([element, element + list.Element / 2, element + list.Element]);
            _counts.UnionWith(list.ElementFields.Select(field => element + field));
            AddReferences(type, element);
        }
    }

    private void AddReferences(uint type, int element)
    {
        if (!s_references.TryGetValue(type, out (int[] Strings, int[] Records) references))
        {
            return;
        }

        foreach (int place in references.Strings.Concat(references.Records))
        {
            int target = (int)UInt32(element + place);
            if (target != 0)
            {
                _counts.Add(references.Records.Contains(place) ? target + 8 : target);
                _boundaries.UnionWith([target, target + 4, target + 5]);
            }
        }
    }

    private uint UInt32(int offset) => BinaryPrimitives.ReadUInt32LittleEndian(_bytes.AsSpan(offset));
}
