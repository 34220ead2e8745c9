namespace Dump.Readers.Elf;

/// <summary>
/// Offsets and constants of 64-bit ELF programs and libraries, beside those of cores. Sources: System V ABI, chapters 4 and 5 (symbols, dynamic section);
/// Linux Standard Base Core, "Exception Frames" (the table PT_GNU_EH_FRAME leads to).
/// </summary>
internal static class ElfImageLayout
{
    public const ushort TypeExecutable = 2;
    public const ushort TypeShared = 3;
    public const int Type = 16;
    public const int ProgramHeaderOffset = 32;
    public const int ProgramHeaderEntrySize = 54;
    public const int ProgramHeaderCount = 56;
    public const int HeaderSize = 64;

    public const int SegmentType = 0;
    public const int SegmentFlags = 4;
    public const int SegmentFileOffset = 8;
    public const int SegmentAddress = 16;
    public const int SegmentFileSize = 32;
    public const int SegmentMemorySize = 40;
    public const int ProgramHeaderSize = 56;
    public const uint SegmentLoad = 1;
    public const uint SegmentDynamic = 2;
    public const uint SegmentNote = 4;
    public const uint SegmentUnwindTable = 0x6474E550;
    public const uint IsWritable = 2;

    public const int SymbolSize = 24;
    public const int SymbolInformation = 4;
    public const int SymbolSection = 6;
    public const int SymbolValue = 8;
    public const int SymbolLength = 16;
    public const int SymbolFunction = 2;
    public const int SymbolIndirectFunction = 10;
    public const int BindingLocal = 0;

    public const uint NoteBuildId = 3;
    public const int NoteHeaderSize = 12;
}
