using System.Collections.Immutable;
using System.Globalization;
using Dump.Model.Process;
using Dump.Model.Reported;
using Dump.Model.Text;
using Dump.Model.Verdicts;

namespace Dump.Model.Wording;

/// <summary>The headings and fixed sentences of a report, which every format of it prints.</summary>
public static class ReportWords
{
    /// <summary>Heading of the links of a verdict.</summary>
    public const string Chain = "Chain";

    /// <summary>Heading of the stacks that prove a verdict.</summary>
    public const string Evidence = "Evidence";

    /// <summary>Heading of the threads that queue behind a verdict.</summary>
    public const string Victims = "Behind it";

    /// <summary>Heading of the remedies.</summary>
    public const string Remedies = "What to do";

    /// <summary>Heading of notes of others on a verdict.</summary>
    public const string Known = "Known";

    /// <summary>Heading of what could not be decided about a verdict.</summary>
    public const string Open = "Open";

    /// <summary>Heading of waits that no verdict judges.</summary>
    public const string OpenWaits = "What it waits for";

    /// <summary>Heading of requests that are served and sent.</summary>
    public const string Requests = "Requests in flight";

    /// <summary>Heading of the threads and waits of a series of dumps.</summary>
    public const string Series = "What stood still and what moved";

    /// <summary>Heading of what the dump lacks.</summary>
    public const string Undecided = "Could not be decided";

    /// <summary>Heading of detectors that failed.</summary>
    public const string Failed = "Failed (a defect of this program, please report)";

    /// <summary>Heading of what is wrong with the input.</summary>
    public const string Problems = "Problems in the input";

    /// <summary>Heading of the thread that is shown when there is no verdict.</summary>
    public const string Focus = "The thread to look at first";

    /// <summary>What stands before the code to look at; behind it the module.</summary>
    public const string LookAt = "Look at: ";

    /// <summary>Sentences of a verdict that people are shown: of a long cycle as much as people read; the JSON has all of it.</summary>
    public const int MostClaims = 12;

    /// <summary>Links of a chain that people are shown.</summary>
    public const int MostLinks = 20;

    /// <summary>Stacks of a verdict that people are shown.</summary>
    public const int MostStacks = 10;

    private const int MostThreadIds = 8;

    /// <summary>Heading of what earlier dumps showed and the last does not.</summary>
    public static string Notes(HangReport report) => report.Series is null ? "From the first dump" : "From the earlier dumps";

    /// <summary>That not all detectors were asked; null when all were.</summary>
    public static string? Only(HangReport report) =>
        report.Only.IsEmpty ? null
            : $"Only {string.Join(", ", report.Only)} {(report.Only.Length == 1 ? "was" : "were")} asked: other hangs are not looked for.";

    /// <summary>What follows the module in the line on the code to look at.</summary>
    public static string Culprit(Culprit culprit, ThreadNames threads)
    {
        string version = culprit.Version is null ? "" : $" {culprit.Version}";
        string vendor = culprit.Vendor is null ? "" : $" ({SafeText.Quote(culprit.Vendor)})";
        string message = culprit.Message is null ? "" : $" ({culprit.Message})";
        string callback = culprit.Callback is null ? "" : $", {culprit.Callback}{message}";
        return $"{version}{vendor}{callback}, on {threads.Full(culprit.ThreadId)}.";
    }

    /// <summary>What follows the line on the code to look at: the functions of the program's own, and the threads that are in them.</summary>
    public static string Places(ImmutableArray<CodePlace> places, ThreadNames threads) =>
        string.Join("; ", places.GroupBy(p => (p.Text, p.IsAwaited))
            .Select(g => $"{g.Key.Text}{(g.Key.IsAwaited ? ", awaited by" : " on")} {List([.. g.Select(p => threads.Full(p.ThreadId))])}")) + ".";

    /// <summary>What follows the line on the code to look at, of async methods.</summary>
    public static string AsyncMethods(ImmutableArray<string> methods) => $"{List([.. methods])} (async).";

    private static string List(string[] items) => items is [.. var first, _, _] ? string.Join(", ", [.. first, $"{items[^2]} and {items[^1]}"]) : items[0];

    /// <summary>How many threads queue, for example <c>2 exiting threads</c>.</summary>
    public static string Count(VictimGroup group) => CountText.Of(group.ThreadIds.Length, group.Kind switch
    {
        VictimKind.StartingThread => "starting thread",
        VictimKind.ExitingThread => "exiting thread",
        _ => "thread",
    });

    /// <summary>Which threads queue, for what and where.</summary>
    public static string Who(VictimGroup group, ThreadNames threads)
    {
        int more = group.ThreadIds.Length - MostThreadIds;
        string rest = more > 0 ? string.Create(CultureInfo.InvariantCulture, $" and {more} more") : "";
        return $"({string.Join(" ", group.ThreadIds.Take(MostThreadIds).Select(threads.SystemId))}{rest}) {group.Description}";
    }

    /// <summary>A detector that failed.</summary>
    public static string Failure(DetectorOutcome outcome) => $"{outcome.DetectorId} {outcome.Title}: {outcome.Error}";

    /// <summary>Why a stack of a report has no further frames: some are left out, or what could not be read; null when it is complete.</summary>
    public static string? End(HangReport report, ReportedStack stack) =>
        stack.More > 0 ? FrameWords.LeftOut(stack.More) : FrameWords.End(report.Threads.FirstOrDefault(t => t.Id == stack.ThreadId)?.StackEnd);

    /// <summary>The symbol files that names come from, the first few by name; null when there were none.</summary>
    public static string? Symbols(ReportedSource source)
    {
        const int Most = 8;
        string more = source.Symbols.Length > Most ? $" and {source.Symbols.Length - Most} more" : "";
        return source.Symbols.IsEmpty ? null : string.Join(", ", source.Symbols.Take(Most)) + more;
    }

    /// <summary>A moment for people, in UTC; null stays null.</summary>
    public static string? Time(DateTime? moment) =>
        moment is { } known ? string.Create(CultureInfo.InvariantCulture, $"{known:yyyy-MM-dd HH:mm:ss} UTC") : null;

    /// <summary>What a text leaves out, for example <c>81 more links; --format json has all of them</c>.</summary>
    public static string Further(int count, string noun) => $"{CountText.Of(count, $"more {noun}")}; --format json has all of them";
}
