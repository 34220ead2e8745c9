using System.Buffers.Binary;
using Dump.Clr.Heap;

namespace Dump.Clr.Collections;

/// <summary>An array in target memory. Small ones are read at once; of large ones a block at a time, or for access in no order an element at a time.</summary>
internal sealed class TargetArray
{
    private const int BlockSize = 64 * 1024;
    private readonly CollectionMemory _memory;
    private readonly bool _isSequential;
    private byte[] _block = [];
    private long _start;
    private int _held;

    private TargetArray(CollectionMemory memory, ulong address, ulong methodTable, int length, int elementSize, bool isSequential)
    {
        _memory = memory;
        Address = address;
        MethodTable = methodTable;
        Length = length;
        ElementSize = elementSize;
        _isSequential = isSequential;
    }

    /// <summary>Address of the array object.</summary>
    public ulong Address { get; }

    /// <summary>Its method table.</summary>
    public ulong MethodTable { get; }

    /// <summary>Number of elements.</summary>
    public int Length { get; }

    /// <summary>Size of an element in bytes, more than 0.</summary>
    public int ElementSize { get; }

    /// <summary>Opens an array.</summary>
    /// <param name="memory">Memory.</param>
    /// <param name="address">The array object.</param>
    /// <param name="isSequential">True when elements are read in their order.</param>
    /// <exception cref="MissingMemoryException">It is not in the dump, is no array, or is too long.</exception>
    public static TargetArray Open(CollectionMemory memory, ulong address, bool isSequential)
    {
        const int MostElements = 50_000_000;
        const int LargestElement = 4_096;
        Span<byte> head = stackalloc byte[MethodTableLayout.ArrayData];
        memory.Fill(address, head);
        ulong methodTable = BinaryPrimitives.ReadUInt64LittleEndian(head) & MethodTableLayout.PointerMask;
        uint length = BinaryPrimitives.ReadUInt32LittleEndian(head[MethodTableLayout.Length..]);
        uint flags = (uint)memory.Int32(methodTable + MethodTableLayout.Flags);
        int elementSize = (flags & MethodTableLayout.HasComponentSize) != 0 ? (int)(flags & MethodTableLayout.ComponentSizeMask) : 0;
        if (elementSize is <= 0 or > LargestElement || length > MostElements)
        {
            throw new MissingMemoryException($"there is no usable array at 0x{address:x}");
        }

        return new TargetArray(memory, address, methodTable, (int)length, elementSize, isSequential);
    }

    /// <summary>Address of an element.</summary>
    public ulong AddressOf(int index) => Address + MethodTableLayout.ArrayData + (ulong)index * (ulong)ElementSize;

    /// <summary>Reads a value inside of an element.</summary>
    /// <param name="index">Index, less than <see cref="Length"/>.</param>
    /// <param name="offset">Offset in the element; value and offset must lie inside of it.</param>
    public int Int32(int index, int offset) => BinaryPrimitives.ReadInt32LittleEndian(Element(index)[offset..]);

    /// <summary>Reads a value inside of an element.</summary>
    public ulong Pointer(int index, int offset) => BinaryPrimitives.ReadUInt64LittleEndian(Element(index)[offset..]);

    private ReadOnlySpan<byte> Element(int index)
    {
        long at = (long)index * ElementSize;
        if (at < _start || at + ElementSize > _start + _held)
        {
            Load(at);
        }

        return _block.AsSpan((int)(at - _start), ElementSize);
    }

    private void Load(long at)
    {
        long total = (long)Length * ElementSize;
        bool isWhole = total <= BlockSize;
        long start = isWhole ? 0 : at;
        int size = isWhole ? (int)total : _isSequential ? (int)Math.Min(BlockSize, total - at) : ElementSize;
        if (_block.Length < size)
        {
            _block = new byte[size];
        }

        _held = 0;
        _memory.Fill(Address + MethodTableLayout.ArrayData + (ulong)start, _block.AsSpan(0, size));
        _start = start;
        _held = size;
    }
}
