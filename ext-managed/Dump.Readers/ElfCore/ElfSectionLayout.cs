namespace Dump.Readers.ElfCore;

/// <summary>Offsets and constants of the sections of 64-bit ELF files (System V ABI, chapter 4, "Sections").</summary>
internal static class ElfSectionLayout
{
    public const int HeaderEntrySize = 58;
    public const int HeaderCount = 60;

    /// <summary>Number of the section that has the sections' names.</summary>
    public const int HeaderNames = 62;

    public const int Type = 4;
    public const int Flags = 8;
    public const int Offset = 24;
    public const int Size = 32;
    public const int Link = 40;
    public const int HeaderSize = 64;
    public const uint Unused = 0;
    public const uint SymbolTable = 2;
    public const uint StringTable = 3;
    public const uint Notes = 7;
    public const uint WithoutBytes = 8;

    /// <summary>SHF_COMPRESSED: the section begins with a header that names the way (1: zlib) and the unpacked size.</summary>
    public const ulong IsCompressed = 0x800;
    public const int UncompressedSize = 8;
    public const int CompressionHeaderSize = 24;
    public const uint CompressedByZlib = 1;
    public const uint CompressedByZstd = 2;
}
