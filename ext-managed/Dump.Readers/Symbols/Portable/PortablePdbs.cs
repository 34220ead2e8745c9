using System.Collections.Immutable;
using Dump.Model.Managed;
using Dump.Model.Process;
using Dump.Model.Text;
using Dump.Readers.Files;
using Dump.Readers.Pe;
using Dump.Readers.Stores;

namespace Dump.Readers.Symbols.Portable;

/// <summary>
/// The portable PDBs of managed modules, opened once each and only where lines are asked for: inside of the module, in memory or in the very file that it was
/// loaded from; beside that file; where the module was built; on the symbol path. A file counts by its id, never by its name.
/// </summary>
/// <param name="path">The symbol path.</param>
/// <param name="stores">Finds files below its directories.</param>
/// <param name="memory">Memory of the process; null when it is not at hand any more.</param>
/// <param name="files">Where the files lie that the process names.</param>
internal sealed class PortablePdbs(SymbolSearchPath path, StoreFiles stores, IMemory? memory, ProcessFiles files)
{
    private const int MostModules = 2_000;
    private const int MostRefused = 100;
    private const long MostBytes = 512L << 20;
    private readonly Dictionary<ManagedModule, PortablePdb?> _opened = [];
    private readonly List<ReaderProblem> _refused = [];
    private long _bytes;

    /// <summary>Files that are named like a module's PDB and are not used, and why.</summary>
    public IReadOnlyList<ReaderProblem> Problems => files.Owners?.Problem is { } problem ? [.. _refused, problem] : _refused;

    /// <summary>The PDB of a module; null when none is found.</summary>
    public PortablePdb? Of(ManagedModule module)
    {
        if (!_opened.TryGetValue(module, out PortablePdb? pdb) && _opened.Count < MostModules)
        {
            pdb = Find(module);
            _opened.Add(module, pdb);
        }

        return pdb;
    }

    /// <summary>The modules whose PDB was asked for and not found, with what is known of it: its identity and its checksums.</summary>
    public IEnumerable<(ManagedModule Module, PortablePdbIdentity Pdb, ImmutableArray<PdbChecksum> Checksums)> Missing()
    {
        foreach (ManagedModule module in _opened.Where(o => o.Value is null).Select(o => o.Key))
        {
            using ManagedImage? loaded = Loaded(module);
            using ManagedImage? file = Existing(module.Path) is { } place ? SameBuild(place, module, files.Owners) : null;
            if ((PortablePdbIdentity.Of(module) ?? file?.Pdb) is { } identity)
            {
                ManagedImage? image = ((ManagedImage?[])[loaded, file]).FirstOrDefault(i => i?.Pdb == identity && !i.Checksums.IsEmpty);
                yield return (module, identity, image?.Checksums ?? []);
            }
        }
    }

    private ManagedImage? Loaded(ManagedModule module) =>
        memory is null || module.ImageBase == 0 ? null : ManagedImage.InMemory(memory, module.ImageBase);

    private PortablePdb? Find(ManagedModule module)
    {
        using ManagedImage? loaded = Loaded(module);
        using ManagedImage? file = Existing(module.Path) is { } place ? SameBuild(place, module, files.Owners) : null;
        string name = SafeText.Clean(module.FileName ?? "a module", 256);
        return Inside(loaded, name) ?? Inside(file, name) ?? ((PortablePdbIdentity.Of(module) ?? file?.Pdb) is { } identity ? Beside(identity, module) : null);
    }

    /// <summary>
    /// The module's file, where it is of the same build: by the time stamp and size by which symbol servers know it, or the id in its metadata.
    /// </summary>
    private static ManagedImage? SameBuild(string place, ManagedModule module, FileOwners? owners)
    {
        ManagedImage? file = ManagedImage.OfFile(place, owners);
        bool isSame = file is not null && (module is { TimeDateStamp: { } stamp, ImageSize: { } size }
            ? file.Identity == new PeFileIdentity(stamp, size) && (PortablePdbIdentity.Of(module) is not { } pdb || pdb == file.Pdb)
            : module.VersionId is { } id && id == ModuleVersion.OfFile(place, owners));
        if (isSame)
        {
            return file;
        }

        file?.Dispose();
        return null;
    }

    private PortablePdb? Inside(ManagedImage? image, string name)
    {
        string? reason = null;
        PortablePdb? pdb = _bytes >= MostBytes ? null : image?.OpenEmbedded(out reason);
        Refuse($"the PDB inside of {name}", reason);
        return Counted(pdb);
    }

    private PortablePdb? Beside(PortablePdbIdentity identity, ManagedModule module)
    {
        foreach ((string candidate, FileOwners? owners) in Candidates(identity, module).DistinctBy(c => c.Path, StringComparer.Ordinal))
        {
            if (_bytes >= MostBytes)
            {
                return null;
            }

            if (PortablePdb.Open(candidate, identity, out string? reason, owners) is { } pdb)
            {
                return Counted(pdb);
            }

            Refuse(SafeText.Clean(Path.GetFileName(candidate), 256), reason);
        }

        return null;
    }

    private IEnumerable<(string Path, FileOwners? Owners)> Candidates(PortablePdbIdentity identity, ManagedModule module)
    {
        string? beside = module.Path is { } place ? place[..(place.LastIndexOfAny(['/', '\\']) + 1)] + identity.FileName : null;
        return ((string?[])[Existing(beside), Existing(identity.Path)]).OfType<string>().Select(p => (p, files.Owners))
            .Concat(path.Candidates(identity.InStores, stores).Select(p => (p, (FileOwners?)null)));
    }

    private string? Existing(string? named) => named is null ? null : files.Existing(named);

    private PortablePdb? Counted(PortablePdb? pdb)
    {
        _bytes += pdb?.Size ?? 0;
        return pdb;
    }

    private void Refuse(string what, string? reason)
    {
        if (reason is not null && _refused.Count < MostRefused)
        {
            _refused.Add(new ReaderProblem("Symbols", $"{what} is not used: {reason}") { LosesFacts = false });
        }
    }
}
