using System.Buffers.Binary;

namespace Dump.Fuzz.Inputs;

/// <summary>The place of a number in a file.</summary>
/// <param name="Offset">Where its first byte stands.</param>
/// <param name="Size">How many bytes it has: 2, 4 or 8.</param>
/// <param name="IsBigEndian">Whether its first byte is the most significant one.</param>
internal readonly record struct Field(int Offset, int Size, bool IsBigEndian = false)
{
    /// <summary>The number in some bytes; 0 where they are too short.</summary>
    public ulong Read(ReadOnlySpan<byte> bytes)
    {
        if (Offset > bytes.Length - Size)
        {
            return 0;
        }

        ulong value = 0;
        for (int i = 0; i < Size; i++)
        {
            value |= (ulong)bytes[IsBigEndian ? Offset + Size - 1 - i : Offset + i] << (8 * i);
        }

        return value;
    }

    /// <summary>Writes the number, as far as there are bytes for it.</summary>
    public void Write(Span<byte> bytes, ulong value)
    {
        if (Offset > bytes.Length - Size)
        {
            return;
        }

        Span<byte> all = stackalloc byte[sizeof(ulong)];
        BinaryPrimitives.WriteUInt64LittleEndian(all, value);
        all = all[..Size];
        if (IsBigEndian)
        {
            all.Reverse();
        }

        all.CopyTo(bytes[Offset..]);
    }
}
