using System.Collections.Concurrent;
using Dump.Model.Process;
using Dump.Model.Text;
using Dump.Readers.Pe;
using Dump.Readers.Stores;
using Dump.Readers.Symbols.Pdb;

namespace Dump.Readers.Symbols;

/// <summary>The PDB files of images, found on a symbol path and opened once each. Safe for concurrent use.</summary>
/// <param name="path">Where to look.</param>
/// <param name="files">Finds files there; must outlive this object. Null for one of its own.</param>
internal sealed class ModulePdbs(SymbolSearchPath path, StoreFiles? files) : IDisposable
{
    private const int MaxFiles = 10_000;
    private const int MaxRejected = 100;
    private const int MaxNamed = 3;
    private readonly StoreFiles? _ownFiles = files is null ? new StoreFiles() : null;
    private readonly ConcurrentDictionary<PdbIdentity, Lazy<PdbFile?>> _files = new();
    private readonly ConcurrentQueue<ReaderProblem> _rejected = new();
    private readonly ConcurrentDictionary<string, bool> _used = new(StringComparer.Ordinal);
    private readonly ConcurrentDictionary<string, bool> _missing = new(StringComparer.Ordinal);

    /// <summary>Names of the files that symbols were taken from, ordered.</summary>
    public IReadOnlyList<string> Used => [.. _used.Keys.Order(StringComparer.Ordinal)];

    /// <summary>Which files were refused and why, and which were not found and where was not looked, ordered.</summary>
    public IReadOnlyList<ReaderProblem> Problems =>
    [
        .. _rejected.OrderBy(p => p.Message, StringComparer.Ordinal),
        .. _missing.IsEmpty ? [] : (ReaderProblem[])[new("Symbols", Missing()) { LosesFacts = false }],
    ];

    /// <summary>The PDB of an image; null when the image names none or no matching file was found.</summary>
    public PdbFile? Of(PeImage image)
    {
        if (!path.HasPlaces || image.Pdb is not { } identity)
        {
            return null;
        }

        if (_files.Count >= MaxFiles)
        {
            return _files.TryGetValue(identity, out Lazy<PdbFile?>? known) ? known.Value : null;
        }

        return _files.GetOrAdd(identity, static (key, pdbs) => new Lazy<PdbFile?>(() => pdbs.Open(key)), this).Value;
    }

    /// <inheritdoc/>
    public void Dispose()
    {
        foreach (Lazy<PdbFile?> file in _files.Values)
        {
            if (file.IsValueCreated)
            {
                file.Value?.Dispose();
            }
        }

        _ownFiles?.Dispose();
    }

    private PdbFile? Open(PdbIdentity identity)
    {
        bool isFound = false;
        foreach (string candidate in path.Candidates(identity, files ?? _ownFiles!))
        {
            isFound = true;
            string name = SafeText.Clean(Path.GetFileName(candidate));
            if (PdbFile.Open(candidate, identity, out string? reason) is { } file)
            {
                _used.TryAdd(name, true);
                return file;
            }

            if (_rejected.Count < MaxRejected)
            {
                _rejected.Enqueue(new ReaderProblem("Symbols", $"{name} is not used: {reason}") { LosesFacts = false });
            }
        }

        if (!isFound && !path.IsEmpty)
        {
            _missing.TryAdd(SafeText.Clean(identity.FileName), true);
        }

        return null;
    }

    private string Missing()
    {
        string[] names = [.. _missing.Keys.Order(StringComparer.Ordinal)];
        string more = names.Length > MaxNamed ? $" and {names.Length - MaxNamed} more" : "";
        string[] absent = [.. path.Directories.Where(d => !Directory.Exists(d))];
        return $"the symbol path has no {string.Join(", ", names.Take(MaxNamed))}{more}"
            + (path.Skipped.IsEmpty ? "" : $"; only local directories are used, not {SafeText.Clean(string.Join(", ", path.Skipped), 512)}")
            + (path.Servers.IsEmpty ? "" : " (dumpanalyze fetch FILE asks its servers)")
            + (absent.Length == 0 ? "" : $"; there is no directory {SafeText.Clean(string.Join(", ", absent), 512)}");
    }
}
