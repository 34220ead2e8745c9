using System.Collections.Immutable;
using Dump.Model.Merging;
using Dump.Triage.Records;

namespace Dump.Triage.Runs;

/// <summary>What runs have left in folders and stores, read back.</summary>
/// <param name="Records">The records of all of them; a dump of several is there several times.</param>
/// <param name="Warnings">Damaged records, what the runs could not look at, and runs or parts of runs that
/// have not ended: while there is any, "nothing found" does not hold for all dumps.</param>
public sealed record TriageFolders(ImmutableArray<TriageRecord> Records, ImmutableArray<TriageWarning> Warnings)
{
    /// <summary>The files and folders in a folder that are read; one that is missing may be among them.</summary>
    /// <param name="directory">The folder that <c>--out</c> named.</param>
    public static IEnumerable<string> Entries(string directory) =>
        Directory.EnumerateFiles(directory, RunFiles.SummaryPattern).Prepend(Path.Combine(directory, RecordFiles.Folder));

    /// <summary>What must be said about runs of a store that did not end, and what they could not look at.</summary>
    /// <param name="store">The store.</param>
    /// <exception cref="UnusableStoreException">It cannot be read.</exception>
    public static IReadOnlyCollection<TriageWarning> Gaps(IRecordStore store)
    {
        IReadOnlyList<(string Place, RunSummaries Summaries)> runs = RunSummaries.Of(store.Name, store.Runs());
        return [.. RunSummaries.Unfinished(runs).Concat(runs.SelectMany(r => r.Summaries.Warnings)).Distinct()];
    }

    /// <summary>Reads the records of all runs that wrote to the folders, and what must be said about missing parts.</summary>
    /// <param name="directories">The folders that <c>--out</c> named.</param>
    /// <exception cref="DirectoryNotFoundException">There is no such folder, or no run has written to it.</exception>
    public static TriageFolders Read(IEnumerable<string> directories) => Read(directories, []);

    /// <summary>Reads the records of all runs that wrote to folders and stores, and what must be said about missing parts.</summary>
    /// <param name="directories">The folders that <c>--out</c> named.</param>
    /// <param name="stores">The stores that <c>--store</c> named.</param>
    /// <exception cref="DirectoryNotFoundException">There is no such folder, or no run has written to it.</exception>
    /// <exception cref="UnusableStoreException">A store cannot be read.</exception>
    public static TriageFolders Read(IEnumerable<string> directories, IReadOnlyCollection<IRecordStore> stores)
    {
        List<TriageRecord> records = [];
        List<TriageWarning> warnings = [];
        List<(string Folder, RunSummaries Summaries)> runs = [];
        foreach (string directory in directories.Distinct(StringComparer.Ordinal))
        {
            TriageRecords read = TriageRecords.Read(directory);
            var summaries = RunSummaries.Read(directory);
            records.AddRange(read.Records);
            warnings.AddRange(read.Warnings);
            warnings.AddRange(summaries.Warnings);
            runs.Add((directory, summaries));
        }

        foreach (IRecordStore store in stores)
        {
            TriageRecords read = TriageRecords.Read(store);
            IReadOnlyList<(string Place, RunSummaries Summaries)> ended = RunSummaries.Of(store.Name, store.Runs());
            records.AddRange(read.Records);
            warnings.AddRange(read.Warnings);
            warnings.AddRange(ended.SelectMany(r => r.Summaries.Warnings));
            runs.AddRange(ended);
        }

        return new TriageFolders([.. records], [.. RunSummaries.Unfinished(runs).Concat(warnings).Distinct()]);
    }
}
