using System.Globalization;
using System.IO.Compression;
using Dump.Testing.Renaming;

namespace Dump.Testing.Triage;

/// <summary>
/// Makes a folder of many dumps out of few: whole ones of different capture times and with lists in another order, hard links, cut and damaged ones, some
/// inside of archives, under names that say nothing. The same arguments make the same contents and names.
/// </summary>
public sealed class DumpFolder
{
    private const int Damaged = 20, Cut = 50, Copied = 20, Zipped = 50, Packed = 100;
    private static readonly DateTime s_firstCapture = new(2026, 1, 5, 8, 0, 0, DateTimeKind.Utc);
    private static readonly string[] s_machines = ["build-07", "desk-112", "web-01", "web-02", "über uns"];
    private readonly string _root;
    private readonly List<FolderDump> _dumps = [];
    private int _contents;

    private DumpFolder(string root) => _root = root;

    /// <summary>Makes the folder.</summary>
    /// <param name="root">The folder; made when it is absent.</param>
    /// <param name="count">How many dumps, more than the large ones need (two for each core, one for each large minidump).</param>
    /// <param name="seeds">Small minidumps, of which as many variants are made as are needed.</param>
    /// <param name="large">Dumps that are taken over as they are (by a hard link where the file system allows it), cores once more with their threads in
    /// another order.</param>
    /// <returns>What was made.</returns>
    public static IReadOnlyList<FolderDump> Make(string root, int count, IReadOnlyList<DumpSeed> seeds, params IReadOnlyList<DumpSeed> large)
    {
        DumpFolder folder = new(root);
        Directory.CreateDirectory(root);
        folder.AddLarge(large);
        int damaged = count / Damaged, cut = count / Cut, copies = count / Copied;
        int whole = count - folder._dumps.Count - damaged - cut - copies;
        if (whole < 1)
        {
            throw new ArgumentOutOfRangeException(nameof(count), count, "Too few for the large dumps.");
        }

        folder.AddVariants(FolderDumpKind.Whole, whole, seeds);
        folder.AddVariants(FolderDumpKind.Cut, cut, seeds);
        folder.AddVariants(FolderDumpKind.Damaged, damaged, seeds);
        folder.AddCopies(copies);
        File.WriteAllText(Path.Combine(root, "notes.txt"), "MD: not a dump.\n");
        return folder._dumps;
    }

    private void AddVariants(FolderDumpKind kind, int count, IReadOnlyList<DumpSeed> seeds)
    {
        for (int i = 0; i < count; i++)
        {
            DumpSeed seed = seeds[i % seeds.Count];
            byte[] dump = File.ReadAllBytes(seed.Path);
            if (kind == FolderDumpKind.Whole && i / seeds.Count % 2 == 1)
            {
                dump = PermutedMinidump.Of(dump, new Random(i));
            }

            MovedDump.MoveTo(dump, s_firstCapture.AddMinutes(_contents * 37));
            Add(kind, seed, kind switch
            {
                FolderDumpKind.Cut => DamagedDump.Cut(dump, i),
                FolderDumpKind.Damaged => DamagedDump.Damage(dump, i),
                _ => dump,
            });
        }
    }

    private void Add(FolderDumpKind kind, DumpSeed seed, byte[] dump)
    {
        string path = NewPath();
        string? member = null;
        if (_contents % Zipped == Zipped - 1)
        {
            (path, member) = (Path.ChangeExtension(path, "zip"), "logs/hang.dmp");
            using ZipArchive archive = ZipFile.Open(Place(path), ZipArchiveMode.Create);
            using Stream entry = archive.CreateEntry(member, CompressionLevel.Fastest).Open();
            entry.Write(dump);
        }
        else if (_contents % Packed == Packed / 4)
        {
            path += ".gz";
            member = Path.GetFileNameWithoutExtension(path);
            using GZipStream packed = new(File.Create(Place(path)), CompressionLevel.Fastest);
            packed.Write(dump);
        }
        else
        {
            File.WriteAllBytes(Place(path), dump);
        }

        _dumps.Add(new FolderDump(path, member, _contents++, kind, seed));
    }

    private void AddLarge(IReadOnlyList<DumpSeed> seeds)
    {
        foreach (DumpSeed seed in seeds)
        {
            string path = NewPath();
            LinkOrCopy(seed.Path, Place(path));
            _dumps.Add(new FolderDump(path, null, _contents++, FolderDumpKind.Whole, seed));
            if (seed.IsCore)
            {
                string permuted = NewPath();
                PermutedCore.Write(seed.Path, Place(permuted), new Random(_contents));
                _dumps.Add(new FolderDump(permuted, null, _contents++, FolderDumpKind.Whole, seed));
            }
        }
    }

    private void AddCopies(int count)
    {
        FolderDump[] originals = [.. _dumps.Where(d => d.Kind == FolderDumpKind.Whole && d.Member is null)];
        for (int i = 0; i < count; i++)
        {
            FolderDump original = originals[i * 7 % originals.Length];
            string path = string.Create(CultureInfo.InvariantCulture, $"copies/{i % 3}/copy of a dump ({i}).dmp");
            LinkOrCopy(Path.Combine(_root, original.Path), Place(path));
            _dumps.Add(original with { Path = path, Kind = FolderDumpKind.Copy });
        }
    }

    /// <summary>A path that says nothing of the content; some are odd.</summary>
    private string NewPath() => string.Create(CultureInfo.InvariantCulture, $"{s_machines[_contents % s_machines.Length]}/week {_contents / 100}/")
        + (_contents % 23) switch
    {
        3 => string.Create(CultureInfo.InvariantCulture, $"-rf {_contents}.dmp"),
        5 => string.Create(CultureInfo.InvariantCulture, $"core.{_contents}"),
        7 => string.Create(CultureInfo.InvariantCulture, $"readme-{_contents}.txt"),
        11 => string.Create(CultureInfo.InvariantCulture, $"$(id)'\"{_contents}.mdmp"),
        _ => string.Create(CultureInfo.InvariantCulture, $"shop.exe_{_contents}.dmp"),
    };

    private string Place(string path)
    {
        string place = Path.Combine(_root, path);
        Directory.CreateDirectory(Path.GetDirectoryName(place)!);
        return place;
    }

    private static void LinkOrCopy(string from, string to)
    {
        if (!HardLink.TryCreate(from, to))
        {
            File.Copy(from, to);
        }
    }
}
