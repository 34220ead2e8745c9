namespace Dump.Readers.Pe;

/// <summary>Offsets and sizes of the Portable Executable format. Source: Microsoft's "PE Format" specification.</summary>
internal static class PeLayout
{
    public const ushort DosMagic = 0x5A4D;
    public const int DosHeaderSize = 0x40;
    public const int NewHeaderOffset = 0x3C;

    public const uint Signature = 0x0000_4550;
    public const int SignatureSize = 4;
    public const int FileHeaderSize = 20;
    public const int FileHeaderMachine = 0;
    public const int FileHeaderSectionCount = 2;
    public const int FileHeaderTimeDateStamp = 4;
    public const int FileHeaderSymbolTable = 8;
    public const int FileHeaderSymbolCount = 12;
    public const int FileHeaderOptionalHeaderSize = 16;

    public const ushort Pe32Magic = 0x10B;
    public const ushort Pe32PlusMagic = 0x20B;
    public const int OptionalEntryPoint = 16;
    public const int OptionalImageBase32 = 28;
    public const int OptionalImageBase64 = 24;
    public const int OptionalSizeOfImage = 56;
    public const int OptionalSizeOfHeaders = 60;
    public const int OptionalDirectoryCount32 = 92;
    public const int OptionalDirectoryCount64 = 108;
    public const int DirectorySize = 8;
    public const int MaxDirectories = 16;
    public const int ExportDirectory = 0;
    public const int ExceptionDirectory = 3;
    public const int DebugDirectory = 6;
    public const int TlsDirectory = 9;

    public const int SectionHeaderSize = 40;
    public const int SectionVirtualSize = 8;
    public const int SectionVirtualAddress = 12;
    public const int SectionRawSize = 16;
    public const int SectionRawPointer = 20;
    public const int SectionCharacteristics = 36;
    public const uint SectionExecutable = 0x2000_0000;
    public const uint SectionWritable = 0x8000_0000;

    /// <summary>The loader rounds a section's file position down to this.</summary>
    public const uint FileSector = 0x200;

    /// <summary>More sections than any linker writes.</summary>
    public const int MaxSections = 1024;

    public const int ExportDirectorySize = 40;
    public const int ExportOrdinalBase = 16;
    public const int ExportFunctionCount = 20;
    public const int ExportNameCount = 24;
    public const int ExportFunctions = 28;
    public const int ExportNames = 32;
    public const int ExportNameOrdinals = 36;

    /// <summary>Ordinals are 16 bits wide, so there cannot be more exports.</summary>
    public const uint MaxExports = 65_536;

    public const int DebugEntrySize = 28;
    public const int DebugTimeDateStamp = 4;
    public const int DebugMinorVersion = 10;
    public const int DebugType = 12;
    public const int DebugDataSize = 16;
    public const int DebugDataRva = 20;
    public const uint DebugTypeCodeView = 2;

    /// <summary>Minor version of a CodeView entry whose file is a portable PDB (dotnet/runtime, docs/design/specs/PE-COFF.md).</summary>
    public const ushort DebugPortableVersion = 0x504D;
    public const int MaxDebugEntries = 64;

    public const uint CodeViewSignature = 0x5344_5352;
    public const int CodeViewGuid = 4;
    public const int CodeViewAge = 20;
    public const int CodeViewPath = 24;
    public const int GuidSize = 16;

    public const int TlsCallbacks32 = 12;
    public const int TlsCallbacks64 = 24;
    public const int MaxTlsCallbacks = 256;

    public const int RuntimeFunctionSize = 12;
    public const int RuntimeFunctionEnd = 4;
    public const int RuntimeFunctionUnwindInfo = 8;

    public const ushort MachineAmd64 = 0x8664;
    public const ushort MachineX86 = 0x14C;
    public const ushort MachineArm64 = 0xAA64;
}
