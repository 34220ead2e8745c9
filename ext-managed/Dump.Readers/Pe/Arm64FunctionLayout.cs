namespace Dump.Readers.Pe;

/// <summary>
/// Layout of ARM64 exception directories and of the unwind records that they point to.
/// Source: Microsoft's "ARM64 exception handling" documentation (.pdata records, .xdata records, packed unwind data); bit numbers count from the lowest.
/// </summary>
internal static class Arm64FunctionLayout
{
    // An entry: relative address of the function, then a word whose two lowest bits say what it is.
    public const int EntrySize = 8;
    public const int EntryData = 4;
    public const uint FlagMask = 3;
    public const uint FlagRecord = 0;
    public const uint FlagPacked = 1;
    public const uint FlagPackedFragment = 2;

    // Packed unwind data. Lengths count instructions, the frame's size units of 16 bytes.
    public const int PackedLengthShift = 2;
    public const uint PackedLengthMask = 0x7FF;
    public const int PackedVectorShift = 13;
    public const uint PackedVectorMask = 7;
    public const int PackedGeneralShift = 16;
    public const uint PackedGeneralMask = 0xF;
    public const int PackedHomesShift = 20;
    public const int PackedLinkShift = 21;
    public const uint PackedLinkMask = 3;
    public const int PackedFrameShift = 23;
    public const uint PackedFrameMask = 0x1FF;
    public const int FrameUnit = 16;

    // The header of a record; with no epilogs and no code words in it a second word has more room for both.
    public const int HeaderSize = 4;
    public const uint LengthMask = 0x3FFFF;
    public const int VersionShift = 18;
    public const uint VersionMask = 3;
    public const int SingleEpilogShift = 21;
    public const int EpilogCountShift = 22;
    public const uint EpilogCountMask = 0x1F;
    public const int CodeWordsShift = 27;
    public const uint ExtendedEpilogCountMask = 0xFFFF;
    public const int ExtendedCodeWordsShift = 16;
    public const uint ExtendedCodeWordsMask = 0xFF;

    // An epilog scope: where it starts, and the index of its first unwind code.
    public const int ScopeSize = 4;
    public const uint ScopeStartMask = 0x3FFFF;
    public const int ScopeCodeShift = 22;

    public const int InstructionSize = 4;
}
