using System.Buffers.Binary;
using Dump.Readers.Registers;

namespace Dump.Readers.Pe;

/// <summary>Unwind information of one code range.</summary>
/// <param name="Version">1 or 2.</param>
/// <param name="IsChained">True when the range continues the function of another entry.</param>
/// <param name="FrameRegister">Frame register, or 0 when there is none.</param>
/// <param name="FrameOffset">Offset of the frame register from the stack pointer when it was set.</param>
/// <param name="Codes">Raw unwind codes, in the order in which the prolog's effects are to be undone.</param>
/// <param name="Chained">For chained information: the entry that it continues.</param>
internal sealed record UnwindInfo(
    int Version,
    bool IsChained,
    X64Register FrameRegister,
    uint FrameOffset,
    ushort[] Codes,
    RuntimeFunction Chained)
{
    /// <summary>Reads unwind information; null when it is not readable or of an unknown version.</summary>
    public static UnwindInfo? Read(IRvaReader image, uint rva)
    {
        Span<byte> header = stackalloc byte[UnwindInfoLayout.HeaderSize];
        if (rva > uint.MaxValue - 0x1000 || !image.ReadRva(rva, header))
        {
            return null;
        }

        int version = header[0] & UnwindInfoLayout.VersionMask;
        bool isChained = ((header[0] >> UnwindInfoLayout.FlagsShift) & UnwindInfoLayout.FlagChained) != 0;
        int count = header[UnwindInfoLayout.CodeCount];
        byte[] bytes = new byte[count * UnwindInfoLayout.CodeSize];
        uint codes = rva + UnwindInfoLayout.HeaderSize;
        if (version is not (1 or 2) || (count > 0 && !image.ReadRva(codes, bytes)))
        {
            return null;
        }

        // The array is padded to an even number of codes; the chained entry stands behind the padding.
        uint behind = codes + (uint)((count + 1) & ~1) * UnwindInfoLayout.CodeSize;
        RuntimeFunction chained = default;
        if (isChained)
        {
            if (image.ReadRuntimeFunction(behind) is not { } entry)
            {
                return null;
            }

            chained = entry;
        }

        return new UnwindInfo(
            version,
            isChained,
            (X64Register)(header[UnwindInfoLayout.FrameRegister] & 0xF),
            (uint)(header[UnwindInfoLayout.FrameRegister] >> 4) * UnwindInfoLayout.FrameOffsetScale,
            ToCodes(bytes),
            chained);
    }

    private static ushort[] ToCodes(ReadOnlySpan<byte> bytes)
    {
        ushort[] codes = new ushort[bytes.Length / UnwindInfoLayout.CodeSize];
        for (int i = 0; i < codes.Length; i++)
        {
            codes[i] = BinaryPrimitives.ReadUInt16LittleEndian(bytes[(i * UnwindInfoLayout.CodeSize)..]);
        }

        return codes;
    }
}

/// <summary>Layout of x64 unwind information. Source: Microsoft's "x64 exception handling" documentation (UNWIND_INFO, UNWIND_CODE).</summary>
internal static class UnwindInfoLayout
{
    public const int HeaderSize = 4;
    public const int PrologSize = 1;
    public const int CodeCount = 2;
    public const int FrameRegister = 3;
    public const int CodeSize = 2;
    public const int VersionMask = 0x7;
    public const int FlagsShift = 3;
    public const int FlagChained = 0x4;
    public const int FrameOffsetScale = 16;

    public const int PushNonvolatile = 0;
    public const int AllocateLarge = 1;
    public const int AllocateSmall = 2;
    public const int SetFrameRegister = 3;
    public const int SaveNonvolatile = 4;
    public const int SaveNonvolatileFar = 5;
    public const int Epilog = 6;
    public const int Spare = 7;
    public const int SaveXmm = 8;
    public const int SaveXmmFar = 9;
    public const int PushMachineFrame = 10;

    // A machine frame as the processor pushes it: instruction pointer, code segment, flags, stack pointer, stack segment.
    public const int MachineFrameStackPointer = 0x18;
}
