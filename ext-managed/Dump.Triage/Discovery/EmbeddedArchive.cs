using System.Reflection.PortableExecutable;
using Dump.Readers.Files;
using Dump.Triage.Archives;

namespace Dump.Triage.Discovery;

/// <summary>
/// Finds an archive in a file that does not begin with one: a program that unpacks itself, or a zip archive with other bytes before it. In programs it stands
/// behind the last section: zip archives, and those of 7-Zip and RAR. Cabinets in the resources of a program are not found.
/// </summary>
internal static class EmbeddedArchive
{
    private const int LeastSize = 22;
    private static readonly byte[] s_sevenZipSettings = ";!@Install@!"u8.ToArray();

    /// <summary>What stands in a file.</summary>
    /// <param name="path">The file.</param>
    /// <param name="start">Its first bytes, which are no archive's and no dump's.</param>
    /// <returns><see cref="ContentKind.Zip"/>, <see cref="ContentKind.OtherArchive"/>, or <see cref="ContentKind.Other"/> when there is none.</returns>
    public static ContentKind Find(string path, ReadOnlySpan<byte> start)
    {
        bool isProgram = start.StartsWith("MZ"u8);
        using FileStream file = RegularFile.OpenRead(path);
        if (file.Length < LeastSize)
        {
            return ContentKind.Other;
        }

        // A comment may stand behind an archive, and a signature behind a program; of other files only the last bytes are looked at.
        bool mayHaveMore = isProgram || ContentSignature.IsArchiveName(path);
        return ZipDirectory.FindBehind(file, mayHaveMore) is not null ? ContentKind.Zip
            : isProgram && IsOtherArchive(file) ? ContentKind.OtherArchive
            : ContentKind.Other;
    }

    private static bool IsOtherArchive(FileStream program)
    {
        try
        {
            program.Position = 0;

            // Without a size it reads no files of 2 GiB and more.
            PEHeaders headers = new(program, (int)Math.Min(program.Length, int.MaxValue));
            long end = headers.SectionHeaders.Select(s => (long)(uint)s.PointerToRawData + (uint)s.SizeOfRawData).DefaultIfEmpty(long.MaxValue).Max();
            if (end >= program.Length)
            {
                return false;
            }

            byte[] behind = new byte[ContentSignature.Length];
            program.Position = end;
            ReadOnlySpan<byte> bytes = behind.AsSpan(0, program.ReadAtLeast(behind, behind.Length, throwOnEndOfStream: false));
            return ContentSignature.Of(bytes) is ContentKind.OtherArchive or ContentKind.Cabinet || bytes.TrimStart((byte)0).StartsWith(s_sevenZipSettings);
        }
        catch (Exception error) when (error is BadImageFormatException or ArgumentException)
        {
            // A program of MS-DOS, or a damaged one.
            return false;
        }
    }
}
