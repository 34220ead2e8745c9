namespace Dump.Readers.Symbols.Pdb;

/// <summary>
/// Offsets, sizes and constants of program databases. Sources: LLVM's "The PDB File Format" (pages MSF, PDB, DBI and module information) for the
/// container and its streams; Microsoft's published <c>microsoft-pdb</c> (<c>msf.cpp</c>, <c>dbi.h</c>, <c>cvinfo.h</c>) for the block map of
/// the directory, for symbol records and for line information (<c>CV_DebugSSubsectionHeader_t</c>, <c>CV_DebugSLinesHeader_t</c>, <c>CV_Line_t</c>).
/// </summary>
internal static class PdbLayout
{
    public const int SuperBlockSize = 56;
    public const int BlockSize = 32;
    public const int BlockCount = 40;
    public const int DirectorySize = 44;

    /// <summary>First of the numbers of the blocks that hold the directory's block numbers; a very large file has more than one, which follow.</summary>
    public const int DirectoryMap = 52;
    public const uint SmallestBlock = 512;
    public const uint LargestBlock = 32_768;

    /// <summary>Size of a stream that was deleted.</summary>
    public const uint NoSize = uint.MaxValue;

    /// <summary>Number of a stream that is absent.</summary>
    public const ushort NoStream = ushort.MaxValue;

    public const int OldDirectoryStream = 0;
    public const int InformationStream = 1;
    public const int DebugStream = 3;

    public const int InformationSize = 28;
    public const int InformationAge = 8;
    public const int InformationGuid = 12;
    public const int GuidSize = 16;

    public const int DebugHeaderSize = 64;
    public const int DebugSignature = 0;
    public const uint DebugSignatureValue = uint.MaxValue;
    public const int DebugAge = 8;
    public const int DebugSymbolStream = 20;
    public const int DebugModulesSize = 24;
    public const int DebugContributionsSize = 28;
    public const int DebugSectionMapSize = 32;
    public const int DebugSourcesSize = 36;
    public const int DebugTypeServersSize = 40;
    public const int DebugOptionalSize = 48;
    public const int DebugEditAndContinueSize = 52;

    /// <summary>Places in the optional header: the map from the original to the final addresses of rearranged code, and the section headers.</summary>
    public const int OptionalAddressMap = 4;
    public const int OptionalSectionHeaders = 5;

    /// <summary>Places in the optional header of the frame data of 32-bit code: the old form (FPO_DATA) and the one with programs (FRAMEDATA).</summary>
    public const int OptionalOldFrames = 0;
    public const int OptionalFrames = 9;

    /// <summary>
    /// FPO_DATA of winnt.h: address, size of the code, words of locals, words of parameters, then bits: 8
    /// prolog, 3 saved registers, SEH, EBP used, reserved, 2 frame type.
    /// </summary>
    public const int OldFrameSize = 16;
    public const int OldFrameCodeSize = 4;
    public const int OldFrameLocals = 8;
    public const int OldFrameParameters = 12;
    public const int OldFrameBits = 14;
    public const int OldFrameRegistersShift = 8;
    public const int OldFrameRegistersMask = 7;
    public const int OldFrameTypeShift = 14;
    public const int OldFrameIsNoOmission = 3;

    /// <summary>FRAMEDATA of cvinfo.h.</summary>
    public const int FrameSize = 32;
    public const int FrameCodeSize = 4;
    public const int FrameLocals = 8;
    public const int FrameParameters = 12;
    public const int FrameProgram = 20;
    public const int FrameRegisters = 26;

    /// <summary>
    /// The map from names to streams behind the header of the PDB information stream: names, then a hash table of (offset of the name, stream).
    /// </summary>
    public const int NamedStreams = InformationSize;

    /// <summary>String table (stream "/names"): signature, version, size, then the strings.</summary>
    public const uint StringsSignature = 0xEFFE_EFFE;
    public const int StringsSize = 8;
    public const int StringsContent = 12;

    public const int ModuleHeaderSize = 64;
    public const int ModuleStream = 34;
    public const int ModuleSymbolsSize = 36;

    /// <summary>
    /// Sizes of the line information behind the symbols of an object file: the form of before 2005, which is not read, and the one of today (C13).
    /// </summary>
    public const int ModuleOldLinesSize = 40;
    public const int ModuleLinesSize = 44;
    public const uint ModuleSignature = 4;

    /// <summary>Length of a record, without the length itself, and its kind.</summary>
    public const int RecordHeaderSize = 4;
    public const int RecordKind = 2;
    public const ushort Public = 0x110E;
    public const ushort LocalProcedure = 0x110F;
    public const ushort GlobalProcedure = 0x1110;
    public const ushort LocalProcedureById = 0x1146;
    public const ushort GlobalProcedureById = 0x1147;

    public const int PublicFlags = 4;
    public const int PublicOffset = 8;
    public const int PublicSection = 12;
    public const int PublicName = 14;
    public const uint PublicIsCode = 1;
    public const uint PublicIsFunction = 2;
    public const uint PublicIsIntermediate = 8;

    public const int ProcedureLength = 16;
    public const int ProcedureOffset = 32;
    public const int ProcedureSection = 36;
    public const int ProcedureName = 39;

    /// <summary>
    /// Line information: subsections of a kind and a size, each padded to four bytes. Of a kind with the highest bit set readers take no notice.
    /// </summary>
    public const int SubsectionHeaderSize = 8;
    public const int SubsectionSize = 4;
    public const uint LinesSubsection = 0xF2;
    public const uint ChecksumsSubsection = 0xF4;

    /// <summary>Head of a subsection with lines: where in a section the code begins, whether the lines have columns, and the code's length.</summary>
    public const int LinesHeaderSize = 12;
    public const int LinesSection = 4;
    public const int LinesFlags = 6;
    public const int LinesCodeSize = 8;
    public const ushort LinesHaveColumns = 1;

    /// <summary>Then blocks, each of one source file: place of its checksum, number of lines, size of the block; then the lines; then their columns.</summary>
    public const int LineBlockHeaderSize = 12;
    public const int LineBlockCount = 4;
    public const int LineBlockSize = 8;

    /// <summary>A line: offset of its code from the subsection's, then 24 bits for the line where it begins.</summary>
    public const int LineSize = 8;
    public const int LineNumber = 4;
    public const uint LineNumberMask = 0xFF_FFFF;
    public const int ColumnSize = 4;

    /// <summary>Line numbers of code that has none: debuggers step over the one kind and into the other.</summary>
    public const uint HiddenLine = 0xFE_EFEE;
    public const uint HiddenEntryLine = 0xF0_0F00;

    /// <summary>An entry of the subsection of checksums: place of the file's name among the strings, length and kind of the checksum, which follows.</summary>
    public const int ChecksumHeaderSize = 6;

    /// <summary>First bytes of the file.</summary>
    public static ReadOnlySpan<byte> Magic => "Microsoft C/C++ MSF 7.00\r\n\u001aDS\0\0\0"u8;

    /// <summary>Those of the compressed form (microsoft/pdb-rs, docs/pdb/msfz.md, "MSFZ File Header").</summary>
    public static ReadOnlySpan<byte> CompressedMagic => "Microsoft MSFZ Container\r\n\u001aALD\0\0"u8;
}
