using Dump.Readers.Files;
using Dump.Triage.Records;

namespace Dump.Triage.Watching;

/// <summary>
/// Keeps two watches that delete dumps from one folder: each would keep other examples, and delete those of the other. A file in the watched folder is locked
/// while the watch runs; watches for parts of the dumps, which never have the same, may share it.
/// </summary>
/// <param name="shard">The part of the dumps, or null for all.</param>
internal sealed class PruneLock(Shard? shard) : IDisposable
{
    // The file stays, empty.
    private const string Name = Discovery.FolderWalk.LockStart;

    private readonly Dictionary<string, RunLock> _held = new(StringComparer.Ordinal);

    /// <summary>Takes the locks of all folders that are there.</summary>
    /// <param name="folders">Full paths.</param>
    /// <exception cref="OutputInUseException">Another watch has one, or that of a folder above.</exception>
    public void Take(IReadOnlyCollection<string> folders)
    {
        foreach (string folder in folders.Where(Directory.Exists))
        {
            try
            {
                TakeOne(folder, folders);
            }
            catch (UnusableOutputException)
            {
                // Nothing is deleted there.
            }
        }
    }

    /// <summary>True when this watch has the lock of a folder, or gets it now that the folder is there.</summary>
    /// <param name="folder">Full path of a watched folder.</param>
    /// <param name="folders">All of them.</param>
    public bool Has(string folder, IReadOnlyCollection<string> folders)
    {
        try
        {
            TakeOne(folder, folders);
            return true;
        }
        catch (Exception error) when (error is OutputInUseException or UnusableOutputException or IOException)
        {
            return false;
        }
    }

    /// <summary>True when a watch has the lock of a folder.</summary>
    /// <param name="folder">Full path of a folder that is not one of this watch.</param>
    public static bool IsTaken(string folder) => RunLock.IsTaken(folder, Name);

    /// <summary>The very folder that is locked, whatever lies at its path by now; null elsewhere than on Linux.</summary>
    /// <param name="folder">Full path of a watched folder whose lock this watch has.</param>
    public OpenFolder? Locked(string folder) => _held[folder].Folder;

    /// <inheritdoc/>
    public void Dispose()
    {
        foreach (RunLock held in _held.Values)
        {
            held.Dispose();
        }
    }

    private void TakeOne(string folder, IReadOnlyCollection<string> folders)
    {
        if (_held.ContainsKey(folder))
        {
            return;
        }

        for (string? above = Path.GetDirectoryName(folder); above is not null; above = Path.GetDirectoryName(above))
        {
            if (!folders.Contains(above, StringComparer.Ordinal) && IsTaken(above))
            {
                throw InUse(above);
            }
        }

        try
        {
            RunLock held = RunLock.Take(folder, shard, Name);
            if (IsPlanted(folder, held.Folder))
            {
                held.Dispose();
                throw new UnusableOutputException(folder, "it is reached through a link of another user", new IOException());
            }

            _held.Add(folder, held);
        }
        catch (OutputInUseException)
        {
            throw InUse(folder);
        }
    }

    /// <summary>True when a link that another user may have planted lies on the way to a folder, or when it changed its place meanwhile.</summary>
    private static bool IsPlanted(string path, OpenFolder? opened)
    {
        if (opened is null || opened.Place == path)
        {
            return false;
        }

        try
        {
            bool isPlanted = false;
            for (string? way = path; way is not null && !isPlanted; way = Path.GetDirectoryName(way))
            {
                isPlanted = RegularFile.StrangerOf(way) is not null;
            }

            using OpenFolder? again = OpenFolder.Open(path);
            return isPlanted || again?.Place != opened.Place;
        }
        catch (Exception error) when (error is IOException or UnauthorizedAccessException)
        {
            return true;
        }
    }

    private static OutputInUseException InUse(string folder) => new($"--prune: another watch deletes dumps of {Model.Text.SafeText.Clean(folder)}, and would keep "
        + "other examples than this one; watch other folders, or leave out --prune");
}
