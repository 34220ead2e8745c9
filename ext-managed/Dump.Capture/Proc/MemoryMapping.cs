using System.Globalization;
using Dump.Model.Text;
using Dump.Readers.ElfCore;
using Dump.Readers.Files;
using Dump.Readers.Linux;

namespace Dump.Capture.Proc;

/// <summary>One line of <c>/proc/PID/maps</c> (proc_pid_maps(5)).</summary>
/// <param name="Start">First address.</param>
/// <param name="End">Address behind the last byte.</param>
/// <param name="Flags">Permissions as in a program header: PF_X 1, PF_W 2, PF_R 4.</param>
/// <param name="FileOffset">Offset in the mapped file, bytes.</param>
/// <param name="Path">The mapped file as the process names it (sanitised), a name in square brackets, or empty.</param>
internal sealed record MemoryMapping(ulong Start, ulong End, uint Flags, ulong FileOffset, string Path)
{
    /// <summary>True where what is written into it goes to whatever is mapped, which others may map as well; false for memory of its own.</summary>
    public bool IsShared { get; init; }

    /// <summary>Which file it is; the default for memory without one.</summary>
    public FileIdentity File { get; init; }

    /// <summary>True where the process runs what the memory holds.</summary>
    public bool IsCode => (Flags & 1) != 0;

    /// <summary>
    /// True for memory that may become another while its process runs on: what it may write, memory without a file, and memory that it or others may write
    /// under another address. What stays is code and constants of files, and the library that the kernel maps.
    /// </summary>
    public bool MayChange => (Flags & 2) != 0 || !(IsFile || Path == SystemLibrary.Path) || (IsShared && IsFileOfMemory);

    /// <summary>True for a file that no disk holds.</summary>
    private bool IsFileOfMemory => Path.StartsWith("/memfd:", StringComparison.Ordinal) || Path.StartsWith("/dev/", StringComparison.Ordinal)
        || Path.StartsWith("/SYSV", StringComparison.Ordinal) || ElfMappedFile.IsGone(Path);

    /// <summary>True when the process may read it and reading has no side effect: devices and the kernel's clock data are left alone.</summary>
    public bool IsOrdinaryMemory => (Flags & 4) != 0
        && (Path == SystemLibrary.Path || !Path.StartsWith("[v", StringComparison.Ordinal))
        && (!Path.StartsWith("/dev/", StringComparison.Ordinal) || Path.StartsWith("/dev/shm/", StringComparison.Ordinal)
            || Path.StartsWith("/dev/zero", StringComparison.Ordinal));

    /// <summary>True for the mapping of a file.</summary>
    public bool IsFile => Path.StartsWith('/');

    /// <summary>The same as a record of a core.</summary>
    public ElfMappedFile AsMappedFile() => new(Start, End, FileOffset, Path);

    /// <summary>Reads the text of the file; lines that are none of its own are left out.</summary>
    public static IReadOnlyList<MemoryMapping> Parse(string text, int most) => [.. text.Split('\n').Select(Line).OfType<MemoryMapping>().Take(most)];

    private static MemoryMapping? Line(string line)
    {
        string[] fields = line.Split(' ', 6, StringSplitOptions.RemoveEmptyEntries);
        if (fields.Length < 5 || fields[0].Split('-') is not [var start, var end] || fields[1].Length < 3
            || !Hexadecimal(start, out ulong first) || !Hexadecimal(end, out ulong behind) || !Hexadecimal(fields[2], out ulong offset) || behind <= first)
        {
            return null;
        }

        uint flags = (fields[1][0] == 'r' ? 4u : 0) | (fields[1][1] == 'w' ? 2u : 0) | (fields[1][2] == 'x' ? 1u : 0);
        return new MemoryMapping(first, behind, flags, offset, fields.Length > 5 ? SafeText.Clean(fields[5].Trim()) : "")
        {
            IsShared = fields[1] is [_, _, _, 's', ..],
            File = fields[3].Split(':') is [var major, var minor] && Hexadecimal(major, out ulong device) && Hexadecimal(minor, out ulong unit)
                && ulong.TryParse(fields[4], NumberStyles.None, CultureInfo.InvariantCulture, out ulong number)
                    ? new FileIdentity((uint)device, (uint)unit, number) : default,
        };
    }

    private static bool Hexadecimal(string text, out ulong value) =>
        ulong.TryParse(text, NumberStyles.AllowHexSpecifier, CultureInfo.InvariantCulture, out value);
}
