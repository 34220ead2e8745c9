using System.IO.Compression;

namespace Dump.Packaging;

/// <summary>Zip archives of a folder. The same files give the same archive: sorted, and all of one date.</summary>
public static class ZipFiles
{
    private static readonly DateTimeOffset s_date = new(2000, 1, 1, 0, 0, 0, TimeSpan.Zero);

    /// <summary>Writes one.</summary>
    /// <param name="folder">The folder, whose name all entries begin with.</param>
    /// <param name="file">The archive; one of that name is replaced.</param>
    public static void Write(string folder, string file)
    {
        string whole = Path.TrimEndingDirectorySeparator(Path.GetFullPath(folder));
        string above = Path.GetDirectoryName(whole)!;
        using FileStream output = new(file, FileMode.Create);
        using ZipArchive archive = new(output, ZipArchiveMode.Create);
        foreach (string path in Directory.EnumerateFiles(whole, "*", SearchOption.AllDirectories).Order(StringComparer.Ordinal))
        {
            ZipArchiveEntry entry = archive.CreateEntry(Path.GetRelativePath(above, path).Replace('\\', '/'), CompressionLevel.SmallestSize);
            entry.LastWriteTime = s_date;
            using Stream target = entry.Open();
            using FileStream source = File.OpenRead(path);
            source.CopyTo(target);
        }
    }
}
