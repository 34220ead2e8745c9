namespace Dump.Readers.Elf;

/// <summary>Constants of line number programs. Source: DWARF 5, 6.2.4 (headers), 6.2.5 (instructions), 7.5.6 (forms), 7.22; DWARF 2 to 4, 6.2.</summary>
internal static class LineLayout
{
    public const ushort FirstVersion = 2;
    public const ushort VersionWithOperations = 4;
    public const ushort VersionWithFormats = 5;

    /// <summary>From version 5 on the header has the size of an address, 8, and that of a segment selector, 0.</summary>
    public const ushort FlatAddresses = 0x0008;

    /// <summary>A length of this is followed by one of 64 bits, and all offsets of the unit have 64 bits.</summary>
    public const uint Extended = 0xFFFF_FFFF;

    /// <summary>Standard instructions, by number; those that move nothing are passed over by their operands.</summary>
    public const byte Copy = 1;
    public const byte AdvanceAddress = 2;
    public const byte AdvanceLine = 3;
    public const byte SetFile = 4;
    public const byte SetColumn = 5;
    public const byte AddConstant = 8;
    public const byte FixedAdvance = 9;

    /// <summary>Extended instructions.</summary>
    public const byte EndSequence = 1;
    public const byte SetAddress = 2;

    /// <summary>What an entry of the tables of DWARF 5 holds.</summary>
    public const ulong ContentPath = 1;
    public const ulong ContentDirectory = 2;

    /// <summary>Forms of those contents.</summary>
    public const ulong FormText = 0x08;
    public const ulong FormTextOffset = 0x0E;
    public const ulong FormLineTextOffset = 0x1F;
    public const ulong FormBytes1 = 0x0B;
    public const ulong FormBytes2 = 0x05;
    public const ulong FormBytes4 = 0x06;
    public const ulong FormBytes8 = 0x07;
    public const ulong FormBytes16 = 0x1E;
    public const ulong FormUnsigned = 0x0F;
    public const ulong FormBlock = 0x09;
}
