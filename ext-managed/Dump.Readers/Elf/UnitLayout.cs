namespace Dump.Readers.Elf;

/// <summary>Constants of units and their attributes. Source: DWARF 5, 7.5.1 (headers), 7.5.3 (tags), 7.5.4 (attributes), 7.5.5 and 7.5.6 (forms), 7.25 (ranges).</summary>
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

    /// <summary>DW_UT_compile and DW_UT_partial.</summary>
    public const byte CompileUnit = 1;
    public const byte PartialUnit = 3;

    /// <summary>Tags (7.5.3).</summary>
    public const ulong ClassType = 0x02;
    public const ulong StructureType = 0x13;
    public const ulong UnionType = 0x17;
    public const ulong InlinedSubroutine = 0x1D;
    public const ulong Subprogram = 0x2E;
    public const ulong Namespace = 0x39;

    /// <summary>Attributes (7.5.4) that are read of entries.</summary>
    public const ulong Name = 0x03;
    public const ulong Low = 0x11;
    public const ulong High = 0x12;
    public const ulong Origin = 0x31;
    public const ulong DeclaredIn = 0x3A;
    public const ulong Specification = 0x47;
    public const ulong Ranges = 0x55;
    public const ulong CallColumn = 0x57;
    public const ulong CallFile = 0x58;
    public const ulong CallLine = 0x59;
    public const ulong LinkageName = 0x6E;
    public const ulong TextOffsets = 0x72;
    public const ulong Addresses = 0x73;
    public const ulong RangeLists = 0x74;

    /// <summary>DW_AT_MIPS_linkage_name, before DWARF 4.</summary>
    public const ulong OldLinkageName = 0x2007;

    /// <summary>True for an attribute that is read of entries.</summary>
    public static bool IsKept(ulong attribute) => attribute is Name or Low or High or Lines or Origin or DeclaredIn or Specification or Ranges or CallColumn
        or CallFile or CallLine or LinkageName or OldLinkageName or TextOffsets or Addresses or RangeLists;

    /// <summary>True for an entry whose name is part of the names of those inside of it.</summary>
    public static bool IsScope(ulong tag) => tag is Namespace or Subprogram || IsClass(tag);

    /// <summary>True for a class.</summary>
    public static bool IsClass(ulong tag) => tag is ClassType or StructureType or UnionType;

    /// <summary>Forms of an address: itself, or an index into <c>.debug_addr</c> (7.5.6).</summary>
    public static bool IsAddress(ulong form) => form is Address or 0x1B or 0x29 or 0x2A or 0x2B or 0x2C;

    public const ulong Address = 0x01;

    /// <summary>References to another entry: from the unit's beginning, and from the section's.</summary>
    public const ulong Reference1 = 0x11;
    public const ulong Reference2 = 0x12;
    public const ulong Reference4 = 0x13;
    public const ulong Reference8 = 0x14;
    public const ulong ReferenceNumber = 0x15;
    public const ulong ReferenceAddress = 0x10;
    public const ulong SignedNumber = 0x0D;
    public const ulong RangeListIndex = 0x23;

    /// <summary>Entries of range lists (7.25).</summary>
    public const byte RangeBaseIndex = 1;
    public const byte RangeIndexes = 2;
    public const byte RangeIndexLength = 3;
    public const byte RangeOffsets = 4;
    public const byte RangeBase = 5;
    public const byte RangeAddresses = 6;
    public const byte RangeAddressLength = 7;

    /// <summary>Where the tables of a section begin whose unit does not say it: behind a header of 32-bit offsets (7.26 to 7.28).</summary>
    public const ulong FirstTextOffset = 8;
    public const ulong FirstAddress = 8;
    public const ulong FirstRangeList = 12;

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
