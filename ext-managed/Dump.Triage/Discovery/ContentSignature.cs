using System.Buffers.Binary;

namespace Dump.Triage.Discovery;

/// <summary>Recognises dumps and archives by their first bytes. Sources: minidumpapiset.h (MINIDUMP_SIGNATURE), elf(5), APPNOTE.TXT 4.3.7, RFC 1952 2.3.1.</summary>
internal static class ContentSignature
{
    /// <summary>Bytes that are looked at.</summary>
    public const int Length = 18;

    private const int ElfTypeOffset = 16;
    private const int ElfDataOffset = 5;
    private const byte ElfBigEndian = 2;
    private const ushort ElfCore = 4;

    // Files of these names are meant to be dumps: one that has other content is a failed capture or upload, which somebody wants to know of.
    private static readonly string[] s_dumpNames = [".dmp", ".mdmp", ".hdmp", ".core"];

    /// <summary>What a file is.</summary>
    /// <param name="start">Its first <see cref="Length"/> bytes, fewer when it is shorter.</param>
    public static ContentKind Of(ReadOnlySpan<byte> start) =>
        start.StartsWith("MDMP"u8) || start.StartsWith("PAGEDU"u8) || start.StartsWith("USERDU"u8) || IsElfCore(start) ? ContentKind.Dump
        : start.StartsWith("PK\x03\x04"u8) || start.StartsWith("PK\x05\x06"u8) ? ContentKind.Zip
        : start.StartsWith<byte>([0x1F, 0x8B, 0x08]) ? ContentKind.Gzip
        : ContentKind.Other;

    /// <summary>True for a name that dumps have.</summary>
    public static bool IsDumpName(string name) => s_dumpNames.Any(n => name.EndsWith(n, StringComparison.OrdinalIgnoreCase));

    private static bool IsElfCore(ReadOnlySpan<byte> start) =>
        start.Length >= Length && start.StartsWith<byte>([0x7F, (byte)'E', (byte)'L', (byte)'F'])
        && (start[ElfDataOffset] == ElfBigEndian ? BinaryPrimitives.ReadUInt16BigEndian(start[ElfTypeOffset..]) : BinaryPrimitives.ReadUInt16LittleEndian(start[ElfTypeOffset..])) == ElfCore;
}
