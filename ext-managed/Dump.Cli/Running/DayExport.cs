using System.Globalization;
using System.Text;
using Dump.Analysis.Merging;
using Dump.Cli.Options;
using Dump.Cli.Output;
using Dump.Model.Contract;
using Dump.Model.Merging;
using Dump.Model.Text;
using Dump.Reports.Merging;
using Dump.Triage.Records;

namespace Dump.Cli.Running;

/// <summary>Writes the records of a place as lines of JSON, a file for each day of capture: <c>DIR/day=2026-01-05/dumps.jsonl</c>.</summary>
internal static class DayExport
{
    private const int Batch = 1000;
    private const int ShownWarnings = 20;
    private const string Unknown = "unknown";
    private const string FileName = "dumps.jsonl";
    private const string Aside = ".partial";

    /// <summary>Writes them, and says how many on standard output.</summary>
    /// <param name="input">A folder of records or a store.</param>
    /// <param name="folder">Where to; made when it is not there.</param>
    /// <returns>The exit code.</returns>
    public static int Run(string input, string folder)
    {
        using IRecordStore source = Stores.Read(input);
        HashSet<string> days = new(StringComparer.Ordinal);
        int lines = 0, damaged = 0;
        try
        {
            foreach (StoredRecord[] batch in source.ReadAll().Chunk(Batch))
            {
                List<TriageRecord> records = [];
                foreach (StoredRecord stored in batch)
                {
                    TriageRecord? record = TriageRecords.Read(stored, out string? problem);
                    if (problem is not null && damaged++ < ShownWarnings)
                    {
                        Console.Error.WriteLine($"dumpanalyze: {SafeText.Clean(stored.Identity)}: {problem}");
                    }

                    if (record is not null)
                    {
                        records.Add(record);
                    }
                }

                Append(records, folder, days);
                lines += records.Count;
            }

            foreach (string day in days)
            {
                string path = PathOf(folder, day);
                File.Move(path + Aside, path, overwrite: true);
            }
        }
        catch (Exception error) when (error is IOException or UnauthorizedAccessException)
        {
            throw new UnwritableOutputException($"{SafeText.Clean(folder)}: {SafeText.Clean(error.Message)}", error);
        }

        string left = damaged > 0 ? $", {CountText.Of(damaged, "damaged record")}" : "";
        ReportOutput.Bytes(output => output.Write(
            Encoding.UTF8.GetBytes($"{CountText.Of(lines, "dump")} of {CountText.Of(days.Count, "day")} written{left}\n")));
        return damaged > 0 ? ExitCode.Undecidable : ExitCode.Success;
    }

    /// <summary>A file at a time: there may be more days than files that a process may have open.</summary>
    private static void Append(List<TriageRecord> records, string folder, HashSet<string> days)
    {
        foreach (IGrouping<string, TriageRecord> day in records.GroupBy(
            r => r.Report?.Source.Captured?.ToString("yyyy-MM-dd", CultureInfo.InvariantCulture) ?? Unknown, StringComparer.Ordinal))
        {
            string path = PathOf(folder, day.Key) + Aside;
            bool isNew = days.Add(day.Key);
            if (isNew)
            {
                // What an earlier call has left when it was ended goes away; a link that somebody has planted there is not followed.
                Directory.CreateDirectory(Path.GetDirectoryName(path)!);
                File.Delete(path);
            }

            using FileStream file = new(path, isNew ? FileMode.CreateNew : FileMode.Append, FileAccess.Write, FileShare.None);
            foreach (TriageRecord record in day)
            {
                ExportLine.Write(record, record.Report is { } report ? HangSignatures.Of(report)?.ClassHash : null, file);
            }
        }
    }

    private static string PathOf(string folder, string day) => Path.Combine(folder, "day=" + day, FileName);
}
