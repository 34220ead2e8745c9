namespace Dump.Readers.ElfCore;

/// <summary>Offsets and constants of the sections of 64-bit ELF files (System V ABI, chapter 4, "Sections").</summary>
internal static class ElfSectionLayout
{
    public const int HeaderEntrySize = 58;
    public const int HeaderCount = 60;

    public const int Type = 4;
    public const int Offset = 24;
    public const int Size = 32;
    public const int Link = 40;
    public const int HeaderSize = 64;
    public const uint Unused = 0;
    public const uint SymbolTable = 2;
    public const uint StringTable = 3;
    public const uint Notes = 7;
    public const uint WithoutBytes = 8;
}
