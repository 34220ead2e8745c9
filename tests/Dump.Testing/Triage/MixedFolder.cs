using System.Globalization;
using System.IO.Compression;

namespace Dump.Testing.Triage;

/// <summary>A folder with the dumps of a table in sub-folders, under names that say nothing of them.</summary>
public static class MixedFolder
{
    private static readonly string[] s_folders = ["web-01", "web-02/old", "desk", "build-07/a/b", "über uns"];

    /// <summary>Makes it.</summary>
    /// <param name="root">The folder; made when it is absent.</param>
    /// <param name="isLarge">True for the large one, false for the small one.</param>
    /// <param name="table">What is in it.</param>
    /// <returns>Each file, by its path in the folder with <c>/</c> between the parts.</returns>
    public static IReadOnlyDictionary<string, MixedDump> Make(string root, bool isLarge, IReadOnlyList<MixedDump> table)
    {
        Dictionary<string, MixedDump> files = [];
        MixedDump[] all = [.. table.SelectMany(d => Enumerable.Repeat(d, isLarge ? d.Many : d.Few))];

        // Dumps of one cause must not lie side by side.
        new Random(all.Length).Shuffle(all);
        foreach ((int number, MixedDump dump) in all.Index())
        {
            byte[] bytes = dump.Make(number);
            for (int copy = 0; copy <= dump.Copies; copy++)
            {
                string path = string.Create(CultureInfo.InvariantCulture,
                    $"{s_folders[(number + (copy * 2)) % s_folders.Length]}/{number}_{copy}.{(dump.IsZipped ? "zip" : "dmp")}");
                string place = Path.Combine(root, path);
                Directory.CreateDirectory(Path.GetDirectoryName(place)!);
                Write(place, bytes, dump.IsZipped);
                files.Add(path, dump);
            }
        }

        return files;
    }

    private static void Write(string place, byte[] bytes, bool isZipped)
    {
        if (!isZipped)
        {
            File.WriteAllBytes(place, bytes);
            return;
        }

        using ZipArchive archive = ZipFile.Open(place, ZipArchiveMode.Create);
        using Stream entry = archive.CreateEntry("logs/hang.dmp", CompressionLevel.Fastest).Open();
        entry.Write(bytes);
    }
}
