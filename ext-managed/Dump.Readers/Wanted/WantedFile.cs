using System.Collections.Immutable;
using Dump.Model.Process;
using Dump.Readers.Minidump;
using Dump.Readers.Pe;
using Dump.Readers.Stores;
using Dump.Readers.Symbols;
using Dump.Readers.Symbols.Pdb;
using Dump.Readers.Symbols.Portable;
using Dump.Readers.Windows;

namespace Dump.Readers.Wanted;

/// <summary>A PDB or image file of a dump's module that is not here, as symbol stores name it.</summary>
public sealed class WantedFile
{
    private readonly Func<string, string?> _problem;

    private WantedFile(string name, string key, bool isImage, Func<string, string?> problem)
    {
        Name = name;
        Key = key;
        IsImage = isImage;
        _problem = problem;
    }

    /// <summary>Name of the file, a plain one.</summary>
    public string Name { get; }

    /// <summary>What tells builds apart in a store: time stamp and size of an image, GUID and age of a PDB.</summary>
    public string Key { get; }

    /// <summary>True for an image, false for a PDB.</summary>
    public bool IsImage { get; }

    /// <summary>Bytes of the largest file that is of use here.</summary>
    public long MostBytes { get; private init; } = long.MaxValue;

    /// <summary>The Windows PDB of an image.</summary>
    internal static WantedFile Of(PdbIdentity pdb) => new(pdb.PlainName, pdb.StoreKey, false, path =>
    {
        using PdbFile? file = PdbFile.Open(path, pdb, out string? reason);
        return reason;
    });

    /// <summary>The portable PDB of a managed module.</summary>
    /// <param name="pdb">Its identity.</param>
    /// <param name="checksums">What the module says of its bytes; nothing where it says nothing.</param>
    internal static WantedFile Of(PortablePdbIdentity pdb, ImmutableArray<PdbChecksum> checksums) =>
        new(pdb.FileName, pdb.InStores.StoreKey, false, path => PdbChecksum.Problem(path, pdb, checksums)) { MostBytes = PortablePdbLayout.MostBytes };

    /// <summary>An image.</summary>
    internal static WantedFile Of(string name, string key, PeFileIdentity image) => new(name, key, true, path =>
        PeFileIdentity.Read(path) is not { } found ? "it is no image" : found != image ? "it belongs to another build" : null);

    /// <summary>True when a file is the one that is wanted, by the identity in it. Its bytes are read as data, and nothing of it is run.</summary>
    /// <param name="path">Path of the file.</param>
    /// <param name="reason">Why it is not, as a clause.</param>
    public bool Is(string path, out string? reason)
    {
        reason = _problem(path);
        return reason is null;
    }
}

/// <summary>The PDB and image files that the stacks of a Windows dump would be walked and named with, and that are not here.</summary>
public static class WantedFiles
{
    private const int MostFiles = 200;

    /// <summary>
    /// Finds them, for the modules that frames lie in. A stack ends where an image is missing, so more may be wanted once these are here.
    /// </summary>
    /// <param name="dump">The dump.</param>
    /// <param name="options">How it is read: where files are looked for.</param>
    /// <param name="cancellation">Ends the search early.</param>
    /// <returns>The files, images first; not more than 200.</returns>
    public static IReadOnlyList<WantedFile> Of(MinidumpFile dump, WindowsReadOptions options, CancellationToken cancellation)
    {
        ProcessSnapshot snapshot = WindowsSnapshotReader.Read(dump, "", options, null, cancellation);
        HashSet<string> named = new(snapshot.Threads.SelectMany(t => t.Stack.Frames).Select(f => f.Module).OfType<string>(), StringComparer.OrdinalIgnoreCase);
        var given = NamedFiles.Of(options.ModuleFiles);
        SymbolSearchPath path = SymbolSearchPath.Parse(options.SymbolPath).With(given);
        using StoreFiles files = new(options.Cabinets);
        using PeImages images = new(dump, dump, [.. options.ImageDirectories, .. path.Directories], options.Limits, files, given);
        return
        [
            .. snapshot.Modules.Where(m => named.Contains(m.Name) && FileNames.IsPlain(m.Name)).Select(m => Wanted(m, images.Find(m), path, files))
                .OfType<WantedFile>().DistinctBy(f => (f.Name, f.Key)).OrderBy(f => !f.IsImage).ThenBy(f => f.Name, StringComparer.Ordinal).Take(MostFiles),
        ];
    }

    private static WantedFile? Wanted(ModuleSnapshot module, PeImage? image, SymbolSearchPath path, StoreFiles files) =>
        image is null ? WantedFile.Of(module.Name, ImageDirectories.Key(module), new PeFileIdentity(module.TimeDateStamp, (uint)module.Size))
        : image.Pdb is { } pdb && FileNames.IsPlain(pdb.PlainName) && !path.Candidates(pdb, files).Any(c => IsPdb(c, pdb)) ? WantedFile.Of(pdb)
        : null;

    private static bool IsPdb(string candidate, PdbIdentity identity)
    {
        using PdbFile? file = PdbFile.Open(candidate, identity, out _);
        return file is not null;
    }
}
