using System.Buffers.Binary;

namespace Dump.Readers.Unwinding.Dwarf;

/// <summary>Reads numbers one after the other from bytes that are not trusted: behind their end everything is zero and <see cref="IsBroken"/> is set.</summary>
internal ref struct DwarfReader(ReadOnlySpan<byte> bytes, ulong address)
{
    private readonly ReadOnlySpan<byte> _bytes = bytes;

    /// <summary>How many bytes have been read.</summary>
    public int Position { get; private set; }

    /// <summary>True once more was read than there is.</summary>
    public bool IsBroken { get; private set; }

    /// <summary>True at the end.</summary>
    public readonly bool IsAtEnd => IsBroken || Position >= _bytes.Length;

    /// <summary>Address of the next byte in the process.</summary>
    public readonly ulong Address => unchecked(address + (ulong)Position);

    public byte Byte() => Take(1) is [var value] ? value : (byte)0;

    public ushort UInt16() => Take(2) is { Length: 2 } two ? BinaryPrimitives.ReadUInt16LittleEndian(two) : (ushort)0;

    public uint UInt32() => Take(4) is { Length: 4 } four ? BinaryPrimitives.ReadUInt32LittleEndian(four) : 0;

    public ulong UInt64() => Take(8) is { Length: 8 } eight ? BinaryPrimitives.ReadUInt64LittleEndian(eight) : 0;

    public ReadOnlySpan<byte> Take(int count)
    {
        if (count < 0 || count > _bytes.Length - Position)
        {
            IsBroken = true;
            return default;
        }

        ReadOnlySpan<byte> taken = _bytes.Slice(Position, count);
        Position += count;
        return taken;
    }

    /// <summary>An unsigned LEB128 number; what goes beyond 64 bits is lost.</summary>
    public ulong Unsigned()
    {
        ulong value = 0;
        for (int shift = 0; !IsBroken; shift += 7)
        {
            byte next = Byte();
            value |= shift < 64 ? (ulong)(next & 0x7F) << shift : 0;
            if ((next & 0x80) == 0)
            {
                break;
            }
        }

        return value;
    }

    /// <summary>A signed LEB128 number.</summary>
    public long Signed()
    {
        long value = 0;
        for (int shift = 0; !IsBroken; shift += 7)
        {
            byte next = Byte();
            value |= shift < 64 ? (long)(next & 0x7F) << shift : 0;
            if ((next & 0x80) == 0)
            {
                return shift + 7 < 64 && (next & 0x40) != 0 ? value | (-1L << (shift + 7)) : value;
            }
        }

        return value;
    }

    /// <summary>A text that ends in a zero.</summary>
    public ReadOnlySpan<byte> Text()
    {
        int end = _bytes[Math.Min(Position, _bytes.Length)..].IndexOf((byte)0);
        ReadOnlySpan<byte> text = Take(end);
        Take(1);
        return text;
    }

    /// <summary>A pointer in an encoding, or null where it is left out, has an unknown encoding, or stands behind the end.</summary>
    /// <param name="encoding">The encoding; an indirection is not followed.</param>
    /// <param name="table">What distances from the table are distances from.</param>
    public ulong? Pointer(byte encoding, ulong table = 0)
    {
        if (encoding == DwarfLayout.Omitted)
        {
            return null;
        }

        ulong place = Address;
        ulong? value = (encoding & DwarfLayout.FormatMask) switch
        {
            DwarfLayout.Absolute or DwarfLayout.Unsigned8 or DwarfLayout.Signed8 => UInt64(),
            DwarfLayout.Unsigned128 => Unsigned(),
            DwarfLayout.Unsigned2 => UInt16(),
            DwarfLayout.Unsigned4 => UInt32(),
            DwarfLayout.Signed128 => (ulong)Signed(),
            DwarfLayout.Signed2 => (ulong)(short)UInt16(),
            DwarfLayout.Signed4 => (ulong)(int)UInt32(),
            _ => null,
        };
        ulong? origin = (encoding & DwarfLayout.RelationMask) switch
        {
            0 => 0,
            DwarfLayout.RelativeToPlace => place,
            DwarfLayout.RelativeToTable => table,
            _ => null,
        };
        return IsBroken || value is null || origin is null ? null : unchecked(value.Value + origin.Value);
    }
}
