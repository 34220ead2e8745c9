namespace Dump.Clr.Heap;

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
