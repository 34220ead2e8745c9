using System.Buffers.Binary;
using System.IO.Compression;
using System.Text;
using Dump.Readers.ElfCore;
using Dump.Readers.Minidump;
using ZstdSharp;

namespace Dump.Readers.Elf;

/// <summary>
/// Sections of debug information by their names, unpacked where they are compressed (SHF_COMPRESSED, zlib or zstd): what compilers write for debuggers is in
/// files only, never in the memory of a process.
/// </summary>
internal static class ElfDebugSection
{
    /// <summary>Longer sections are not read: those of the largest programs have some 100 MiB.</summary>
    public const int Longest = 256 << 20;

    // zlib packs at most 1,032 bytes into one (Deflate: 258 bytes in two bits).
    private const int MostPackedByZlib = 1_100;

    // A block of zstd is at most 128 KiB and takes four bytes where all of its bytes are the same (RFC 8878, 3.1.1.2).
    private const int MostPackedByZstd = 32_768;
    private const int LongestName = 64;
    private const long NanosecondsOfUnpacked = 5;

    /// <summary>The bytes of a section.</summary>
    /// <param name="file">The file.</param>
    /// <param name="name">Its name, for example <c>.debug_line</c>.</param>
    /// <returns>The bytes; null when there is no such section, it is not in the file, is too long or is packed in another way.</returns>
    public static byte[]? Read(FileBytes file, string name)
    {
        foreach (long header in Headers(file, name))
        {
            if (file.ReadUInt32(header + ElfSectionLayout.Type) is not (null or ElfSectionLayout.WithoutBytes)
                && file.ReadUInt64(header + ElfSectionLayout.Offset) is { } offset && file.ReadUInt64(header + ElfSectionLayout.Size) is { } size
                && size <= Longest && offset <= long.MaxValue && file.Contains((long)offset, (long)size))
            {
                if (!WorkBudget.Hold((long)size) || !WorkBudget.Take((long)size))
                {
                    return null;
                }

                byte[] bytes = new byte[size];
                return file.Read((long)offset, bytes) < bytes.Length ? null
                    : ((file.ReadUInt64(header + ElfSectionLayout.Flags) ?? 0) & ElfSectionLayout.IsCompressed) == 0 ? bytes
                    : Unpacked(bytes);
            }
        }

        return null;
    }

    /// <summary>Where the headers of the sections of a name stand; the names are in a section of their own, whose number the file's header tells.</summary>
    private static IEnumerable<long> Headers(FileBytes file, string name)
    {
        IReadOnlyList<ElfSection> sections = ElfSection.Read(file);
        int number = file.ReadUInt16(ElfSectionLayout.HeaderNames) ?? 0;
        if (number >= sections.Count || sections[number] is not { IsThere: true } names || name.Length > LongestName
            || file.ReadUInt64(ElfCoreLayout.SectionHeaderOffset) is not { } table)
        {
            yield break;
        }

        byte[] wanted = Encoding.ASCII.GetBytes(name + '\0'), read = new byte[wanted.Length];
        for (int i = 0; i < sections.Count; i++)
        {
            long header = (long)table + ((long)i * ElfSectionLayout.HeaderSize);
            if (sections[i].IsThere && file.ReadUInt32(header) is { } place && place < names.Size
                && file.Read(names.Offset + place, read) == read.Length && read.AsSpan().SequenceEqual(wanted))
            {
                yield return header;
            }
        }
    }

    private static byte[]? Unpacked(byte[] section)
    {
        if (section.Length < ElfSectionLayout.CompressionHeaderSize)
        {
            return null;
        }

        uint way = BinaryPrimitives.ReadUInt32LittleEndian(section);
        ulong size = BinaryPrimitives.ReadUInt64LittleEndian(section.AsSpan(ElfSectionLayout.UncompressedSize));
        int most = way switch
        {
            ElfSectionLayout.CompressedByZlib => MostPackedByZlib,
            ElfSectionLayout.CompressedByZstd => MostPackedByZstd,
            _ => 0,
        };
        if (size > Longest || size > (ulong)section.Length * (ulong)most || !WorkBudget.Hold((long)size) || !WorkBudget.Take((long)size * NanosecondsOfUnpacked))
        {
            return null;
        }

        byte[] bytes = new byte[size];
        return (way == ElfSectionLayout.CompressedByZstd ? UnpackZstd(section, bytes) : UnpackZlib(section, bytes)) == bytes.Length ? bytes : null;
    }

    private static int? UnpackZlib(byte[] section, byte[] bytes)
    {
        try
        {
            using ZLibStream unpacking = new(
                new MemoryStream(section, ElfSectionLayout.CompressionHeaderSize, section.Length - ElfSectionLayout.CompressionHeaderSize),
                CompressionMode.Decompress);
            return unpacking.ReadAtLeast(bytes, bytes.Length, throwOnEndOfStream: false);
        }
        catch (InvalidDataException)
        {
            return null;
        }
    }

    /// <summary>The whole goes into its place at once, so that no window of the packer's choice is allocated.</summary>
    private static int? UnpackZstd(byte[] section, byte[] bytes)
    {
        try
        {
            using Decompressor unpacking = new();
            return unpacking.Unwrap(section.AsSpan(ElfSectionLayout.CompressionHeaderSize), bytes);
        }
        catch (ZstdException)
        {
            return null;
        }
    }
}
