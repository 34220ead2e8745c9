using System.Buffers.Binary;
using Dump.Clr.Heap;
using Dump.Readers;

namespace Dump.Clr.Tests;

/// <summary>A heap made by hand: memory by pages of objects, and the types that are in it.</summary>
internal sealed class SyntheticHeap : IMemory, IHeapTypes
{
    /// <summary>An object of 24 bytes.</summary>
    public const ulong Plain = 0x10000;

    /// <summary>Elements of 4 bytes each, 24 bytes without them.</summary>
    public const ulong Numbers = 0x10100;

    /// <summary>A string: 22 bytes and 2 for each character.</summary>
    public const ulong Text = 0x10200;

    /// <summary>A free block.</summary>
    public const ulong Free = 0x10300;

    /// <summary>24 bytes, wanted by the visitor.</summary>
    public const ulong Wanted = 0x10400;

    private readonly SortedDictionary<ulong, byte[]> _ranges = [];

    public SyntheticHeap()
    {
        Type(Plain, 0, 24);
        Type(Numbers, 0x8000_0004, 24);
        Type(Text, 0x8000_0002, 22);
        Type(Free, 0x8000_0001, 24);
        Type(Wanted, 0, 24);
    }

    public ulong FreeMethodTable => Free;

    /// <summary>How often each method table was asked for.</summary>
    public Dictionary<ulong, int> Asked { get; } = [];

    /// <summary>Makes the memory of a type; only those of this class resolve.</summary>
    public void Type(ulong methodTable, uint flags, uint baseSize)
    {
        byte[] bytes = new byte[8];
        BinaryPrimitives.WriteUInt32LittleEndian(bytes, flags);
        BinaryPrimitives.WriteUInt32LittleEndian(bytes.AsSpan(4), baseSize);
        _ranges[methodTable] = bytes;
    }

    /// <summary>Puts words at an address.</summary>
    public void Words(ulong address, params ulong[] words)
    {
        byte[] bytes = new byte[words.Length * 8];
        Buffer.BlockCopy(words, 0, bytes, 0, bytes.Length);
        _ranges[address] = bytes;
    }

    /// <summary>Puts bytes at an address.</summary>
    public void Bytes(ulong address, byte[] bytes) => _ranges[address] = bytes;

    public bool TryResolve(ulong methodTable, out object? tag)
    {
        Asked[methodTable] = Asked.GetValueOrDefault(methodTable) + 1;
        tag = methodTable == Wanted ? "wanted" : null;
        return methodTable is Plain or Numbers or Text or Free or Wanted;
    }

    public int Read(ulong address, Span<byte> destination)
    {
        foreach ((ulong start, byte[] bytes) in _ranges)
        {
            if (address >= start && address - start < (ulong)bytes.Length)
            {
                ReadOnlySpan<byte> there = bytes.AsSpan((int)(address - start));
                there[..Math.Min(there.Length, destination.Length)].CopyTo(destination);
                return Math.Min(there.Length, destination.Length);
            }
        }

        return 0;
    }
}
