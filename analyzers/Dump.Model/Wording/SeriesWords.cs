using System.Globalization;
using Dump.Model.Process;
using Dump.Model.Reported;
using Dump.Model.Text;
using Dump.Model.Verdicts;

namespace Dump.Model.Wording;

/// <summary>Sentences on what stood still and what moved over several dumps.</summary>
public static class SeriesWords
{
    /// <summary>Most threads that get a line; the document has all.</summary>
    private const int MostThreads = 40;

    /// <summary>The lines; none for one dump or two.</summary>
    public static IEnumerable<string> Lines(HangReport report)
    {
        if (report.Series is not { } series)
        {
            return [];
        }

        ThreadNames names = new(report);
        ThreadHistory[] shown = [.. series.Threads.Take(MostThreads)];
        int left = series.Threads.Length - shown.Length;
        return
        [
            $"Dumps: {string.Join(", ", series.Dumps.Select((d, i) => Dump(d, i + 1)))}.",
            .. shown.Select(t => Line(t, names, series.Dumps.Length)),
            .. left > 0 ? new[] { $"{CountText.Of(left, "thread")} more; --format json has all." } : [],
        ];
    }

    private static string Dump(EarlierSource dump, int number) =>
        string.Create(CultureInfo.InvariantCulture, $"{number} {dump.DisplayName}{(ReportWords.Time(dump.Captured) is { } time ? $" ({time})" : "")}");

    private static string Line(ThreadHistory thread, ThreadNames names, int dumps)
    {
        string stands = thread.StandsSince is { } since
            ? since == 1 ? $"has stood at one place in all {dumps}" : $"has stood at one place since dump {since}"
            : "has moved";
        string waits = string.Concat(thread.Waits.Select(w => $"; waits for {Wait(w, names)}"));
        return $"{names.Short(thread.ThreadId)} {stands}; CPU time in between: {Used(thread)}{waits}.";
    }

    private static string Used(ThreadHistory thread) => thread.UsedMicroseconds.All(u => u is null) ? "not recorded"
        : thread.UsedMicroseconds.All(u => u == 0) ? "none"
        : string.Join(", ", thread.UsedMicroseconds.Select(u => u is { } used ? Naming.Duration(TimeSpan.FromMicroseconds(used)) : "unknown"));

    private static string Wait(WaitHistory wait, ThreadNames names)
    {
        string behind = wait.Holder is { } holder ? $" behind {names.Short(holder)}" : "";
        return $"{wait.Resource}{behind}, {(wait.StandsSince is { } since ? $"since dump {since} at least" : "not in the dump before")}";
    }
}
