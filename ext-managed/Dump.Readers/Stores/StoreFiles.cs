using System.Collections.Concurrent;
using Dump.Model.Process;
using Dump.Model.Text;
using Dump.Readers.Cabinets;

namespace Dump.Readers.Stores;

/// <summary>
/// Files in directories that the user named: by name, and laid out as a symbol store (Microsoft, "SymStore": <c>name/key/name</c>, in a store of two tiers
/// below a directory of the name's first two letters), as they are or compressed there (<c>ntdll.dl_</c>, a cabinet). What is compressed is unpacked for the
/// time of this object into a folder that only this user can read. Safe for concurrent use.
/// </summary>
/// <param name="cabinets">Unpacks compressed files; null for the reader of every system.</param>
public sealed class StoreFiles(ICabinets? cabinets = null) : IDisposable
{
    private const string TwoTierMark = "index2.txt";
    private const int TierLength = 2;
    private const int MostUnpacked = 1_000;
    private const long LargestUnpacked = 2L << 30;
    private readonly FileNames _names = new();
    private readonly ICabinets _cabinets = cabinets ?? new PortableCabinets();
    private readonly ConcurrentDictionary<string, Lazy<string?>> _unpacked = new(StringComparer.Ordinal);
    private readonly ConcurrentQueue<ReaderProblem> _problems = new();
    private readonly Lazy<DirectoryInfo> _folder = new(() => Directory.CreateTempSubdirectory("dumpanalyze-store-"));

    /// <summary>Compressed files that could not be unpacked, and why, ordered.</summary>
    public IReadOnlyList<ReaderProblem> Problems => [.. _problems.OrderBy(p => p.Message, StringComparer.Ordinal)];

    /// <summary>Existing files of a name below a directory, in the order of a debugger's search. Which is the right one only its content tells.</summary>
    /// <param name="directory">The directory; it need not exist.</param>
    /// <param name="name">Name of the file. Nothing is found when it is no plain file name: it may come from a dump.</param>
    /// <param name="key">What tells builds apart in a store: time stamp and size of an image, GUID and age of a PDB.</param>
    public IEnumerable<string> Find(string directory, string name, string key)
    {
        if (!FileNames.IsPlain(name) || !FileNames.IsPlain(key))
        {
            yield break;
        }

        if (_names.Find(directory, name) is { } plain && LocalFile.IsRegular(plain))
        {
            yield return plain;
        }

        string packed = name[..^1] + "_";
        foreach (string folder in Folders(directory, name, key))
        {
            if (_names.Find(folder, name) is { } stored && LocalFile.IsRegular(stored))
            {
                yield return stored;
            }
            else if (_names.Find(folder, packed) is { } compressed && LocalFile.IsRegular(compressed) && Unpacked(compressed, name) is { } unpacked)
            {
                yield return unpacked;
            }
        }
    }

    /// <summary>Removes what was unpacked.</summary>
    public void Dispose()
    {
        try
        {
            if (_folder.IsValueCreated)
            {
                _folder.Value.Delete(recursive: true);
            }
        }
        catch (Exception error) when (error is IOException or UnauthorizedAccessException)
        {
            // Somebody has one of them open still; the system's folder for temporary files is where such things may stay.
        }
    }

    /// <summary>The folders in which a store keeps the builds of this key.</summary>
    private IEnumerable<string> Folders(string directory, string name, string key)
    {
        if (_names.Find(directory, name, key) is { } flat)
        {
            yield return flat;
        }

        if (_names.Find(directory, TwoTierMark) is not null
            && _names.Find(directory, name.Length > TierLength ? name[..TierLength] : name, name, key) is { } deep)
        {
            yield return deep;
        }
    }

    private string? Unpacked(string compressed, string name) => _unpacked.Count >= MostUnpacked && !_unpacked.ContainsKey(compressed) ? null
        : _unpacked.GetOrAdd(compressed, path => new Lazy<string?>(() => Unpack(path, name))).Value;

    private string? Unpack(string compressed, string name)
    {
        try
        {
            string target = Path.Combine(_folder.Value.CreateSubdirectory(Path.GetRandomFileName()).FullName, name);
            _cabinets.UnpackOnly(compressed, target, LargestUnpacked);
            return target;
        }
        catch (Exception error) when (error is InvalidDataException or IOException or UnauthorizedAccessException)
        {
            string message = $"{SafeText.Clean(Path.GetFileName(compressed))} is not used: {SafeText.Clean(error.Message.TrimEnd('.'), 300)}";
            _problems.Enqueue(new ReaderProblem("Symbols", message) { LosesFacts = false });
            return null;
        }
    }
}
