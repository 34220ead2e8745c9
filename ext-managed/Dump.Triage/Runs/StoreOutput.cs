using System.Text;
using Dump.Model.Merging;
using Dump.Model.Text;
using Dump.Triage.Discovery;
using Dump.Triage.Records;

namespace Dump.Triage.Runs;

/// <summary>A run that keeps its records in a store, to which others may write at the same time.</summary>
internal sealed class StoreOutput : IRunOutput
{
    private const string FolderStart = "dumpanalyze-triage-";
    private readonly IRecordStore _store;
    private readonly StoredRun _run;

    /// <summary>Makes a folder of its own to unpack into.</summary>
    /// <param name="store">The store, which stays open.</param>
    /// <param name="options">What is looked through.</param>
    public StoreOutput(IRecordStore store, TriageOptions options)
    {
        _store = store;
        string[] inputs = [.. options.Inputs.Select(i => Path.GetFullPath(i))];
        string key = string.Join('\0', [Environment.MachineName, options.Shard?.Text ?? "", .. options.Include, "", .. inputs]);
        _run = new StoredRun(
            Convert.ToHexStringLower(Sha256.HashData(Encoding.UTF8.GetBytes(key))), SafeText.Clean(Environment.MachineName),
            SafeText.Clean(string.Join(", ", inputs)), options.Shard?.Text, DateTime.UtcNow, null);
        try
        {
            Folder = Directory.CreateTempSubdirectory(FolderStart).FullName;
        }
        catch (Exception error) when (error is IOException or UnauthorizedAccessException)
        {
            throw new UnwritableRecordException(SafeText.Clean(error.Message.TrimEnd('.')), error);
        }
    }

    /// <inheritdoc/>
    public string Folder { get; }

    /// <inheritdoc/>
    public void Begin() => _store.Put(_run);

    /// <inheritdoc/>
    public void GoOn() => Begin();

    /// <inheritdoc/>
    public T? Read<T>(string identity, Func<RecordContent, T> take)
        where T : class => _store.Find(identity) is { } record ? RecordDocuments.Read(record, take, out _) : null;

    /// <inheritdoc/>
    public void Write(RecordContent record) => _store.Put(RecordDocuments.Stored(record, _run.Key));

    /// <inheritdoc/>
    public void Remove(string identity)
    {
        if (_store.Find(identity)?.Run == _run.Key)
        {
            _store.Remove(identity);
        }
    }

    /// <inheritdoc/>
    public void Force(string identity)
    {
        // A database does that when it is written to.
    }

    /// <inheritdoc/>
    public void Resume(IReadOnlyCollection<RecordSummary> kept)
    {
        // A store has no lists of its records.
    }

    /// <inheritdoc/>
    public void Append(RecordSummary record)
    {
        // Nor does one grow.
    }

    /// <inheritdoc/>
    public void Finish(IReadOnlyCollection<FoundDump> found, IReadOnlyCollection<RecordSummary> all) => RemoveStale(found);

    /// <inheritdoc/>
    public void RemoveStale(IReadOnlyCollection<FoundDump> found)
    {
        HashSet<string> identities = [.. found.Select(d => d.Identity)];
        HashSet<(string Path, string? Member)> places = [.. found.SelectMany(d => d.Places).Select(p => (p.Source.Path, p.Source.Member))];
        foreach (StoredRecord record in _store.Vanished(_run.Key).Where(r => !identities.Contains(r.Identity)))
        {
            if (RecordDocuments.Read(record, r => (IReadOnlyCollection<TriageSource>)r.Sources, out _) is { } sources
                && sources.All(s => places.Contains((s.Path, s.Member))))
            {
                _store.Remove(record.Identity);
            }
        }
    }

    /// <inheritdoc/>
    public void End(Action<Stream> write)
    {
        using MemoryStream summary = new();
        write(summary);
        _store.Put(_run with { Summary = summary.ToArray() });
    }

    /// <inheritdoc/>
    public void Dispose()
    {
        try
        {
            Directory.Delete(Folder, recursive: true);
        }
        catch (Exception error) when (error is IOException or UnauthorizedAccessException)
        {
            // It is empty: what was unpacked is gone already, as far as it could be.
        }
    }
}
