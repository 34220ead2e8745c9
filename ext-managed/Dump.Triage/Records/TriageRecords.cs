using System.Collections.Immutable;
using Dump.Model.Merging;
using Dump.Model.Text;
using Dump.Reports.Json;

namespace Dump.Triage.Records;

/// <summary>The records of a folder, read back.</summary>
/// <param name="Records">Records by path and member.</param>
/// <param name="Warnings">Files that are no records, and records whose report cannot be read.</param>
public sealed record TriageRecords(ImmutableArray<TriageRecord> Records, ImmutableArray<TriageWarning> Warnings)
{
    private const int MostRecords = 2_000_000;

    /// <summary>Reads all records that runs have written to a folder. Files that are being written are not looked at.</summary>
    /// <param name="directory">The folder that <c>--out</c> named.</param>
    /// <exception cref="DirectoryNotFoundException">There is no such folder, or no run has written to it.</exception>
    public static TriageRecords Read(string directory) => Read(directory, MostRecords);

    /// <summary>Reads all records of a store.</summary>
    /// <param name="store">The store.</param>
    /// <exception cref="UnusableStoreException">It cannot be read.</exception>
    public static TriageRecords Read(IRecordStore store) => Read(store, MostRecords);

    /// <summary>Reads the records of a folder, no more than so many.</summary>
    internal static TriageRecords Read(string directory, int most)
    {
        if (!Directory.Exists(Path.Combine(directory, RecordFiles.Folder)))
        {
            throw new DirectoryNotFoundException($"'{SafeText.Clean(directory)}' holds no records of dumpanalyze triage.");
        }

        // One more than are read tells that there are more.
        string[] paths = [.. RecordFiles.Enumerate(directory).Take(most + 1)];
        bool isCut = paths.Length > most;
        paths = [.. paths.Take(most).Order(StringComparer.Ordinal)];
        return Of(paths.AsParallel().AsOrdered().Select(p => (Path.GetFileName(p), RecordFiles.Read(p, Convert, out string? wrong), wrong)),
            () => isCut ? Cut(SafeText.Clean(directory), most) : null);
    }

    /// <summary>Reads the records of a store, no more than so many.</summary>
    internal static TriageRecords Read(IRecordStore store, int most)
    {
        bool isCut = false;
        IEnumerable<StoredRecord> First()
        {
            int read = 0;
            foreach (StoredRecord record in store.ReadAll())
            {
                if (read++ == most)
                {
                    isCut = true;
                    yield break;
                }

                yield return record;
            }
        }

        return Of(First().AsParallel().AsOrdered().Select(r => (RecordFiles.NameOf(r.Identity), RecordDocuments.Read(r, Convert, out string? wrong), wrong)),
            () => isCut ? Cut(store.Name, most) : null);
    }

    /// <summary>Reads one record of a store.</summary>
    /// <param name="record">The record.</param>
    /// <param name="problem">What is wrong with it, as a clause; null when nothing is.</param>
    /// <returns>Null when it is none.</returns>
    public static TriageRecord? Read(StoredRecord record, out string? problem)
    {
        ReadBack? read = RecordDocuments.Read(record, Convert, out string? wrong);
        problem = wrong ?? read?.Problem;
        return read?.Record;
    }

    private static TriageWarning Cut(string place, int most) => new(place,
        $"there are more than {CountText.Of(most, "record")}, and the others were not read; merge parts of them") { NotLookedAt = true };

    /// <param name="all">What was read of each.</param>
    /// <param name="cut">Asked at the end: what must be said when there are more.</param>
    private static TriageRecords Of(IEnumerable<(string Name, ReadBack? Read, string? Problem)> all, Func<TriageWarning?> cut)
    {
        List<TriageRecord> records = [];
        List<TriageWarning> warnings = [];
        foreach ((string name, ReadBack? read, string? problem) in all)
        {
            if ((problem ?? read?.Problem) is { } message)
            {
                warnings.Add(new TriageWarning(SafeText.Clean(name), message) { Kind = TriageGapKind.RecordDamaged, HasRecord = read is not null });
            }

            if (read is not null)
            {
                records.Add(read.Record);
            }
        }

        if (cut() is { } more)
        {
            warnings.Add(more);
        }

        return new TriageRecords(
            [.. records.OrderBy(r => r.Source.Path, StringComparer.Ordinal).ThenBy(r => r.Source.Member, StringComparer.Ordinal)
                .ThenBy(r => r.Identity, StringComparer.Ordinal)],
            [.. warnings]);
    }

    private static ReadBack Convert(RecordContent content)
    {
        TriageRecord record = new()
        {
            Identity = content.Identity,
            Source = content.Sources[0],
            Outcome = content.Outcome,
            Reason = content.Reason,
            ExitCode = content.ExitCode,
            Tool = content.Tool,
        };
        if (content.Report is not { } report)
        {
            return content.Outcome == TriageOutcome.Analysed ? Damaged(record, "its report is missing") : new ReadBack(record, null);
        }

        try
        {
            return new ReadBack(record with { Report = JsonReportReader.Read(report) }, null);
        }
        catch (InvalidReportException error)
        {
            return Damaged(record, $"its report cannot be read: {error.Message}{RecordJson.Maker(content.Tool)}");
        }
    }

    private static ReadBack Damaged(TriageRecord record, string problem) =>
        new(record with { Outcome = TriageOutcome.DamagedRecord, Reason = problem }, problem);

    private sealed record ReadBack(TriageRecord Record, string? Problem);
}
