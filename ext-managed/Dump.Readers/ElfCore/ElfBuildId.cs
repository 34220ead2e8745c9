using Dump.Readers.Minidump;

namespace Dump.Readers.ElfCore;

/// <summary>Reads the build id of an ELF program or library: the note of type NT_GNU_BUILD_ID (3) and owner "GNU".</summary>
public static class ElfBuildId
{
    private const uint GnuBuildId = 3;
    private const uint MostBytes = 64;

    /// <summary>Reads the build id from the notes of an ELF file.</summary>
    /// <param name="path">Path of a 64-bit little-endian ELF file.</param>
    /// <returns>The id in lower-case hexadecimal digits, or null when the file has none or cannot be read.</returns>
    public static string? Read(string path)
    {
        try
        {
            using FileBytes file = FileBytes.Open(path);
            return ElfHeader.ReadSegments(file, ReadLimits.Default, [])
                .Where(s => s.Type == ElfCoreLayout.SegmentNote)
                .Select(s => Find(file, s.Segment.FileOffset, s.Segment.FileOffset + s.Segment.FileSize))
                .FirstOrDefault(id => id is not null);
        }
        catch (InvalidDumpException)
        {
            return null;
        }
    }

    private static string? Find(FileBytes file, long at, long end)
    {
        while (at + ElfCoreLayout.NoteHeaderSize <= end)
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
