using System.Buffers.Binary;

namespace Dump.Readers;

/// <summary>Reads little-endian values of target memory. All pointer-sized reads go through these methods.</summary>
public static class MemoryExtensions
{
    /// <summary>Reads exactly the length of <paramref name="destination"/>; false when any byte is missing.</summary>
    public static bool TryRead(this IMemory memory, ulong address, Span<byte> destination) =>
        memory.Read(address, destination) == destination.Length;

    /// <summary>Reads a byte, or returns null when it is missing.</summary>
    public static byte? ReadByte(this IMemory memory, ulong address)
    {
        Span<byte> bytes = stackalloc byte[1];
        return memory.TryRead(address, bytes) ? bytes[0] : null;
    }

    /// <summary>Reads a 16-bit value, or returns null when any byte is missing.</summary>
    public static ushort? ReadUInt16(this IMemory memory, ulong address)
    {
        Span<byte> bytes = stackalloc byte[sizeof(ushort)];
        return memory.TryRead(address, bytes) ? BinaryPrimitives.ReadUInt16LittleEndian(bytes) : null;
    }

    /// <summary>Reads a 32-bit value, or returns null when any byte is missing.</summary>
    public static uint? ReadUInt32(this IMemory memory, ulong address)
    {
        Span<byte> bytes = stackalloc byte[sizeof(uint)];
        return memory.TryRead(address, bytes) ? BinaryPrimitives.ReadUInt32LittleEndian(bytes) : null;
    }

    /// <summary>Reads a 64-bit value, or returns null when any byte is missing.</summary>
    public static ulong? ReadUInt64(this IMemory memory, ulong address)
    {
        Span<byte> bytes = stackalloc byte[sizeof(ulong)];
        return memory.TryRead(address, bytes) ? BinaryPrimitives.ReadUInt64LittleEndian(bytes) : null;
    }

    /// <summary>Reads an address, or returns null when any byte is missing.</summary>
    /// <param name="memory">The memory.</param>
    /// <param name="address">Where it stands.</param>
    /// <param name="pointerSize">Its size in bytes: 4 or 8.</param>
    public static ulong? ReadPointer(this IMemory memory, ulong address, int pointerSize) =>
        pointerSize == sizeof(uint) ? memory.ReadUInt32(address) : memory.ReadUInt64(address);
}
