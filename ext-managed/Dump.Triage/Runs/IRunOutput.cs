using Dump.Triage.Discovery;
using Dump.Triage.Records;

namespace Dump.Triage.Runs;

/// <summary>Where a run keeps its records: a folder or a store.</summary>
internal interface IRunOutput : IDisposable
{
    /// <summary>The folder below which the run unpacks, which is not searched for dumps.</summary>
    string Folder { get; }

    /// <summary>The run begins: what says that an earlier one has ended goes away.</summary>
    /// <exception cref="UnwritableRecordException">The place cannot be written.</exception>
    void Begin();

    /// <summary>A run that had come to its end goes on: what says that it has ended goes away.</summary>
    /// <exception cref="UnwritableRecordException">The place cannot be written.</exception>
    void GoOn();

    /// <summary>Takes what it needs of the record of a dump.</summary>
    /// <returns>Null when there is none, or nothing that can be read.</returns>
    T? Read<T>(string identity, Func<RecordContent, T> take)
        where T : class;

    /// <summary>Keeps a record; it is on the disk when this returns.</summary>
    /// <exception cref="UnwritableRecordException">It cannot be written.</exception>
    void Write(RecordContent record);

    /// <summary>Removes a record of this run.</summary>
    /// <exception cref="UnwritableRecordException">It cannot be removed.</exception>
    void Remove(string identity);

    /// <summary>Sees to it that a record that was written is found again after a power cut.</summary>
    /// <exception cref="IOException">That cannot be done.</exception>
    void Force(string identity);

    /// <summary>Told, once and before the first record is made, of those that stand.</summary>
    void Resume(IReadOnlyCollection<RecordSummary> kept);

    /// <summary>Told of each record that was made. To be called by one thread at a time.</summary>
    void Append(RecordSummary record);

    /// <summary>Records that earlier runs made of dumps that were still being written go away.</summary>
    /// <param name="found">All dumps that are there now.</param>
    void RemoveStale(IReadOnlyCollection<FoundDump> found);

    /// <summary>All dumps have their records, and no further one is told of; stale ones go away too.</summary>
    /// <param name="found">All dumps that are there now.</param>
    /// <param name="all">All records of this run.</param>
    void Finish(IReadOnlyCollection<FoundDump> found, IReadOnlyCollection<RecordSummary> all);

    /// <summary>The run has come to its end.</summary>
    /// <param name="write">Writes its summary.</param>
    void End(Action<Stream> write);
}
