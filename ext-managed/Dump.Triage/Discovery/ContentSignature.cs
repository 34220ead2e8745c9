using System.Buffers.Binary;

namespace Dump.Triage.Discovery;

/// <summary>
/// Recognises dumps and archives by their first bytes. Sources: minidumpapiset.h (MINIDUMP_SIGNATURE), elf(5),
/// APPNOTE.TXT 4.3.7, RFC 1952 2.3.1; of the archives that are not opened: the xz file format 2.1.1.1, RFC 8878 3.1.1,
/// 7zFormat.txt (SignatureHeader), POSIX.1-2017 pax (ustar), bzip2's compress.c, [MS-CAB] 2.1, RAR 5.0 archive format.
/// </summary>
internal static class ContentSignature
{
    /// <summary>Bytes that are looked at.</summary>
    public const int Length = 262;

    /// <summary>Bytes that tell a dump from all else.</summary>
    public const int Least = ElfLength;

    private const int ElfLength = 18;
    private const int TarMagicOffset = 257;
    private const int ElfTypeOffset = 16;
    private const int ElfDataOffset = 5;
    private const byte ElfBigEndian = 2;
    private const ushort ElfCore = 4;

    // Files of these names are meant to be dumps: one that has other content is a failed capture or upload, which somebody wants to know of.
    private static readonly string[] s_dumpNames = [".dmp", ".mdmp", ".hdmp", ".core"];
    private static readonly string[] s_archiveNames = [".zip", ".gz", ".7z", ".cab"];

    /// <summary>What a file is.</summary>
    /// <param name="start">Its first <see cref="Length"/> bytes, fewer when it is shorter.</param>
    public static ContentKind Of(ReadOnlySpan<byte> start) =>
        start.StartsWith("MDMP"u8) || start.StartsWith("PAGEDU"u8) || start.StartsWith("USERDU"u8) || IsElfCore(start) ? ContentKind.Dump
        : start.StartsWith("PK\x03\x04"u8) || start.StartsWith("PK\x05\x06"u8) ? ContentKind.Zip
        : start.StartsWith<byte>([0x1F, 0x8B, 0x08]) ? ContentKind.Gzip
        : start.StartsWith("MSCF\0\0\0\0"u8) ? ContentKind.Cabinet
        : IsOtherArchive(start) ? ContentKind.OtherArchive
        : ContentKind.Other;

    /// <summary>True for a name that dumps have.</summary>
    public static bool IsDumpName(string name) => s_dumpNames.Any(n => name.EndsWith(n, StringComparison.OrdinalIgnoreCase));

    /// <summary>True for a name that archives have which are opened, or that unpack themselves.</summary>
    public static bool IsArchiveName(string name) => s_archiveNames.Any(n => name.EndsWith(n, StringComparison.OrdinalIgnoreCase));

    private static bool IsOtherArchive(ReadOnlySpan<byte> start) =>
        start.StartsWith<byte>([0xFD, (byte)'7', (byte)'z', (byte)'X', (byte)'Z', 0]) || start.StartsWith<byte>([0x28, 0xB5, 0x2F, 0xFD])
        || start.StartsWith<byte>([(byte)'7', (byte)'z', 0xBC, 0xAF, 0x27, 0x1C]) || start.StartsWith("Rar!\x1A\x07"u8)
        || (start.StartsWith("BZh"u8) && start.Length >= 10 && start[4..].StartsWith<byte>([0x31, 0x41, 0x59, 0x26, 0x53, 0x59]))
        || (start.Length >= Length && start[TarMagicOffset..].StartsWith("ustar"u8));

    private static bool IsElfCore(ReadOnlySpan<byte> start) =>
        start.Length >= ElfLength && start.StartsWith<byte>([0x7F, (byte)'E', (byte)'L', (byte)'F'])
        && (start[ElfDataOffset] == ElfBigEndian
            ? BinaryPrimitives.ReadUInt16BigEndian(start[ElfTypeOffset..])
            : BinaryPrimitives.ReadUInt16LittleEndian(start[ElfTypeOffset..])) == ElfCore;
}
