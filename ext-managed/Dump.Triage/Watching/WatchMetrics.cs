using System.Globalization;

namespace Dump.Triage.Watching;

/// <summary>The state of a watch in Prometheus' text format, version 0.0.4 (prometheus.io/docs/instrumenting/exposition_formats).</summary>
public static class WatchMetrics
{
    private const string Prefix = "dumpanalyze_watch_";

    /// <summary>Writes it.</summary>
    /// <param name="state">The state.</param>
    /// <param name="output">Where to; lines end with a line feed.</param>
    public static void Write(WatchState state, TextWriter output)
    {
        output.NewLine = "\n";
        Head(output, "dumps", "gauge", "Dumps with a record that lay there when the watch began or came since, by what the record answers; deleted ones of earlier watches are not among them.");
        foreach ((string answer, int count) in Answers(state))
        {
            output.WriteLine(string.Create(CultureInfo.InvariantCulture, $"{Prefix}dumps{{answer=\"{answer}\"}} {count}"));
        }

        Value(output, "dumps_analysed_total", "counter", "Records made since the watch began.", state.Counts.Records - state.Kept);
        Value(output, "buckets", "gauge", "Classes of hangs and crashes among these dumps.", state.Buckets);
        Value(output, "files_waiting", "gauge", "Files that are still being written.", state.Waiting);
        Value(output, "not_looked_at", "gauge", "Files and folders that may hold dumps and could not be read.", state.Counts.NotLookedAt);
        Value(output, "notices_total", "counter", "Classes of hangs that were told of.", state.Notices);
        Value(output, "notices_failed_total", "counter", "Attempts to tell of one that failed.", state.FailedNotices);
        Value(output, "notices_pending", "gauge", "Classes of hangs that are still to be told of.", state.PendingNotices);
        Value(output, "pruned_files_total", "counter", "Dumps that were deleted.", state.PrunedFiles);
        Value(output, "pruned_bytes_total", "counter", "Bytes of dumps that were deleted.", state.PrunedBytes);
        if (state.LastRecord is { } last)
        {
            Value(output, "last_record_timestamp_seconds", "gauge", "When the last record was made.", new DateTimeOffset(last).ToUnixTimeSeconds());
        }
    }

    private static IEnumerable<(string Answer, int Count)> Answers(WatchState state) =>
    [
        ("confirmed", state.Counts.Confirmed), ("likely", state.Counts.Likely), ("suspected", state.Counts.Suspected), ("crashed", state.Counts.Crashed),
        ("undecidable", state.Counts.Undecidable), ("nothing_found", state.Counts.NothingFound), ("failed", state.Counts.Failed),
    ];

    private static void Value(TextWriter output, string name, string type, string help, long value)
    {
        Head(output, name, type, help);
        output.WriteLine(string.Create(CultureInfo.InvariantCulture, $"{Prefix}{name} {value}"));
    }

    private static void Head(TextWriter output, string name, string type, string help)
    {
        output.WriteLine($"# HELP {Prefix}{name} {help}");
        output.WriteLine($"# TYPE {Prefix}{name} {type}");
    }
}
