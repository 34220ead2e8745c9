using System.Globalization;
using System.Text;

namespace Dump.Fuzz.Running;

/// <summary>The result of a run, in Markdown.</summary>
internal static class FuzzTable
{
    /// <summary>A row for each reader, and one for all.</summary>
    public static string Of(IReadOnlyCollection<ReaderTotals> readers)
    {
        StringBuilder table = new();
        table.AppendLine("| reader | executions | distinct outcomes | failures | slowest, ms | most memory of one, KiB | time, s |");
        table.AppendLine("|---|---|---|---|---|---|---|");
        foreach (ReaderTotals reader in readers)
        {
            Row(table, reader.Name, reader.Executions, reader.Outcomes, reader.Failures, reader.Slowest.Elapsed, reader.Largest.Allocated, reader.Elapsed);
        }

        Row(table, "all", readers.Sum(r => r.Executions), readers.Sum(r => r.Outcomes), readers.Sum(r => r.Failures),
            readers.Select(r => r.Slowest.Elapsed).DefaultIfEmpty().Max(), readers.Select(r => r.Largest.Allocated).DefaultIfEmpty().Max(),
            TimeSpan.FromTicks(readers.Sum(r => r.Elapsed.Ticks)));
        return table.ToString();
    }

    private static void Row(
        StringBuilder table, string name, long executions, int outcomes, long failures, TimeSpan slowest, long largest, TimeSpan time) =>
        table.AppendLine(CultureInfo.InvariantCulture,
            $"| {name} | {executions:N0} | {outcomes:N0} | {failures:N0} | {slowest.TotalMilliseconds:N0} | {largest >> 10:N0} | {time.TotalSeconds:N0} |");
}
