using System.Buffers.Binary;
using Dump.Readers;

namespace Dump.Clr.Heap;

/// <summary>What a walk needs to know of a type.</summary>
/// <param name="MethodTable">Its method table.</param>
/// <param name="BaseSize">Size of an object without elements, bytes.</param>
/// <param name="ElementSize">Size of an element, 0 for types without elements.</param>
/// <param name="IsFree">True for free blocks, whose length has 64 bits.</param>
/// <param name="Tag">What the visitor attached to the type, or null when it does not want to see its objects.</param>
internal sealed record HeapType(ulong MethodTable, uint BaseSize, uint ElementSize, bool IsFree, object? Tag);

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

/// <summary>One worker's types: open addressing over method tables, a power of two in size, at most half full. Not safe for concurrent use.</summary>
internal sealed class HeapTypeTable(HeapTypeCache shared)
{
    private const ulong Multiplier = 0x9E37_79B9_7F4A_7C15;
    private Slot[] _slots = new Slot[1 << 10];
    private int _shift = 64 - 10;
    private int _count;

    /// <summary>The type of a method table, or null when there is none. Absent ones are remembered too.</summary>
    public ref readonly Slot Find(ulong methodTable)
    {
        Slot[] slots = _slots;
        int index = (int)((methodTable * Multiplier) >> _shift);
        while (true)
        {
            ref Slot slot = ref slots[index];
            if (slot.MethodTable == methodTable)
            {
                return ref slot;
            }

            if (slot.MethodTable == 0)
            {
                return ref Add(methodTable);
            }

            index = (index + 1) & (slots.Length - 1);
        }
    }

    private ref Slot Add(ulong methodTable)
    {
        if (_count * 2 >= _slots.Length)
        {
            Grow();
        }

        _count++;
        HeapType? type = shared.Find(methodTable);
        ref Slot slot = ref Place(methodTable);
        slot = type is null
            ? new Slot(methodTable, 0, 0, null)
            : new Slot(methodTable, type.ElementSize == 0 ? Aligned(type.BaseSize) : type.BaseSize, type.ElementSize,
                type.Tag is null && !type.IsFree ? null : type);
        return ref slot;
    }

    private static uint Aligned(uint size) =>
        Math.Max((size + ((uint)MethodTableLayout.Alignment - 1)) & ~((uint)MethodTableLayout.Alignment - 1), (uint)MethodTableLayout.SmallestObject);

    private void Grow()
    {
        Slot[] old = _slots;
        _slots = new Slot[old.Length * 2];
        _shift--;
        foreach (Slot slot in old)
        {
            if (slot.MethodTable != 0)
            {
                Place(slot.MethodTable) = slot;
            }
        }
    }

    private ref Slot Place(ulong methodTable)
    {
        int index = (int)((methodTable * Multiplier) >> _shift);
        while (_slots[index].MethodTable != 0)
        {
            index = (index + 1) & (_slots.Length - 1);
        }

        return ref _slots[index];
    }

    /// <summary>A method table with what the walk needs of it.</summary>
    /// <param name="MethodTable">The method table; 0 in an empty slot.</param>
    /// <param name="BaseSize">Size of an object without elements, rounded up for types that have none; 0 when there is no such type.</param>
    /// <param name="ElementSize">Size of an element.</param>
    /// <param name="Special">The type, when it is that of free blocks or has a tag; else null.</param>
    internal readonly record struct Slot(ulong MethodTable, uint BaseSize, uint ElementSize, HeapType? Special);
}
