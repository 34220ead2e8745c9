using System.Globalization;
using System.Text;
using Dump.Analysis.Merging;
using Dump.Cli.Output;
using Dump.Model.Contract;
using Dump.Model.Merging;
using Dump.Model.Text;
using Dump.Triage.Records;

namespace Dump.Cli.Running;

/// <summary>Copies all records of several places into one: stores of many machines into one store, folders into stores and back.</summary>
internal static class RecordCopy
{
    private const int ShownWarnings = 20;

    /// <summary>Copies them, and says how many on standard output.</summary>
    /// <param name="inputs">Folders and stores.</param>
    /// <param name="into">Where to.</param>
    /// <returns>The exit code.</returns>
    public static int Run(IReadOnlyList<string> inputs, string into)
    {
        Counts counts = new();
        using IRecordStore target = Stores.Write(into);
        foreach (string input in inputs.Where(i => Path.GetFullPath(i) != Path.GetFullPath(into)))
        {
            using IRecordStore source = Stores.Read(input);

            // Runs first: whoever reads meanwhile knows of those that have not ended.
            foreach (StoredRun run in source.Runs())
            {
                target.Put(run);
            }

            foreach (StoredRecord record in source.ReadAll())
            {
                Copy(record, target, counts);
            }
        }

        target.Complete();
        if (counts.Skipped > ShownWarnings)
        {
            Console.Error.WriteLine(string.Create(CultureInfo.InvariantCulture, $"dumpanalyze: {counts.Skipped - ShownWarnings} more warnings"));
        }

        string left = counts.Skipped > 0 ? string.Create(CultureInfo.InvariantCulture, $", {counts.Skipped} not copied") : "";
        ReportOutput.Bytes(output => output.Write(Encoding.UTF8.GetBytes(string.Create(CultureInfo.InvariantCulture,
            $"{CountText.Of(counts.Added, "record")} added, {counts.Replaced} replaced, {counts.Kept} there already{left}\n"))));
        return counts.Skipped > 0 ? ExitCode.Undecidable : ExitCode.Success;
    }

    private static void Copy(StoredRecord record, IRecordStore target, Counts counts)
    {
        if (record.Problem is { } problem || !StoredRecord.IsIdentity(record.Identity))
        {
            if (counts.Skipped++ < ShownWarnings)
            {
                Console.Error.WriteLine($"dumpanalyze: {SafeText.Clean(record.Identity)}: {record.Problem ?? "it is no record of that name"}");
            }

            return;
        }

        StoredRecord? there = target.Find(record.Identity);
        if (there is null)
        {
            target.Put(record);
            counts.Added++;
        }
        else if (there.Content.Span.SequenceEqual(record.Content.Span) || !IsBetter(record, there))
        {
            counts.Kept++;
        }
        else
        {
            target.Put(record);
            counts.Replaced++;
        }
    }

    /// <summary>Of two records of one dump the one counts that would count in an overview of both.</summary>
    private static bool IsBetter(StoredRecord record, StoredRecord there)
    {
        TriageRecord? mine = TriageRecords.Read(record, out _), other = TriageRecords.Read(there, out _);
        return mine is not null && (other is null || ReferenceEquals(TriageOverviews.Best([other, mine]), mine));
    }

    private sealed class Counts
    {
        public int Added { get; set; }

        public int Replaced { get; set; }

        public int Kept { get; set; }

        public int Skipped { get; set; }
    }
}
