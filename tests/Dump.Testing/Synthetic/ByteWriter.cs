using System.Buffers.Binary;
using System.Text;

namespace Dump.Testing.Synthetic;

/// <summary>A growing little-endian buffer whose values can be patched later.</summary>
public sealed class ByteWriter
{
    private readonly List<byte> _bytes = [];

    /// <summary>Number of bytes written.</summary>
    public int Length => _bytes.Count;

    /// <summary>Appends bytes.</summary>
    public ByteWriter Bytes(params ReadOnlySpan<byte> bytes)
    {
        foreach (byte value in bytes)
        {
            _bytes.Add(value);
        }

        return this;
    }

    /// <summary>Appends a 16-bit value.</summary>
    public ByteWriter UInt16(int value) => Bytes((byte)value, (byte)(value >> 8));

    /// <summary>Appends a 32-bit value.</summary>
    public ByteWriter UInt32(long value) => UInt16((ushort)value).UInt16((ushort)(value >> 16));

    /// <summary>Appends a 64-bit value.</summary>
    public ByteWriter UInt64(ulong value) => UInt32((uint)value).UInt32((uint)(value >> 32));

    /// <summary>Appends zeros up to a length.</summary>
    public ByteWriter PadTo(int length)
    {
        while (_bytes.Count < length)
        {
            _bytes.Add(0);
        }

        return this;
    }

    /// <summary>Appends a counted UTF-16 string as minidumps have them and returns where it begins.</summary>
    public int CountedString(string text)
    {
        int at = Length;
        byte[] bytes = Encoding.Unicode.GetBytes(text);
        UInt32(bytes.Length).Bytes(bytes).UInt16(0);
        return at;
    }

    /// <summary>Overwrites a 32-bit value.</summary>
    public void Patch(int offset, uint value)
    {
        Span<byte> bytes = stackalloc byte[sizeof(uint)];
        BinaryPrimitives.WriteUInt32LittleEndian(bytes, value);
        for (int i = 0; i < bytes.Length; i++)
        {
            _bytes[offset + i] = bytes[i];
        }
    }

    /// <summary>The bytes.</summary>
    public byte[] ToArray() => [.. _bytes];
}
