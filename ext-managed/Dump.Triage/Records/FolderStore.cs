using System.Text;
using System.Text.Json;
using Dump.Model.Text;
using Dump.Readers.Files;

namespace Dump.Triage.Records;

/// <summary>A folder of records as one of several kinds of places that keep them, to convert between them. Runs of triage use the folder itself.</summary>
public sealed class FolderStore : IRecordStore
{
    private const string Run = "copy";
    private const long LongestSummary = 256L << 20;
    private readonly string _folder;
    private readonly RunLock? _held;
    private readonly Dictionary<string, StoredRun> _runs = new(StringComparer.Ordinal);

    private FolderStore(string folder, RunLock? held) => (_folder, _held) = (folder, held);

    /// <inheritdoc/>
    public string Name => SafeText.Clean(_folder);

    /// <summary>Opens a folder to read from.</summary>
    /// <param name="folder">The folder that <c>--out</c> named.</param>
    /// <exception cref="UnusableStoreException">There is no such folder, or no run has written to it.</exception>
    public static FolderStore Read(string folder) => Directory.Exists(Path.Combine(folder, RecordFiles.Folder)) ? new FolderStore(folder, null)
        : throw new UnusableStoreException($"'{SafeText.Clean(folder)}' holds no records of dumpanalyze triage");

    /// <summary>Opens a folder to write to, which is made when it is not there; no run can write to it meanwhile.</summary>
    /// <param name="folder">The folder.</param>
    /// <exception cref="UnwritableRecordException">It cannot be written.</exception>
    /// <exception cref="OutputInUseException">A run writes to it.</exception>
    public static FolderStore Write(string folder)
    {
        try
        {
            Directory.CreateDirectory(Path.Combine(folder, RecordFiles.Folder));
        }
        catch (Exception error) when (error is IOException or UnauthorizedAccessException)
        {
            throw new UnwritableRecordException(SafeText.Clean(error.Message.TrimEnd('.')), error);
        }

        FolderStore store = new(folder, RunLock.Take(folder, null));
        store.TakeOwn();
        return store;
    }

    /// <inheritdoc/>
    public StoredRecord? Find(string identity) =>
        RecordFiles.PathOf(_folder, identity) is var path && File.Exists(path) ? ReadFile(path, identity) : null;

    /// <inheritdoc/>
    public void Put(StoredRecord record)
    {
        string path = RecordFiles.PathOf(_folder, record.Identity);
        try
        {
            Directory.CreateDirectory(Path.GetDirectoryName(path)!);
        }
        catch (Exception error) when (error is IOException or UnauthorizedAccessException)
        {
            throw new UnwritableRecordException(SafeText.Clean(error.Message.TrimEnd('.')), error);
        }

        AtomicFile.Write(path, Run, file => file.Write(record.Content.Span));
    }

    /// <inheritdoc/>
    public void Remove(string identity) => AtomicFile.Remove(RecordFiles.PathOf(_folder, identity));

    /// <inheritdoc/>
    public IEnumerable<StoredRecord> ReadAll() => RecordFiles.Enumerate(_folder).OrderBy(RecordFiles.IdentityOf, StringComparer.Ordinal)
        .Select(path => ReadFile(path, RecordFiles.IdentityOf(path)));

    /// <inheritdoc/>
    public IReadOnlyList<StoredRecord> Vanished(string run) => [];

    /// <inheritdoc/>
    public IReadOnlyList<StoredRun> Runs()
    {
        List<StoredRun> runs = [];
        string whole = RunFiles.SummaryName(null);
        foreach (string path in Directory.EnumerateFiles(_folder, RunFiles.SummaryPattern).Take(Shard.Most + 1).Order(StringComparer.Ordinal))
        {
            byte[]? summary = Bytes(path, LongestSummary);
            string name = Path.GetFileName(path);
            runs.Add(new StoredRun(name == whole ? WholeKey : KeyOf(name), null, Name, Part(summary), null, summary is null ? null : (ReadOnlyMemory<byte>?)summary)
            {
                Replaces = name == whole ? null : WholeKey,
            });
        }

        return runs.Count > 0 ? runs : [new StoredRun(WholeKey, null, Name, null, null, null)];
    }

    /// <inheritdoc/>
    public void Put(StoredRun run)
    {
        if (run.Replaces is { } replaced && _runs.TryGetValue(replaced, out StoredRun? placeholder) && placeholder.Summary is null)
        {
            _runs.Remove(replaced);
        }

        _runs[run.Key] = run;
    }

    /// <inheritdoc/>
    public void Complete()
    {
        IEnumerable<RecordSummary> lines = ReadAll().Select(r => RecordDocuments.Read(r, RecordSummary.Of, out _)).OfType<RecordSummary>();
        using (ResultLines results = new(RunFiles.ResultsOf(_folder, null), Run, lines))
        {
            // Written whole by its constructor.
        }

        // A run that has not ended, or whose summary is damaged, leaves no summary, so that whoever reads the folder knows that dumps may be missing. Parts that
        // make up a whole would say that it has ended, so with a run over all dumps that has not, none is left.
        Dictionary<string, string> written = new(StringComparer.Ordinal);
        bool isWhole = _runs.Values.All(r => r.Shard is not null || HasEnded(r));
        foreach (IGrouping<string, StoredRun> part in _runs.Values.GroupBy(r => RunFiles.SummaryName(r.Shard), StringComparer.Ordinal))
        {
            string path = Path.Combine(_folder, part.Key);
            if (!isWhole || !part.All(HasEnded))
            {
                AtomicFile.Remove(path);
                continue;
            }

            ReadOnlyMemory<byte>[] summaries = [.. part.Select(r => r.Summary!.Value)];
            byte[] summary = summaries is [var only] ? only.ToArray() : SummaryJson.Joined(summaries);
            AtomicFile.Write(path, Run, file => file.Write(summary));
            written[part.Key] = CopiedRuns.HashOf(summary);
        }

        new CopiedRuns { Runs = [.. _runs.Values.Select(Kept)], Written = written }.Write(_folder, Run);
    }

