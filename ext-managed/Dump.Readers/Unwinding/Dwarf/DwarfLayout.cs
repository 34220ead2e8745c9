namespace Dump.Readers.Unwinding.Dwarf;

/// <summary>
/// Constants of call-frame information. Sources: DWARF 5, 6.4 and 7.24 (instructions), 2.5 and 7.7.1 (expressions); Linux Standard Base Core, "Exception
/// Frames" and "DWARF Extensions" (pointer encodings, the tables of .eh_frame_hdr).
/// </summary>
internal static class DwarfLayout
{
    public const byte TableVersion = 1;
    public const int TableHeaderSize = 4;

    /// <summary>Encodings of pointers: format in the low four bits, what they are relative to in the next three, and an indirection.</summary>
    public const byte Omitted = 0xFF;
    public const byte FormatMask = 0x0F;
    public const byte RelationMask = 0x70;
    public const byte Indirect = 0x80;
    public const byte Absolute = 0x00;
    public const byte Unsigned128 = 0x01;
    public const byte Unsigned2 = 0x02;
    public const byte Unsigned4 = 0x03;
    public const byte Unsigned8 = 0x04;
    public const byte Signed128 = 0x09;
    public const byte Signed2 = 0x0A;
    public const byte Signed4 = 0x0B;
    public const byte Signed8 = 0x0C;
    public const byte RelativeToPlace = 0x10;
    public const byte RelativeToTable = 0x30;

    /// <summary>The search table's usual form, which is the only one that linkers write: pairs of signed 32-bit distances from the table.</summary>
    public const byte SearchTable = RelativeToTable | Signed4;
}

/// <summary>The registers that call-frame information of one architecture numbers and that are followed: those of vectors are not.</summary>
/// <param name="Count">How many are followed, from 0 on.</param>
/// <param name="Bases">Those below it the frame's address may be counted from.</param>
/// <param name="StackPointer">Number of the stack pointer.</param>
/// <param name="ReturnAddress">Number of the one that has the return address.</param>
/// <param name="SignsReturns">True where return addresses may be signed, and an instruction says where they are (AADWARF64, DW_CFA_AARCH64_negate_ra_state).</param>
internal sealed record DwarfRegisters(int Count, int Bases, int StackPointer, int ReturnAddress, bool SignsReturns)
{
    /// <summary>System V ABI for x86-64, figure 3.36: sixteen general registers and the return address.</summary>
    public static DwarfRegisters X64 { get; } = new(17, 16, 7, 16, false);

    /// <summary>DWARF for the Arm 64-bit Architecture (AADWARF64), "DWARF register names": X0 to X30 and SP; X30 has the return address.</summary>
    public static DwarfRegisters Arm64 { get; } = new(32, 32, 31, 30, true);
}
