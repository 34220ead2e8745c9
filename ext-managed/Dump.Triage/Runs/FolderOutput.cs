using Dump.Model.Merging;
using Dump.Model.Text;
using Dump.Triage.Discovery;
using Dump.Triage.Records;

namespace Dump.Triage.Runs;

/// <summary>A run that keeps its records in a folder, of which it is the only one, or the only one for its part of the dumps.</summary>
internal sealed class FolderOutput : IRunOutput
{
    private readonly RunLock _held;
    private readonly Shard? _shard;
    private readonly string _name;
    private ResultLines? _lines;
    private bool _hasForced;

    /// <summary>Makes the folder when it is not there, and takes its lock.</summary>
    /// <param name="folder">The folder that <c>--out</c> named.</param>
    /// <param name="shard">The part of the dumps, or null for all.</param>
    /// <param name="name">Name of the run.</param>
    /// <exception cref="UnusableOutputException">It cannot be made or written to, so nothing was begun.</exception>
    /// <exception cref="OutputInUseException">Another run writes to it.</exception>
    public FolderOutput(string folder, Shard? shard, string name)
    {
        (Folder, _shard, _name) = (folder, shard, name);
        try
        {
            Directory.CreateDirectory(Path.Combine(folder, RecordFiles.Folder));
        }
        catch (Exception error) when (error is IOException or UnauthorizedAccessException)
        {
            throw new UnusableOutputException(folder, error switch
            {
                UnauthorizedAccessException => "it may not be made or written to",
                DirectoryNotFoundException or FileNotFoundException => "no folder can be made there",
                _ => $"it cannot be made ({SafeText.Clean(error.Message.Split(" : '")[0].TrimEnd('.'))})",
            }, error);
        }

        _held = RunLock.Take(folder, shard);
    }

    /// <inheritdoc/>
    public string Folder { get; }

    /// <inheritdoc/>
    public void Begin()
    {
        RemoveLeftovers();
        GoOn();
    }

    /// <inheritdoc/>
    public void GoOn() =>

        // A summary is there when its run came to its end, and only then.
        AtomicFile.Remove(RunFiles.SummaryOf(Folder, _shard));

    /// <inheritdoc/>
    public T? Read<T>(string identity, Func<RecordContent, T> take)
        where T : class => RecordFiles.Read(RecordFiles.PathOf(Folder, identity), take, out _);

    /// <inheritdoc/>
    public void Write(RecordContent record)
    {
        string path = RecordFiles.PathOf(Folder, record.Identity);
        Directory.CreateDirectory(Path.GetDirectoryName(path)!);
        AtomicFile.Write(path, _name, file => RecordJson.Write(file, record));
    }

    /// <inheritdoc/>
    public void Remove(string identity) => AtomicFile.Remove(RecordFiles.PathOf(Folder, identity));

    /// <inheritdoc/>
    public void Force(string identity)
    {
        string folder = Path.GetDirectoryName(Path.GetFullPath(RecordFiles.PathOf(Folder, identity)))!;
        FolderEntries.Force(folder);
        if (!_hasForced)
        {
            // The folders in which that one stands were made by this run at the earliest.
            string records = Path.GetDirectoryName(folder)!, output = Path.GetDirectoryName(records)!;
            FolderEntries.Force(records);
            FolderEntries.Force(output);
            FolderEntries.Force(Path.GetDirectoryName(output) ?? output);
            _hasForced = true;
        }
    }

    /// <inheritdoc/>
    public void Resume(IReadOnlyCollection<RecordSummary> kept) => _lines = new ResultLines(RunFiles.ResultsOf(Folder, _shard), _name, kept);

    /// <inheritdoc/>
    public void Append(RecordSummary record) => _lines?.Append(record);

    /// <inheritdoc/>
    public void Finish(IReadOnlyCollection<FoundDump> found, IReadOnlyCollection<RecordSummary> all)
    {
        _lines?.Finish(all);
        RemoveStale(found);
    }

    /// <inheritdoc/>
    public void RemoveStale(IReadOnlyCollection<FoundDump> found) => StaleRecords.Remove(Folder, found);

    /// <inheritdoc/>
    public void End(Action<Stream> write) => AtomicFile.Write(RunFiles.SummaryOf(Folder, _shard), _name, write);

    /// <inheritdoc/>
    public void Dispose()
    {
        _lines?.Dispose();
        _held.Dispose();
    }

    private void RemoveLeftovers()
    {
        string suffix = $".{_name}{AtomicFile.Suffix}";
        EnumerationOptions search = new() { RecurseSubdirectories = true, MaxRecursionDepth = 1, AttributesToSkip = FileAttributes.ReparsePoint };
        foreach (string path in Directory.EnumerateFiles(Path.Combine(Folder, RecordFiles.Folder), "*" + AtomicFile.Suffix, search)
                     .Concat(Directory.EnumerateFiles(Folder, "*" + AtomicFile.Suffix)))
        {
            if (_shard is null || path.EndsWith(suffix, StringComparison.Ordinal))
            {
                AtomicFile.Remove(path);
            }
        }

        if (_shard is null)
        {
            WorkFolder.RemoveAll(Folder);
        }
    }
}

/// <summary>Records of dumps that were still being written when they were read: whole, they are other dumps with records of their own.</summary>
internal static class StaleRecords
{
    /// <summary>
    /// Removes the records that say "vanished" of places where something else lies now. Others stay: that a dump was deleted makes no record wrong.
    /// </summary>
    /// <param name="output">Folder of the records.</param>
    /// <param name="found">All dumps that are there now.</param>
    public static void Remove(string output, IReadOnlyCollection<FoundDump> found)
    {
        HashSet<string> identities = [.. found.Select(d => d.Identity)];
        HashSet<(string Path, string? Member)> places = [.. found.SelectMany(d => d.Places).Select(p => (p.Source.Path, p.Source.Member))];
        string[] others = [.. RecordFiles.Enumerate(output).Where(f => !identities.Contains(Path.GetFileNameWithoutExtension(f)))];
        foreach (string path in others)
        {
            bool? isStale = RecordFiles.Read<object>(path, r => r.Outcome == TriageOutcome.Vanished && r.Sources.All(s => places.Contains((s.Path, s.Member))),
                out _) as bool?;
            if (isStale == true)
            {
                AtomicFile.Remove(path);
            }
        }
    }
}
