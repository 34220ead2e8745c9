using Dump.Readers.Minidump;

namespace Dump.Readers.ElfCore;

/// <summary>Reads the build id of an ELF program or library: the note of type NT_GNU_BUILD_ID (3) and owner "GNU".</summary>
public static class ElfBuildId
{
    private const uint GnuBuildId = 3;
    private const uint MostBytes = 64;
    private const long NanosecondsOfNote = 1_000;

    /// <summary>Reads the build id from the notes of an ELF file.</summary>
    /// <param name="path">Path of a 64-bit little-endian ELF file.</param>
    /// <returns>The id in lower-case hexadecimal digits, or null when the file has none or cannot be read.</returns>
    public static string? Read(string path)
    {
        try
        {
            using FileBytes file = FileBytes.Open(path);
            return Read(file);
        }
        catch (InvalidDumpException)
        {
            return null;
        }
    }

    /// <summary>
    /// The same of an opened file. A separate debug file has its notes as a section, and may say of its segments where they are in the program.
    /// </summary>
    internal static string? Read(FileBytes file)
    {
        IEnumerable<(long Offset, long Size)> segments = ElfHeader.ReadSegments(file, ReadLimits.Default, [])
            .Where(s => s.Type == ElfCoreLayout.SegmentNote).Select(s => (s.Segment.FileOffset, s.Segment.FileSize));
        IEnumerable<(long Offset, long Size)> sections = ElfSection.Read(file).Where(s => s.Type == ElfSectionLayout.Notes).Select(s => (s.Offset, s.Size));
        return segments.Concat(sections).Select(n => Find(file, n.Offset, n.Offset + n.Size)).FirstOrDefault(id => id is not null);
    }

    private static string? Find(FileBytes file, long at, long end)
    {
        while (at + ElfCoreLayout.NoteHeaderSize <= end && WorkBudget.Take(NanosecondsOfNote))
        {
            uint nameSize = file.ReadUInt32(at) ?? 0;
            uint size = file.ReadUInt32(at + 4) ?? 0;
            uint type = file.ReadUInt32(at + 8) ?? 0;
            long content = at + ElfCoreLayout.NoteHeaderSize + ((nameSize + 3L) & ~3L);
            if (type == GnuBuildId && nameSize == 4 && size is > 0 and <= MostBytes && content + size <= end)
            {
                byte[] id = new byte[size];
                return file.Read(content, id) == id.Length ? Convert.ToHexStringLower(id) : null;
            }

            at = content + ((size + 3L) & ~3L);
        }

        return null;
    }
}
