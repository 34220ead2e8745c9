using System.Buffers.Binary;

namespace Dump.Readers.Minidump;

/// <summary>Recognises files that are no Windows minidump, to say in one line what they are and what to do.</summary>
internal static class ForeignFormats
{
    private const string MachO = "a Mach-O file (a macOS core?), which this program does not read; it reads Windows minidumps";

    // Magic numbers of the formats' own specifications; PAGEDU64, PAGEDUMP and USERDU64 are the old Windows dump headers.
    private static readonly (byte[] Magic, string Message)[] s_formats =
    [
        ([0x7F, (byte)'E', (byte)'L', (byte)'F'], "an ELF file (a Linux core?), not a Windows minidump"),
        ([0xCF, 0xFA, 0xED, 0xFE], MachO),
        ([0xCE, 0xFA, 0xED, 0xFE], MachO),
        ([0xFE, 0xED, 0xFA, 0xCF], MachO),
        ([0xFE, 0xED, 0xFA, 0xCE], MachO),
        ("PAGEDU64"u8.ToArray(), "a Windows kernel dump; this program needs a user-mode dump of one process: procdump -ma PID"),
        ("PAGEDUMP"u8.ToArray(), "a Windows kernel dump; this program needs a user-mode dump of one process: procdump -ma PID"),
        ("USERDU64"u8.ToArray(), "an old-style user dump; write a minidump instead: procdump -ma PID"),
        ("USERDUMP"u8.ToArray(), "an old-style user dump; write a minidump instead: procdump -ma PID"),
        ("PK\x03\x04"u8.ToArray(), "a zip archive: unpack it first"),
        ("MSCF"u8.ToArray(), "a cabinet archive: unpack it first"),
        ([0x1F, 0x8B], "gzip-compressed: unpack it first"),
        ([0x28, 0xB5, 0x2F, 0xFD], "zstd-compressed: unpack it first"),
        ([0xFD, (byte)'7', (byte)'z', (byte)'X', (byte)'Z'], "xz-compressed: unpack it first"),
        ([(byte)'7', (byte)'z', 0xBC, 0xAF], "a 7z archive: unpack it first"),
        ("MZ"u8.ToArray(), "a Windows program or library, not a dump of one"),
    ];

    /// <summary>What the file is, as a clause after "is".</summary>
    public static string Describe(FileBytes file)
    {
        Span<byte> head = stackalloc byte[512];
        ReadOnlySpan<byte> start = head[..file.Read(0, head)];
        if (start.IsEmpty)
        {
            return "an empty file; was the dump's writer interrupted? Write it again: procdump -ma PID";
        }

        foreach ((byte[] magic, string message) in s_formats)
        {
            if (start.StartsWith(magic))
            {
                return message;
            }
        }

        return IsText(start)
            ? "a text file, not a dump; this program reads Windows minidumps, which procdump -ma PID writes"
            : "not a Windows minidump (no MDMP signature); write one with: procdump -ma PID";
    }

    /// <summary>Text begins with a byte order mark, or has none of the control characters but tabs, line breaks, form feeds and escapes.</summary>
    private static bool IsText(ReadOnlySpan<byte> start)
    {
        if (start.StartsWith<byte>([0xFF, 0xFE]) || start.StartsWith<byte>([0xFE, 0xFF]) || start.StartsWith<byte>([0xEF, 0xBB, 0xBF]))
        {
            return true;
        }

        foreach (byte value in start)
        {
            if (value < ' ' && value is not ((byte)'\t' or (byte)'\n' or (byte)'\r' or (byte)'\f' or 0x1B))
            {
                return false;
            }
        }

        return true;
    }

    /// <summary>
    /// What a minidump of another system is, by the PlatformId that Breakpad and Crashpad write, as a phrase after "of", or null for Windows.
    /// </summary>
    public static string? DescribePlatform(uint platformId) => platformId switch
    {
        0x8000 => "a Unix process",
        0x8101 => "a macOS process",
        0x8102 => "an iOS process",
        0x8201 => "a Linux process",
        0x8202 => "a Solaris process",
        0x8203 => "an Android process",
        0x8204 => "a PlayStation 3 program",
        0x8205 => "a Native Client module",
        0x8206 => "a Fuchsia process",
        >= 0x8000 => "a process of another system",
        _ => null,
    };
}
