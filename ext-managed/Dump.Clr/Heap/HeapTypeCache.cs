using System.Buffers.Binary;
using Dump.Readers;

namespace Dump.Clr.Heap;

/// <summary>
/// The types of a heap by method table: one table for all workers, behind a lock, in front of it one
/// open-addressing table for each worker, without one. A type is looked up once.
/// </summary>
internal sealed class HeapTypeCache(IMemory memory, IHeapTypes types)
{
    /// <summary>Programs have some ten thousand types; a damaged heap must not make up millions.</summary>
    private const int MostTypes = 500_000;

    private readonly Dictionary<ulong, HeapType?> _known = [];
    private readonly Lock _lock = new();

    /// <summary>How many types were met.</summary>
    public int Count
    {
        get
        {
            lock (_lock)
            {
                return _known.Values.Count(t => t is not null);
            }
        }
    }

    /// <summary>The type of a method table, or null when there is none at that address.</summary>
    public HeapType? Find(ulong methodTable)
    {
        lock (_lock)
        {
            if (!_known.TryGetValue(methodTable, out HeapType? type) && _known.Count < MostTypes)
            {
                _known.Add(methodTable, type = Read(methodTable));
            }

            return type;
        }
    }

    private HeapType? Read(ulong methodTable)
    {
        const uint LargestBase = 1 << 30;
        Span<byte> head = stackalloc byte[8];
        if (!memory.TryRead(methodTable, head))
        {
            return null;
        }

        uint flags = BinaryPrimitives.ReadUInt32LittleEndian(head);
        uint baseSize = BinaryPrimitives.ReadUInt32LittleEndian(head[MethodTableLayout.BaseSize..]);
        uint elementSize = (flags & MethodTableLayout.HasComponentSize) != 0 ? flags & MethodTableLayout.ComponentSizeMask : 0;
        object? tag = null;
        bool isFree = methodTable == types.FreeMethodTable;
        return baseSize is >= 16 and < LargestBase && (isFree || types.TryResolve(methodTable, out tag))
            ? new HeapType(methodTable, baseSize, isFree ? 1 : elementSize, isFree, tag)
            : null;
    }
}
