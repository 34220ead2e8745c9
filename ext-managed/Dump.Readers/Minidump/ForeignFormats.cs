using System.Buffers.Binary;

namespace Dump.Readers.Minidump;

/// <summary>Recognises files that are no Windows minidump, to say in one line what they are and what to do.</summary>
internal static class ForeignFormats
{
    // Magic numbers of the formats' own specifications; PAGEDU64, PAGEDUMP and USERDU64 are the old Windows dump headers.
    private static readonly (byte[] Magic, string Message)[] s_formats =
    [
        ([0x7F, (byte)'E', (byte)'L', (byte)'F'], "an ELF file (a Linux core?), which this version does not read; it reads Windows minidumps"),
        ([0xCF, 0xFA, 0xED, 0xFE], "a Mach-O file (a macOS core?), which this program does not read; it reads Windows minidumps"),
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
        Span<byte> head = stackalloc byte[16];
        ReadOnlySpan<byte> start = head[..file.Read(0, head)];
        foreach ((byte[] magic, string message) in s_formats)
        {
            if (start.StartsWith(magic))
            {
                return message;
            }
        }

        return "not a Windows minidump (no MDMP signature); write one with: procdump -ma PID";
    }

    /// <summary>What a minidump of another system is, by the PlatformId that Breakpad and Crashpad write, or null for Windows.</summary>
    public static string? DescribePlatform(uint platformId) => platformId switch
    {
        0x8000 => "Unix",
        0x8101 => "macOS",
        0x8102 => "iOS",
        0x8201 => "Linux",
        0x8202 => "Solaris",
        0x8203 => "Android",
        0x8204 => "PlayStation 3",
        0x8205 => "Native Client",
        0x8206 => "Fuchsia",
        >= 0x8000 => "another system",
        _ => null,
    };
}
