namespace Dump.Readers.Unwinding.Dwarf;

/// <summary>
/// Constants of call-frame information. Sources: DWARF 5, 6.4 and 7.24 (instructions), 2.5 and 7.7.1 (expressions); Linux Standard Base Core, "Exception
/// Frames" and "DWARF Extensions" (pointer encodings, the tables of .eh_frame_hdr); System V ABI for x86-64, figure 3.36 (register numbers).
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

    /// <summary>Sixteen general registers and the return address.</summary>
    public const int Registers = 17;
    public const int StackPointer = 7;
    public const int ReturnAddress = 16;
}