    /// <inheritdoc/>
    public void Dispose() => _held?.Dispose();

    private static bool HasEnded(StoredRun run) => run.Summary is { } summary && SummaryJson.IsJson(summary);

    /// <summary>Takes the runs that the folder has records of: those that were copied into it, and its own since.</summary>
    private void TakeOwn()
    {
        IReadOnlyList<StoredRun> own = Runs();
        if (CopiedRuns.Read(_folder) is not { } copied)
        {
            if (own.Any(r => r.Summary is not null) || RecordFiles.Enumerate(_folder).Any())
            {
                own.ToList().ForEach(Put);
            }

            return;
        }

        foreach (StoredRun run in copied.Runs)
        {
            Put(run.Key.StartsWith(CopiedRuns.Own, StringComparison.Ordinal) ? run with { Key = KeyOf(run.Key[CopiedRuns.Own.Length..]) } : run);
        }

        StoredRun[] ended = [.. own.Where(r => r.Summary is not null)];
        foreach (StoredRun run in ended.Where(r => copied.Written.GetValueOrDefault(RunFiles.SummaryName(r.Shard)) != CopiedRuns.HashOf(r.Summary!.Value.Span)))
        {
            Put(run);
        }

        // Another run of the folder's has begun, and taken away what says that the one before has ended.
        foreach (string name in copied.Written.Keys.Where(n => !ended.Any(r => RunFiles.SummaryName(r.Shard) == n)))
        {
            Put(new StoredRun(name == RunFiles.SummaryName(null) ? WholeKey : KeyOf(name), null, Name, RunFiles.PartOf(name), null, null));
        }
    }

    private StoredRun Kept(StoredRun run)
    {
        string name = run.Shard is null ? "" : RunFiles.SummaryName(run.Shard);
        return run.Key == KeyOf(name) ? run with { Key = CopiedRuns.Own + name } : run;
    }

    private static StoredRecord ReadFile(string path, string identity) => Bytes(path, RecordDocuments.LongestRecord) is { } content
        ? new StoredRecord(identity, null, content)
        : new StoredRecord(identity, null, default) { Problem = RecordDocuments.Unreadable };

    private static byte[]? Bytes(string path, long longest)
    {
        try
        {
            using FileStream file = RegularFile.OpenRead(path);
            if (file.Length > longest)
            {
                return null;
            }

            byte[] content = new byte[file.Length];
            file.ReadExactly(content);
            return content;
        }
        catch (Exception error) when (error is IOException or UnauthorizedAccessException)
        {
            return null;
        }
    }

    private static string? Part(byte[]? summary)
    {
        try
        {
            using var json = JsonDocument.Parse(summary ?? []);
            return json.RootElement.Text("shard");
        }
        catch (Exception error) when (error is JsonException or InvalidOperationException)
        {
            return null;
        }
    }

    /// <summary>Key of the run over all dumps, whether it has a summary or not.</summary>
    private string WholeKey => KeyOf("");

    private string KeyOf(string name) =>
        Convert.ToHexStringLower(Sha256.HashData(Encoding.UTF8.GetBytes($"folder\0{Path.GetFullPath(_folder)}\0{name}")));
}

/// <summary>A run of triage as a place of records keeps it.</summary>
/// <param name="Key">What tells it from other runs: another attempt at the same has the same key (64 hexadecimal digits in lower case).</param>
/// <param name="Machine">Name of the machine that it ran on, or null where that is not known.</param>
/// <param name="Inputs">What it looked through, for people.</param>
/// <param name="Shard">The part of the dumps, such as <c>2/4</c>, or null for all.</param>
/// <param name="Started">When it began (UTC), or null where that is not known.</param>
/// <param name="Summary">Its summary <c>dump-triage/1</c> in UTF-8; null while it has not come to its end.</param>
public sealed record StoredRun(string Key, string? Machine, string Inputs, string? Shard, DateTime? Started, ReadOnlyMemory<byte>? Summary)
{
    /// <summary>Key of what stood for this run while nobody knew whether it had parts: that goes when this one is put, unless it has ended. Null for none.</summary>
    public string? Replaces { get; init; }
}

/// <summary>A place of records that cannot be used: it is none, damaged, of another version, or cannot be reached.</summary>
/// <param name="message">Which and why, as a clause that names the place and says what to do.</param>
/// <param name="inner">The cause, or null.</param>
public sealed class UnusableStoreException(string message, Exception? inner = null) : Exception(message, inner);

/// <summary>
/// The place of the records cannot be written, for example because its disk is full. What was written before stands; the next run goes on from there.
/// </summary>
/// <param name="message">What happened, as a clause.</param>
/// <param name="inner">The cause.</param>
public sealed class UnwritableRecordException(string message, Exception inner) : Exception(message, inner)
{
    /// <summary>Name of the store, sanitised; null for the folder that <c>--out</c> names.</summary>
    public string? Place { get; init; }
}
