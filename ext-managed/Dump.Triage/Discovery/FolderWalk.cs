using Dump.Model.Text;
using Dump.Triage.Records;

namespace Dump.Triage.Discovery;

/// <summary>Lists the files below folders: each folder once, whatever links lead to it, in ordinal order, without opening anything.</summary>
/// <param name="warnings">Takes what is passed over.</param>
/// <param name="excluded">Keys of folders that are not entered.</param>
/// <param name="output">Key of the folder that the run writes to, of which nothing that runs write is listed; null for none.</param>
internal sealed class FolderWalk(ICollection<TriageWarning> warnings, IEnumerable<string> excluded, string? output = null)
{
    /// <summary>Begins the names of files that a watch locks in its folders, which nobody else can open on some systems.</summary>
    public const string LockStart = ".dumpanalyze-prune";

    private readonly HashSet<string> _seen = [.. excluded];

    /// <summary>Lists the files of a folder, or the file itself.</summary>
    /// <param name="input">The folder or file.</param>
    /// <param name="prefix">What stands before the paths, empty or with <c>/</c> at its end.</param>
    /// <param name="cancellation">Ends the walk.</param>
    public IEnumerable<FoundFile> Files(string input, string prefix, CancellationToken cancellation)
    {
        string shown = SafeText.Clean(input);
        switch (EntryStatus.Of(input))
        {
            case null:
                Warn(shown, "there is no such file or folder, or it may not be looked at", notLookedAt: true);
                return [];
            case { Kind: EntryKind.Special } status:
                Warn(shown, $"this is {status.What}, which is not opened");
                return [];
            case { Kind: EntryKind.File } status:
                return [new FoundFile(Path.GetFullPath(input), prefix + SafeText.Clean(Path.GetFileName(input)), status, IsAskedFor: true)];
            case { } status:
                return Below(new Folder(Path.GetFullPath(input), prefix, status.Key), cancellation);
        }
    }

    private IEnumerable<FoundFile> Below(Folder root, CancellationToken cancellation)
    {
        Stack<Folder> open = new([root]);

        // A folder that is also reached by a link goes by its own name, so links come last.
        Queue<Folder> linked = [];
        while (open.Count > 0 || linked.Count > 0)
        {
            cancellation.ThrowIfCancellationRequested();
            Folder folder = open.Count > 0 ? open.Pop() : linked.Dequeue();
            if (!_seen.Add(folder.Key))
            {
                continue;
            }

            List<Folder> inner = [];
            string[] entries = Entries(folder);
            bool isOutput = folder.Key == output || OutputFolder.IsOne(entries);
            if (isOutput && folder != root)
            {
                continue;
            }

            foreach (string path in isOutput ? entries.Where(e => !OutputFolder.IsOwnEntry(e)) : entries)
            {
                if (Path.GetFileName(path.AsSpan()).StartsWith(LockStart))
                {
                    continue;
                }

                string name = folder.Prefix + SafeText.Clean(Path.GetFileName(path));
                if (EntryStatus.Of(path) is not { } status)
                {
                    WarnOfUnknown(path, name);
                }
                else if (status.Kind == EntryKind.File)
                {
                    yield return new FoundFile(path, name, status, IsAskedFor: false);
                }
                else if (status.Kind == EntryKind.Special)
                {
                    Warn(name, $"this is {status.What}, which is not opened");
                }
                else if (Path.GetFileName(path) is var held && (held.StartsWith(WorkFolder.NameStart, StringComparison.Ordinal)
                    || held.StartsWith(CaptureNames.PendingStart, StringComparison.Ordinal)))
                {
                    // What another run, or one that was killed, has unpacked, or what a watch is capturing.
                    continue;
                }
                else if (status.IsLink)
                {
                    linked.Enqueue(new Folder(path, name + "/", status.Key));
                }
                else
                {
                    inner.Add(new Folder(path, name + "/", status.Key));
                }
            }

            inner.Reverse();
            inner.ForEach(open.Push);
        }
    }

    private string[] Entries(Folder folder)
    {
        try
        {
            string[] entries = Directory.GetFileSystemEntries(folder.Path);
            Array.Sort(entries, StringComparer.Ordinal);
            return entries;
        }
        catch (Exception error) when (error is IOException or UnauthorizedAccessException)
        {
            Warn(folder.Prefix.Length == 0 ? SafeText.Clean(Path.GetFileName(folder.Path)) : folder.Prefix,
                "this folder cannot be read" + (error is UnauthorizedAccessException ? ": it belongs to another user" : ""), notLookedAt: true);
            return [];
        }
    }

    /// <summary>Names that are no UTF-8 cannot be handed back to the system: what stands for their bytes is another name.</summary>
    private void WarnOfUnknown(string path, string name)
    {
        if (name.Contains('\uFFFD', StringComparison.Ordinal))
        {
            Warn(name, "its name is not UTF-8, so it cannot be opened; rename it", notLookedAt: true);
            return;
        }

        try
        {
            _ = File.GetAttributes(path);
            bool isThere = LeadsSomewhere(path);
            Warn(name, isThere ? "it is a link to what may not be looked at" : "it is a link that leads nowhere", notLookedAt: isThere);
        }
        catch (Exception error) when (error is IOException or UnauthorizedAccessException)
        {
            Warn(name, error is UnauthorizedAccessException ? "it may not be looked at" : "it was gone when it was looked at",
                notLookedAt: error is UnauthorizedAccessException);
        }
    }

    /// <summary>False for links to nothing and in a circle; true where the way there is closed to this user.</summary>
    private static bool LeadsSomewhere(string path)
    {
        try
        {
            return File.ResolveLinkTarget(path, returnFinalTarget: true) is { } target && File.GetAttributes(target.FullName) >= 0;
        }
        catch (IOException)
        {
            return false;
        }
        catch (UnauthorizedAccessException)
        {
            return true;
        }
    }

    private void Warn(string path, string message, bool notLookedAt = false) => warnings.Add(new TriageWarning(path, message) { NotLookedAt = notLookedAt });

    private sealed record Folder(string Path, string Prefix, string Key);
}

/// <summary>Knows the folders that runs write to by what lies in them, so that none is searched for dumps.</summary>
internal static class OutputFolder
{
    /// <summary>True for the entries of a folder that a run has written to.</summary>
    /// <param name="entries">Paths of its entries.</param>
    public static bool IsOne(IReadOnlyCollection<string> entries)
    {
        HashSet<string> names = [.. entries.Select(e => Path.GetFileName(e))];
        return names.Contains(RunLock.Name) && names.Contains(RecordFiles.Folder) && names.Any(RunFiles.IsResults);
    }

    /// <summary>True for an entry of such a folder that a run writes.</summary>
    /// <param name="path">Path of the entry.</param>
    public static bool IsOwnEntry(string path)
    {
        string name = Path.GetFileName(path);
        return name == RecordFiles.Folder || name.StartsWith(RunLock.Name, StringComparison.Ordinal)
            || name.EndsWith(AtomicFile.Suffix, StringComparison.Ordinal)
            || RunFiles.IsResults(name) || RunFiles.IsSummary(name) || name == CopiedRuns.FileName;
    }
}
