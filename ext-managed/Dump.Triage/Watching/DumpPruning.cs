using Dump.Analysis.Merging;
using Dump.Readers.Files;
using Dump.Triage.Discovery;
using Dump.Triage.Records;

namespace Dump.Triage.Watching;

/// <summary>
/// Deletes dumps of which there are enough: files of their own below the watched folders, nothing that a link leads to, nothing that has changed, and only
/// while the others that it counts lie where they were seen.
/// </summary>
internal sealed class DumpPruning : IDisposable
{
    private readonly string[] _inputs;
    private readonly int _examples;
    private readonly Action<string> _force;
    private readonly PruneLock _lock;
    private readonly Dictionary<HangSameness, List<PrunedExample>> _kept = [];

    /// <summary>Takes the locks of the watched folders.</summary>
    /// <param name="options">The watched folders, and the part of the dumps.</param>
    /// <param name="examples">Dumps of one hang that stay.</param>
    /// <param name="force">Sees to it that the record of a dump is found again after a power cut.</param>
    /// <exception cref="OutputInUseException">Another watch deletes dumps of one of the folders.</exception>
    public DumpPruning(TriageOptions options, int examples, Action<string> force)
    {
        _inputs = [.. options.Inputs.Select(i => Path.TrimEndingDirectorySeparator(Path.GetFullPath(i))).Distinct(StringComparer.Ordinal)];
        (_examples, _force, _lock) = (examples, force, new PruneLock(options.Shard));
        try
        {
            _lock.Take(_inputs);
        }
        catch
        {
            _lock.Dispose();
            throw;
        }
    }

    /// <summary>Told of each file that was deleted: its path, and that of a dump that stays and is the same.</summary>
    public Action<string, string>? Deleted { get; init; }

    /// <summary>Files that were deleted.</summary>
    public long Files { get; private set; }

    /// <summary>Their bytes.</summary>
    public long Bytes { get; private set; }

    /// <summary>Keeps a dump as an example of its hang, or deletes it when there are enough.</summary>
    /// <param name="sameness">Of which dumps it is as good as another; known.</param>
    /// <param name="dump">The dump, which has a record.</param>
    public void Keep(HangSameness sameness, FoundDump dump)
    {
        if (!_kept.TryGetValue(sameness, out List<PrunedExample>? kept))
        {
            _kept.Add(sameness, kept = []);
        }

        PrunedExample? example = kept.Find(e => e.Identity == dump.Identity);
        if (example is null && kept.Count >= _examples)
        {
            HashSet<string> own = [.. dump.Places.Select(p => p.File.FullPath)];
            kept.RemoveAll(e => !e.Lies(own));
        }

        if (example is null && kept.Count < _examples)
        {
            kept.Add(example = new PrunedExample(dump.Identity));
        }

        example?.Add(dump);
        if (example is null)
        {
            Delete(dump, kept[0]);
        }
    }

    /// <inheritdoc/>
    public void Dispose() => _lock.Dispose();

    private void Delete(FoundDump dump, PrunedExample same)
    {
        (FoundFile File, string Input)[] files =
            [.. dump.Places.Where(p => p.Member is null).Select(p => (p.File, Input: Watched(p.File))).Where(f => f.Input is not null)!];
        try
        {
            if (files.Length > 0)
            {
                _force(dump.Identity);
            }

            foreach ((FoundFile file, string input) in files)
            {
                if (Remove(file, input))
                {
                    Files++;
                    Bytes += file.Status.Size;
                    Deleted?.Invoke(file.FullPath, same.Place);
                }
            }
        }
        catch (Exception error) when (error is IOException or UnauthorizedAccessException)
        {
            // It stays; that is seen by the number of files that were deleted.
        }
    }

    /// <summary>
    /// Removes a file from the folder that it lies in, which is reached from the locked one without a link: what somebody has put in the place of a folder or of
    /// the file meanwhile stays.
    /// </summary>
    /// <returns>False when another one lies there.</returns>
    /// <exception cref="IOException">It may not be removed.</exception>
    private bool Remove(FoundFile file, string input)
    {
        if (_lock.Locked(input) is not { } folder)
        {
            File.Delete(file.FullPath);
            return true;
        }

        using OpenFolder? named = OpenFolder.Open(input);
        if (named?.Place != folder.Place)
        {
            // The folder has been moved away, or another one lies there: its dumps are no longer where they were found.
            return false;
        }

        string[] way = Path.GetRelativePath(input, file.FullPath).Split(Path.DirectorySeparatorChar);
        Stack<OpenFolder> opened = [];
        try
        {
            foreach (string name in way[..^1])
            {
                if (folder.Inner(name) is not { } inner)
                {
                    return false;
                }

                opened.Push(folder = inner);
            }

            if (folder.StatusOf(way[^1]) is not { IsFile: true } status || EntryStatus.From(status, isLink: false) != file.Status)
            {
                return false;
            }

            folder.Remove(way[^1]);
            return true;
        }
        finally
        {
            foreach (OpenFolder inner in opened)
            {
                inner.Dispose();
            }
        }
    }

    /// <summary>The watched folder that an unchanged file may be deleted below; else null.</summary>
    private string? Watched(FoundFile file) => EntryStatus.Of(file.FullPath) is { Kind: EntryKind.File, IsLink: false } now && now == file.Status
        && Watched(file.FullPath) is { } input && _lock.Has(input, _inputs) ? input : null;

    /// <summary>The watched folder that a file lies below, without a link on the way and without a folder that another watch deletes from; else null.</summary>
    private string? Watched(string path)
    {
        for (string? folder = Path.GetDirectoryName(path); folder is not null; folder = Path.GetDirectoryName(folder))
        {
            if (_inputs.Contains(folder, StringComparer.Ordinal))
            {
                return folder;
            }

            if (EntryStatus.Of(folder) is not { IsLink: false } || PruneLock.IsTaken(folder))
            {
                return null;
            }
        }

        return null;
    }
}

/// <summary>A dump that stays as an example of its hang, as long as it lies where it was seen.</summary>
/// <param name="identity">Identity of its content.</param>
internal sealed class PrunedExample(string identity)
{
    private readonly Dictionary<string, EntryStatus> _places = new(StringComparer.Ordinal);

    /// <summary>Identity of its content.</summary>
    public string Identity => identity;

    /// <summary>Where it lies, or one of its places.</summary>
    public string Place => _places.Keys.Min(StringComparer.Ordinal)!;

    /// <summary>Notes where it lies: files of its own, and archives that it is in.</summary>
    public void Add(FoundDump dump)
    {
        foreach (FoundFile file in dump.Places.Select(p => p.File))
        {
            _places[file.FullPath] = file.Status;
        }
    }

    /// <summary>True when it lies unchanged at one of its places at least.</summary>
    /// <param name="others">Paths at which something else lies.</param>
    public bool Lies(IReadOnlySet<string> others) => _places.Any(p => !others.Contains(p.Key) && EntryStatus.Of(p.Key) == p.Value);
}
