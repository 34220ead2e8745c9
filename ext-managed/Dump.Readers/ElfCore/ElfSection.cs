using Dump.Readers.Minidump;

namespace Dump.Readers.ElfCore;

/// <summary>A section of an ELF file.</summary>
/// <param name="Type">What it holds.</param>
/// <param name="Offset">Where it begins in the file; 0 where that is not in the file.</param>
/// <param name="Size">How many bytes it has; 0 where they are not in the file.</param>
/// <param name="Link">Index of a section that belongs to it.</param>
/// <param name="IsThere">True when all of its bytes are in the file.</param>
internal readonly record struct ElfSection(uint Type, long Offset, long Size, uint Link, bool IsThere)
{
    private const long NanosecondsOfSection = 1_000;

    /// <summary>The sections of a file, as many as the file has room for.</summary>
    public static IReadOnlyList<ElfSection> Read(FileBytes file)
    {
        List<ElfSection> sections = [];
        if (file.ReadUInt64(ElfCoreLayout.SectionHeaderOffset) is not { } table || table > (ulong)file.Length
            || file.ReadUInt16(ElfSectionLayout.HeaderEntrySize) != ElfSectionLayout.HeaderSize)
        {
            return sections;
        }

        int count = Count(file);
        for (int i = 0; i < count && file.Contains((long)table + ((long)i * ElfSectionLayout.HeaderSize), ElfSectionLayout.HeaderSize)
            && WorkBudget.Take(NanosecondsOfSection); i++)
        {
            sections.Add(One(file, (long)table + ((long)i * ElfSectionLayout.HeaderSize)));
        }

        return sections;
    }

    /// <summary>False for a file that ends before its last section does: it was cut.</summary>
    public static bool AreWhole(FileBytes file)
    {
        IReadOnlyList<ElfSection> sections = Read(file);
        return sections.Count == Count(file) && sections.All(s => s.IsThere || s.Type is ElfSectionLayout.Unused or ElfSectionLayout.WithoutBytes);
    }

    private static int Count(FileBytes file) => file.ReadUInt16(ElfSectionLayout.HeaderCount) ?? 0;

    private static ElfSection One(FileBytes file, long header)
    {
        uint type = file.ReadUInt32(header + ElfSectionLayout.Type) ?? 0, link = file.ReadUInt32(header + ElfSectionLayout.Link) ?? 0;
        ulong offset = file.ReadUInt64(header + ElfSectionLayout.Offset) ?? 0, size = file.ReadUInt64(header + ElfSectionLayout.Size) ?? 0;
        return type is not (ElfSectionLayout.Unused or ElfSectionLayout.WithoutBytes) && offset <= (ulong)file.Length && size <= (ulong)file.Length - offset
            ? new ElfSection(type, (long)offset, (long)size, link, IsThere: true)
            : new ElfSection(type, 0, 0, link, IsThere: false);
    }
}

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
