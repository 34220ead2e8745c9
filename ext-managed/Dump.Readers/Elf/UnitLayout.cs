namespace Dump.Readers.Elf;

/// <summary>Constants of units and their attributes. Source: DWARF 5, 7.5.1 (headers), 7.5.3, 7.5.4 (attributes), 7.5.5 and 7.5.6 (forms).</summary>
internal static class UnitLayout
{
    public const ushort FirstVersion = 2;
    public const ushort VersionWithTypes = 5;

    /// <summary>DW_UT_type, DW_UT_skeleton, DW_UT_split_compile and DW_UT_split_type: with an id of 8 bytes in the header.</summary>
    public const byte TypeUnit = 2;
    public const byte SkeletonUnit = 4;
    public const byte SplitTypeUnit = 6;

    public const ulong Lines = 0x10;
    public const ulong Directory = 0x1B;

    /// <summary>Forms by how many bytes they have; those of an offset have 4 or 8, by the unit.</summary>
    public static int? FixedSize(ulong form) => form switch
    {
        0x19 or 0x21 => 0,
        0x0B or 0x0C or 0x11 or 0x25 or 0x29 => 1,
        0x05 or 0x12 or 0x26 or 0x2A => 2,
        0x27 or 0x2B => 3,
        0x06 or 0x13 or 0x1C or 0x28 or 0x2C => 4,
        0x01 or 0x07 or 0x14 or 0x20 => 8,
        0x1E => 16,
        _ => null,
    };

    /// <summary>Forms that are an offset into another section.</summary>
    public static bool IsOffset(ulong form) => form is Text or LineText or SectionOffset or 0x10 or 0x1D or 0x1F20 or 0x1F21;

    /// <summary>Forms that are a number of seven bits a byte.</summary>
    public static bool IsNumber(ulong form) => form is 0x0D or 0x0F or 0x15 or 0x1A or 0x1B or 0x22 or 0x23;

    public const ulong InlineText = 0x08;
    public const ulong Text = 0x0E;
    public const ulong LineText = 0x1F;
    public const ulong SectionOffset = 0x17;
    public const ulong Bytes4 = 0x06;
    public const ulong Bytes8 = 0x07;
    public const ulong ImplicitConstant = 0x21;
    public const ulong Block = 0x09;
    public const ulong Block1 = 0x0A;
    public const ulong Block2 = 0x03;
    public const ulong Block4 = 0x04;
    public const ulong Expression = 0x18;
}
