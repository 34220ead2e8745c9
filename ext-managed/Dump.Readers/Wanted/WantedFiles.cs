using Dump.Model.Process;
using Dump.Readers.Minidump;
using Dump.Readers.Pe;
using Dump.Readers.Stores;
using Dump.Readers.Symbols;
using Dump.Readers.Symbols.Pdb;
using Dump.Readers.Windows;

namespace Dump.Readers.Wanted;

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
