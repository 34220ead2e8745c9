namespace Dump.Triage.Records;

/// <summary>
/// A place that keeps records: a folder, or a database, to which many runs may write at the same time. There is one record for each dump; what was put is on
/// the disk when the call returns. May be used by several threads.
/// </summary>
public interface IRecordStore : IDisposable
{
    /// <summary>Where it is, for people (sanitised).</summary>
    string Name { get; }

    /// <summary>The record of a dump, or null when there is none.</summary>
    /// <exception cref="UnusableStoreException">The place cannot be read.</exception>
    StoredRecord? Find(string identity);

    /// <summary>Keeps a record in place of the one of the same dump.</summary>
    /// <exception cref="UnwritableRecordException">It cannot be written, and nothing has changed.</exception>
    void Put(StoredRecord record);

    /// <summary>Removes a record where there is one.</summary>
    /// <exception cref="UnwritableRecordException">It cannot be removed.</exception>
    void Remove(string identity);

    /// <summary>All records, by identity.</summary>
    /// <exception cref="UnusableStoreException">The place cannot be read.</exception>
    IEnumerable<StoredRecord> ReadAll();

    /// <summary>Records of a run that say that their dump changed while it was read.</summary>
    /// <param name="run">Key of the run.</param>
    IReadOnlyList<StoredRecord> Vanished(string run);

    /// <summary>All runs, by key.</summary>
    /// <exception cref="UnusableStoreException">The place cannot be read.</exception>
    IReadOnlyList<StoredRun> Runs();

    /// <summary>Keeps what is known of a run in place of what was: that it has begun, or with its summary that it has ended.</summary>
    /// <exception cref="UnwritableRecordException">It cannot be written, and nothing has changed.</exception>
    void Put(StoredRun run);

    /// <summary>Called after the last of many records: a place that keeps lists of them writes these anew.</summary>
    /// <exception cref="UnwritableRecordException">They cannot be written.</exception>
    void Complete();
}
