namespace Dump.Readers.Unwinding.Dwarf;

/// <summary>How to unwind the frames of one function: an entry of call-frame information with what it shares with others.</summary>
/// <param name="Begin">Address of the function.</param>
/// <param name="End">Address behind its last byte.</param>
/// <param name="CodeFactor">What advances of the location are multiplied by.</param>
/// <param name="DataFactor">What distances are multiplied by.</param>
/// <param name="IsSignal">True for the frame that the kernel makes for a handler of signals: its caller stands at that instruction, not behind a call.</param>
/// <param name="Common">Instructions for the state at the function's beginning.</param>
/// <param name="Own">Its own instructions.</param>
/// <param name="OwnAddress">Where those stand.</param>
internal sealed record FrameDescription(
    ulong Begin, ulong End, ulong CodeFactor, long DataFactor, bool IsSignal, byte[] Common, byte[] Own, ulong OwnAddress)
{
    // Longer ones have not been seen: those of large generated functions have some kilobytes.
    private const uint Longest = 1 << 15;
    private const int LengthSize = 4;
    private const ulong Extended = 0xFFFF_FFFF;

    /// <summary>How the registers are numbered.</summary>
    public DwarfRegisters Registers { get; init; } = DwarfRegisters.X64;

    /// <summary>Encoding of the addresses, which stands in what is shared.</summary>
    public byte Encoding { get; init; }

    /// <summary>Reads the entry at an address of <c>.eh_frame</c>; null when there is none that is sound.</summary>
    public static FrameDescription? Read(IMemory memory, ulong address, DwarfRegisters registers)
    {
        if (Entry(memory, address) is not { } bytes)
        {
            return null;
        }

        DwarfReader reader = new(bytes, unchecked(address + LengthSize));
        ulong place = reader.Address;
        uint distance = reader.UInt32();
        if (distance == 0 || ReadCommon(memory, unchecked(place - distance), registers) is not { } common
            || reader.Pointer(common.Encoding) is not { } begin
            || reader.Pointer((byte)(common.Encoding & DwarfLayout.FormatMask)) is not { } size || size == 0)
        {
            return null;
        }

        if (common.HasAugmentation)
        {
            reader.Take((int)Math.Min(reader.Unsigned(), int.MaxValue));
        }

        ulong at = reader.Address;
        ReadOnlySpan<byte> own = reader.Take(bytes.Length - reader.Position);
        return reader.IsBroken ? null
            : new FrameDescription(
                begin, unchecked(begin + size), common.CodeFactor, common.DataFactor, common.IsSignal, common.Instructions, own.ToArray(), at)
            {
                Registers = registers,
                Encoding = common.Encoding,
            };
    }

    private static Shared? ReadCommon(IMemory memory, ulong address, DwarfRegisters registers)
    {
        if (Entry(memory, address) is not { } bytes)
        {
            return null;
        }

        DwarfReader reader = new(bytes, unchecked(address + LengthSize));
        uint id = reader.UInt32();
        byte version = reader.Byte();
        ReadOnlySpan<byte> augmentation = reader.Text();
        if (id != 0 || version is not (1 or 3) || (augmentation.Length > 0 && augmentation[0] != (byte)'z'))
        {
            return null;
        }

        ulong code = reader.Unsigned();
        long data = reader.Signed();
        ulong returns = version == 1 ? reader.Byte() : reader.Unsigned();
        byte encoding = DwarfLayout.Absolute;
        if (augmentation.Length > 0)
        {
            int length = (int)Math.Min(reader.Unsigned(), int.MaxValue);
            DwarfReader fields = new(reader.Take(length), reader.Address);
            foreach (byte letter in augmentation[1..])
            {
                switch (letter)
                {
                    case (byte)'R':
                        encoding = fields.Byte();
                        break;
                    case (byte)'P':
                        fields.Pointer((byte)(fields.Byte() & ~DwarfLayout.Indirect));
                        break;
                    case (byte)'L':
                        fields.Byte();
                        break;
                    case (byte)'S' or (byte)'B' or (byte)'G':
                        break;
                    default:
                        return null;
                }
            }
        }

        ReadOnlySpan<byte> instructions = reader.Take(bytes.Length - reader.Position);
        return reader.IsBroken || returns != (ulong)registers.ReturnAddress ? null
            : new Shared(code, data, encoding, augmentation.Contains((byte)'S'), augmentation.Length > 0, instructions.ToArray());
    }

    /// <summary>The bytes behind the length of an entry; null for the entry that ends the section, and where they are not readable.</summary>
    private static byte[]? Entry(IMemory memory, ulong address)
    {
        if (memory.ReadUInt32(address) is not { } length || length is 0 or > Longest || length == Extended)
        {
            return null;
        }

        byte[] bytes = new byte[length];
        return memory.TryRead(unchecked(address + LengthSize), bytes) ? bytes : null;
    }

    private sealed record Shared(ulong CodeFactor, long DataFactor, byte Encoding, bool IsSignal, bool HasAugmentation, byte[] Instructions);
}
