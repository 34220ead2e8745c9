using System.IO.Compression;
using System.Text;
using Dump.Testing.Synthetic;

namespace Dump.Fuzz.Inputs;

/// <summary>Sound archives that hold a dump.</summary>
internal static class ArchiveSamples
{
    private static readonly byte[] s_dump = new LoadOwnershipScene().Build().ToMinidump()[..6_000];

    /// <summary>gzip: one part; two parts; with a name, a comment and an extra field.</summary>
    public static Sample[] Gzip()
    {
        byte[] packed = Gzipped(s_dump);
        byte[] named = [0x1F, 0x8B, 8, 0x1C, .. packed.AsSpan(4, 6), 4, 0, 1, 2, 3, 4, .. "shop.dmp\0comment\0"u8, .. packed.AsSpan(10)];
        return [Sample.Of("one part", packed), Sample.Of("two parts", [.. packed, .. Gzipped(s_dump[..500])]), Sample.Of("named", named)];
    }

    /// <summary>zip: compressed and stored members; behind a program; with large numbers (zip64) of a comment.</summary>
    public static Sample[] Zip()
    {
        byte[] zip = Zipped(CompressionLevel.Optimal), stored = Zipped(CompressionLevel.NoCompression);
        byte[] program = new byte[1_024];
        "MZ"u8.CopyTo(program);
        program[0x3C] = 0x80;
        "PE\0\0"u8.CopyTo(program.AsSpan(0x80));
        return [Sample.Of("compressed", zip), Sample.Of("stored", stored), Sample.Of("behind a program", [.. program, .. zip])];
    }

    /// <summary>Cabinets: stored, MSZIP, several files, checksums.</summary>
    public static Sample[] Cabinets() =>
    [
        Sample.Of("stored", CabinetFile.Make([("a.dmp", s_dump[..1_000]), ("b.txt", "text"u8.ToArray())])),
        Sample.Of("packed", CabinetFile.MakePacked("a.dmp", s_dump)),
        Sample.Of("checksums", CabinetFile.Make([("a.dmp", s_dump[..400])], null, 0, [(s_dump[..400], 400)], withChecksums: true)),
    ];

    private static byte[] Gzipped(byte[] bytes)
    {
        using MemoryStream packed = new();
        using (GZipStream gzip = new(packed, CompressionLevel.Optimal))
        {
            gzip.Write(bytes);
        }

        return packed.ToArray();
    }

    private static byte[] Zipped(CompressionLevel level)
    {
        using MemoryStream packed = new();
        using (ZipArchive archive = new(packed, ZipArchiveMode.Create, leaveOpen: true, Encoding.UTF8))
        {
            foreach (string name in (string[])["a.dmp", "folder/b.dmp", "folder/", "lösung.txt"])
            {
                ZipArchiveEntry entry = archive.CreateEntry(name, level);
                entry.LastWriteTime = new DateTimeOffset(2026, 1, 5, 8, 0, 0, TimeSpan.Zero);
                using Stream content = entry.Open();
                content.Write(name.EndsWith(".dmp", StringComparison.Ordinal) ? s_dump : "text"u8);
            }
        }

        return packed.ToArray();
    }
}
