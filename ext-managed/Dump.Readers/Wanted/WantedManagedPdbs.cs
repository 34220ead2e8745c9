using Dump.Model.Managed;
using Dump.Model.Process;
using Dump.Readers.Cabinets;
using Dump.Readers.Stores;
using Dump.Readers.Symbols;
using Dump.Readers.Symbols.Portable;

namespace Dump.Readers.Wanted;

/// <summary>
/// The portable PDBs that lines of managed code would be read from, and that are not here: of the modules on stacks and in pending async methods, by the id in
/// their debug directory.
/// </summary>
public static class WantedManagedPdbs
{
    // Those of the platform are named so, and a program's own modules hardly ever are; or they lie in an installed runtime, as WPF's do.
    private static readonly string[] s_platform = ["System.", "Microsoft.", "mscorlib.", "netstandard."];
    private const string InstalledRuntimes = "/shared/Microsoft.";

    /// <summary>Finds them.</summary>
    /// <param name="snapshot">The snapshot with its managed half.</param>
    /// <param name="path">Where PDB files are looked for besides.</param>
    /// <param name="memory">Memory of the process, which may have PDBs inside of its modules.</param>
    /// <param name="files">Where the files lie that the process names.</param>
    /// <param name="cabinets">Unpacks compressed files of symbol stores; null for the reader of every system.</param>
    /// <param name="cancellation">Ends the search early.</param>
    /// <returns>The files, those of the program's own modules first.</returns>
    public static IReadOnlyList<WantedFile> Of(
        ProcessSnapshot snapshot, SymbolSearchPath path, IMemory memory, ProcessFiles files, ICabinets? cabinets, CancellationToken cancellation)
    {
        using StoreFiles stores = new(cabinets);
        PortablePdbs pdbs = new(path, stores, memory, files);
        _ = new ManagedLines(snapshot.ManagedModules, pdbs, cancellation).Of(snapshot);
        return
        [
            .. pdbs.Missing().Where(m => FileNames.IsPlain(m.Pdb.FileName)).OrderBy(m => IsOfPlatform(m.Module))
                .ThenBy(m => m.Pdb.FileName, StringComparer.Ordinal).Select(m => WantedFile.Of(m.Pdb, m.Checksums)).DistinctBy(f => (f.Name, f.Key)),
        ];
    }

    private static bool IsOfPlatform(ManagedModule module)
    {
        string path = module.Path?.Replace('\\', '/') ?? "", name = path[(path.LastIndexOf('/') + 1)..];
        return path.Contains(InstalledRuntimes, StringComparison.OrdinalIgnoreCase)
            || Array.Exists(s_platform, p => name.StartsWith(p, StringComparison.OrdinalIgnoreCase));
    }
}
