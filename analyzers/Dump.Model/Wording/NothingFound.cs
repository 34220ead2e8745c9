using System.Collections.Immutable;
using System.Globalization;
using Dump.Model.Contract;
using Dump.Model.Facts;
using Dump.Model.Process;
using Dump.Model.Reported;
using Dump.Model.Verdicts;
using Dump.Model.Waits;

namespace Dump.Model.Wording;

/// <summary>What a report without verdict says: never "no problem" where data are missing.</summary>
/// <param name="Text">The sentences.</param>
/// <param name="IsDoubtful">True when a hang may have been missed.</param>
public sealed record NothingFound(string Text, bool IsDoubtful)
{
    private const string NoProblem = "so that is not \"no problem\".";
    private const string Undecided = $"{DetectorIds.CannotAnswer} Cannot decide";
    private const string NotJudged =
        "Waits for events, semaphores, conditions, addresses and tasks that no thread is known to run are not judged: nothing owns them.";
    private const string LinuxLimit = " Of the locks of native Linux code those of glibc and musl that name their owner are read; others are not.";

    /// <summary>What is said of a report without verdict.</summary>
    public static NothingFound Of(HangReport report)
    {
        bool failed = report.Detectors.Any(o => o.Kind == DetectorOutcomeKind.Failed);
        bool lacks = report.Detectors.Any(o => o.Kind == DetectorOutcomeKind.InsufficientData) || (report.IsUndecidable && !failed);
        string look = SourceDescription.NounOf(report.Source.FileSize);
        return (lacks, failed) switch
        {
            (true, true) =>
                Doubtful($"{Undecided}: no hang was found, but this {look} lacks data and a detector failed, {NoProblem}"),
            (true, false) => Doubtful(Fact(report) ?? $"{Undecided}: no hang was found, but this {look} lacks data, {NoProblem}"),
            (false, true) => Doubtful($"Cannot decide: no hang was found, but a detector failed, {NoProblem}"),
            _ when report.Problems.Any(p => p.LosesFacts) =>
                Doubtful("No hang found, as far as the input could be read: it has the problems listed below, which may hide one."),
            _ when !report.Only.IsEmpty => Sure("Nothing of that kind found; no data needed for it are missing."),
            _ => Sure(
                $"No hang found: no lock cycle, orphaned lock{(Computes(report) ? " or blocked queue" : ", blocked queue or spinning thread")}; no data needed to "
                + $"see one are missing{AsyncMethods(report)}. {(Computes(report) ? "Whether what computes comes to an end, a look of seconds does not tell. " : "")}"
                + NotJudged
                + (report.Process.Family == OperatingSystemFamily.Linux ? LinuxLimit : "") + Child(report) + SecondLook(report)),
        };
    }

    /// <summary>What leaves the answer open, first of all what waits, and how to ask again; null where the report does not say.</summary>
    private static string? Fact(HangReport report)
    {
        ImmutableArray<MissingData> missing = report.Causes;
        MissingData? later = missing.FirstOrDefault(m => MissingKinds.IsLaterMoment(m.Kind)) ?? missing.FirstOrDefault(m => m.Kind == MissingKind.EndersOfNativeWaits);
        if (later is not null && report.OpenWaits is [var first, ..] && (first.LeavesUndecided || later == missing[0]))
        {
            ReportedOpenWait wait = Innermost(report, first);
            string fact = $"{Undecided}: {Naming.Uncapitalised(OpenWaitWords.Line(wait, new ThreadNames(report)))}";

            // A limit ends the wait, and a further look after several tells no more than they did.
            return wait.Timeout == WaitTimeout.Finite && !wait.LeavesUndecided ? fact
                : report.Source.Earlier is not null || report.Series is not null ? $"{fact} Whether that ends is unknown."
                : $"{fact} Whether that ends is unknown. Ask again: {Again(report, later)}";
        }

        return missing is not [var lack, ..] ? null
            : $"{Undecided} without {lack.What}: {lack.Consequence}.{(lack.CaptureAdvice is { Length: > 0 } advice ? $" Capture: {MissingWords.Fill(report, advice)}" : "")}";
    }

    /// <summary>What a wait for the end of a thread comes from: the wait of that thread.</summary>
    private static ReportedOpenWait Innermost(HangReport report, ReportedOpenWait first)
    {
        ReportedOpenWait wait = first;
        for (int step = 0; step < report.OpenWaits.Length && wait.Resource is { Kind: ResourceKind.Thread, Identity: var joined }; step++)
        {
            if (report.OpenWaits.FirstOrDefault(w => w.ThreadId == joined || w.Others?.Contains((uint)joined) == true) is not { } next || next.ThreadId == wait.ThreadId)
            {
                break;
            }

            wait = next;
        }

        return wait;
    }

    /// <summary>How to look once more: <c>live</c> looks twice at a process with .NET where that may tell more.</summary>
    private static string Again(HangReport report, MissingData later)
    {
        uint? living = report.Source.FileSize is null ? report.Process.Id : null;
        return later.Kind == MissingKind.EndersOfNativeWaits
            ? MissingWords.Fill(report, CaptureKinds.Words(CaptureKind.TwoDumps, new CaptureTarget(IsLinux: true, RunsDotNet: false, living), null))
            : living is { } id ? string.Create(CultureInfo.InvariantCulture, $"dumpanalyze live {id}")
            : MissingWords.Fill(report, later.CaptureAdvice);
    }

    /// <summary>One look does not tell a wait that ends from one that does not; where there are any, what does.</summary>
    private static string SecondLook(HangReport report)
    {
        string process = report.Process.Id?.ToString(CultureInfo.InvariantCulture) ?? "PID";
        return report.OpenWaits.IsEmpty || report.Source.Earlier is not null || report.Series is not null ? ""
            : " If it hangs all the same, a second look tells what stands still: " + (report.Process.Family == OperatingSystemFamily.Linux
                ? $"{CaptureKinds.TwoLooks(process)}."
                : $"procdump -ma -n 2 -s 10 {process}, then dumpanalyze with both dumps.");
    }

    /// <summary>A dump has nothing of a child but its id.</summary>
    private static string Child(HangReport report) => report.Source.FileSize is not null && report.OpenWaits.Any(w => w.Resource?.Kind is ResourceKind.Process or ResourceKind.ChildProcess)
        ? MissingWords.Fill(report, " No dump shows whether the child process continues, or waits for a pipe that this one should read: dumpanalyze live PID.") : "";

    private static bool Computes(HangReport report) => report.OpenWaits.Any(w => w.Kind == OpenWaitKind.Computing);

    /// <summary>Only large heaps, and those that are not there, leave async methods unseen: threads are judged all the same.</summary>
    private static string AsyncMethods(HangReport report) =>
        report.OpenWaits.Any(w => w is { Kind: OpenWaitKind.AsyncMethodsNotRead } or { Kind: OpenWaitKind.Unknown, ThreadId: null, Resource: null }) ? ", but async methods were not looked at, and may hang" : "";

    private static NothingFound Doubtful(string text) => new(text, true);

    private static NothingFound Sure(string text) => new(text, false);
}
