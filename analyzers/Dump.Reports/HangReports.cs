using System.Collections.Immutable;
using Dump.Model.Facts;
using Dump.Model.Process;
using Dump.Model.Reported;
using Dump.Model.Verdicts;
using Dump.Model.Waits;

namespace Dump.Reports;

/// <summary>Makes the report that pages and signatures work on. It holds exactly what the JSON report holds, so that a report read back from a file is equal to it.</summary>
public static class HangReports
{
    /// <summary>Makes it.</summary>
    /// <param name="snapshot">The facts that were judged.</param>
    /// <param name="result">The judgement, or null for facts alone.</param>
    /// <param name="allStacks">True to add the stacks of all threads.</param>
    public static HangReport Of(ProcessSnapshot snapshot, AnalysisResult? result, bool allStacks) => new()
    {
        Source = Source(snapshot.Source),
        ProcessName = snapshot.ProcessName,
        ProcessId = snapshot.ProcessId,
        Machine = snapshot.Machine,
        System = snapshot.System.Text,
        Architecture = snapshot.System.Architecture.ToString(),
        IsUndecidable = result?.IsUndecidable ?? false,
        Verdicts = [.. (result?.Verdicts ?? []).Select(v => Verdict(snapshot, v))],
        Unanswered =
        [
            .. (result?.Outcomes ?? []).Where(o => o.Kind is DetectorOutcomeKind.InsufficientData or DetectorOutcomeKind.Failed)
                .Select(o => new ReportedOutcome(o.DetectorId, o.Title, o.Kind, o.Missing, o.Error)),
        ],
        Missing = snapshot.Missing,
        Problems = snapshot.Problems,
        Only = result?.Only ?? [],
        Notes = result?.Notes ?? [],
        Threads = [.. snapshot.Threads.Select(t => new ReportedThread(t.Id, t.Index, t.Name))],
        Modules = ReportModules.Of(snapshot),
        Focus = result?.Focus is { } focus ? Stack(snapshot, focus) : null,
        Stacks = allStacks ? [.. snapshot.Threads.Select(t => new ReportedStack(t.Id, null, [.. t.Stack.Frames.Select((f, i) => Frame(i, f))]))] : [],
    };

    private static SourceDescription Source(SourceDescription source) => source with
    {
        Captured = Seconds(source.Captured),
        Earlier = source.Earlier is { } earlier ? new SourceDescription(earlier.DisplayName, "", null, Seconds(earlier.Captured), null) : null,
    };

    /// <summary>Reports tell moments in whole seconds.</summary>
    private static DateTime? Seconds(DateTime? moment) =>
        moment is { } time ? new DateTime(time.Ticks - (time.Ticks % TimeSpan.TicksPerSecond), DateTimeKind.Utc) : null;

    private static ReportedVerdict Verdict(ProcessSnapshot snapshot, Verdict verdict) => new()
    {
        DetectorId = verdict.DetectorId,
        Title = verdict.Title,
        Confidence = verdict.Confidence,
        Claims = verdict.Claims,
        Threads = verdict.Threads,
        Chain = [.. verdict.Chain.Select(l => l with { Resource = new Resource(l.Resource.Kind, l.Resource.Identity) })],
        Stacks = [.. verdict.Stacks.Select(s => Stack(snapshot, s))],
        Culprit = verdict.Culprit,
        Victims = verdict.Victims,
        Remedies = verdict.Remedies,
        Undecided = verdict.Undecided,
    };

    private static ReportedStack Stack(ProcessSnapshot snapshot, StackExcerpt excerpt)
    {
        ImmutableArray<StackFrame> frames = (snapshot.Thread(excerpt.ThreadId)?.Stack ?? ThreadStack.None).Frames;
        return new ReportedStack(excerpt.ThreadId, excerpt.Role, [.. excerpt.FrameIndexes.Select(i => Frame(i, frames[i]))]);
    }

    private static ReportedFrame Frame(int index, StackFrame frame) =>
        new(index, frame.Module, frame.Function, frame.FunctionOffset, frame.ModuleOffset, frame.Trust) { EnteredAs = frame.EnteredAs, Tag = frame.Tag };
}
