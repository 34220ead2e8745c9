using Dump.Triage.Discovery;

namespace Dump.Triage.Watching;

/// <summary>Deletes dumps of which there are enough: files of their own below the watched folders, nothing that a link leads to, nothing that has changed.</summary>
/// <param name="inputs">The watched folders.</param>
/// <param name="examples">Dumps of one bucket that stay.</param>
internal sealed class DumpPruning(IEnumerable<string> inputs, int examples)
{
    private readonly string[] _inputs = [.. inputs.Select(i => Path.TrimEndingDirectorySeparator(Path.GetFullPath(i)))];
    private readonly Dictionary<string, HashSet<string>> _kept = new(StringComparer.Ordinal);

    /// <summary>Files that were deleted.</summary>
    public long Files { get; private set; }

    /// <summary>Their bytes.</summary>
    public long Bytes { get; private set; }

    /// <summary>Keeps a dump as an example of its bucket, or deletes it when there are enough.</summary>
    /// <param name="bucket">The bucket.</param>
    /// <param name="dump">The dump, whose record is on the disk.</param>
    public void Keep(string bucket, FoundDump dump)
    {
        if (!_kept.TryGetValue(bucket, out HashSet<string>? kept))
        {
            _kept.Add(bucket, kept = []);
        }

        if (kept.Contains(dump.Identity) || kept.Count < examples)
        {
            kept.Add(dump.Identity);
            return;
        }

        foreach (DumpPlace place in dump.Places.Where(p => p.Member is null))
        {
            Delete(place.File);
        }
    }

    private void Delete(FoundFile file)
    {
        EntryStatus? now = EntryStatus.Of(file.FullPath);
        if (now is not { Kind: EntryKind.File, IsLink: false } || now != file.Status || !IsBelow(file.FullPath))
        {
            return;
        }

        try
        {
            File.Delete(file.FullPath);
            Files++;
            Bytes += now.Size;
        }
        catch (Exception error) when (error is IOException or UnauthorizedAccessException)
        {
            // It stays; that is seen by the number of files that were deleted.
        }
    }

    /// <summary>True when a file lies below a watched folder without a link on the way.</summary>
    private bool IsBelow(string path)
    {
        for (string? folder = Path.GetDirectoryName(path); folder is not null; folder = Path.GetDirectoryName(folder))
        {
            if (_inputs.Contains(folder, StringComparer.Ordinal))
            {
                return true;
            }

            if (EntryStatus.Of(folder) is not { IsLink: false })
            {
                return false;
            }
        }

        return false;
    }
}
