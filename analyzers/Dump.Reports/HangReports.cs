using System.Collections.Immutable;
using System.Globalization;
using Dump.Model.Facts;
using Dump.Model.Process;
using Dump.Model.Reported;
using Dump.Model.Verdicts;
using Dump.Model.Waits;
using Dump.Model.Wording;

namespace Dump.Reports;

/// <summary>Makes the documents that all formats of a verdict and of the list of threads are written from.</summary>
public static class HangReports
{
    /// <summary>The facts with their judgement.</summary>
    /// <param name="snapshot">The facts that were judged.</param>
    /// <param name="result">The judgement.</param>
    /// <param name="allStacks">True to add the stacks of all threads.</param>
    public static HangReport Of(ProcessSnapshot snapshot, AnalysisResult result, bool allStacks) => new(Facts(snapshot, allStacks))
    {
        IsUndecidable = result.IsUndecidable,

        // What leaves nothing open in this process is not listed as open.
        Missing = [.. Missing(snapshot).Where(m => !MissingKinds.Of(m.Kind).IsOfNativeWaits || result.Outcomes.Any(o => o.Missing.Any(n => n.Kind == m.Kind)))],
        Only = result.Only,
        Verdicts = [.. result.Verdicts.Select(v => Verdict(snapshot, v))],
        Detectors = [.. result.Outcomes.Select(o => o with { Verdicts = [] })],
        Focus = result.Focus is { } focus && Stack(snapshot, focus) is var stack
            ? new ReportedFocus(stack.ThreadId, stack.Role, stack.Frames) { Awaited = result.FocusAwaits is { } awaited ? Stack(snapshot, awaited) : null } : null,
        OpenWaits = [.. result.OpenWaits.Select(w => OpenWait(snapshot, w))],
        Requests = result.Requests,
        Notes = result.Notes,
        Series = result.Series,
    };

    /// <summary>The facts alone.</summary>
    /// <param name="snapshot">What was read.</param>
    /// <param name="allStacks">True to add the stacks of all threads.</param>
    public static ProcessReport Facts(ProcessSnapshot snapshot, bool allStacks) => new()
    {
        Source = Source(snapshot),
        Process = new ReportedProcess
        {
            Id = snapshot.ProcessId,
            Name = snapshot.ProcessName,
            Program = snapshot.HostedProgram,
            Runtime = snapshot.Runtime,
            System = snapshot.System.Text,
            Family = snapshot.System.Family,
            Architecture = snapshot.System.Architecture,
            IsWine = snapshot.System.IsWine,
            Machine = snapshot.Machine,
        },
        Loader = snapshot.Loader,
        Exception = snapshot.Exception is { } exception ? ReportedException.Of(exception) : null,
        Threads = [.. snapshot.Threads.Select(t => ReportedThreads.Of(t, allStacks))],
        Waits = Waits(snapshot),
        Ownerships = snapshot.Ownerships,
        Modules = ReportModules.Of(snapshot),
        Missing = Missing(snapshot),
        Problems = snapshot.Problems,
    };

    private static ImmutableArray<MissingData> Missing(ProcessSnapshot snapshot) => ForTarget(snapshot, snapshot.Missing);

    private static ImmutableArray<MissingData> ForTarget(ProcessSnapshot snapshot, ImmutableArray<MissingData> missing)
    {
        CaptureTarget target = snapshot.CaptureTarget;
        return [.. missing.Select(m => m.For(target))];
    }

    /// <summary>What a document says of its source.</summary>
    public static ReportedSource Source(ProcessSnapshot snapshot) =>
        new(snapshot.Source.DisplayName, snapshot.Source.Kind, snapshot.Source.FileSize, Seconds(snapshot.Source.Captured), snapshot.Source.Comment)
        {
            Earlier = snapshot.Source.Earlier is { } earlier ? new EarlierSource(earlier.DisplayName, Seconds(earlier.Captured)) : null,
            ManagedHalf = snapshot.ManagedHalfOrigin,
            Symbols = snapshot.SymbolFiles,
        };

    /// <summary>Reports tell moments in whole seconds.</summary>
    private static DateTime? Seconds(DateTime? moment) =>
        moment is { } time ? new DateTime(time.Ticks - (time.Ticks % TimeSpan.TicksPerSecond), DateTimeKind.Utc) : null;

    private static ImmutableArray<ReportedWait> Waits(ProcessSnapshot snapshot)
    {
        Naming names = new(snapshot);
        return [.. snapshot.Waits.Select(w => Wait(snapshot, w, names.Resource(w.Resource)))];
    }

    private static ReportedWait Wait(ProcessSnapshot snapshot, WaitFact wait, string text) => new()
    {
        ThreadId = wait.ThreadId,
        Resource = wait.Resource,
        ResourceText = text,
        Timeout = wait.Timeout,
        Milliseconds = wait.Milliseconds,
        IsWaitAny = wait.IsWaitAny,
        IsSatisfied = wait.IsSatisfied,
        State = snapshot.ResourceStates.GetValueOrDefault(wait.Resource),
        Grade = wait.Grade,
        Evidence = wait.Evidence,
    };

    private static ReportedVerdict Verdict(ProcessSnapshot snapshot, Verdict verdict) => new(verdict)
    {
        Chain = [.. verdict.Chain.Select(l => l with { Resource = new Resource(l.Resource.Kind, l.Resource.Identity) })],
        Stacks = [.. verdict.Stacks.Select(s => Stack(snapshot, s))],
        Undecided = ForTarget(snapshot, verdict.Undecided),
    };

    private static ReportedOpenWait OpenWait(ProcessSnapshot snapshot, OpenWait wait)
    {
        ImmutableArray<StackFrame> frames = ((wait.ThreadId is { } id ? snapshot.Thread(id) : null)?.Stack ?? ThreadStack.None).Frames;
        return new ReportedOpenWait
        {
            Kind = wait.Kind,
            ThreadId = wait.ThreadId,
            Others = wait.Others.IsEmpty ? null : wait.Others,
            Role = wait.Role,
            Activity = wait.Activity,
            SystemCall = wait.SystemCall,
            Resource = wait.Resource is { } resource ? new Resource(resource.Kind, resource.Identity) : null,
            Timeout = wait.Timeout,
            Milliseconds = wait.Milliseconds,
            Through = wait.ThroughIndex is { } through ? ReportedThreads.Frame(frames[through], through) : null,
            LookAt = (wait.ReadIndex ?? wait.OwnIndex) is { } own ? ReportedThreads.Frame(frames[own], own) : null,
            LeavesUndecided = wait.LeavesUndecided,
            Grade = wait.Grade,
            Evidence = wait.Evidence,
        };
    }

    private static ReportedStack Stack(ProcessSnapshot snapshot, StackExcerpt excerpt)
    {
        ThreadStack? stack = excerpt.IsOfException ? snapshot.Exception?.Stack : snapshot.Thread(excerpt.ThreadId)?.Stack;
        ImmutableArray<StackFrame> frames = (stack ?? ThreadStack.None).Frames;
        return new ReportedStack(excerpt.ThreadId, excerpt.Role, [.. excerpt.FrameIndexes.Select(i => ReportedThreads.Frame(frames[i], i))])
        {
            More = frames.Length - (excerpt.FrameIndexes is [.., var last] ? last + 1 : 0),
        };
    }
}

/// <summary>The modules of a process as reports list them: by name, without load addresses.</summary>
internal static class ReportModules
{
    /// <summary>
    /// All modules ordered by name, without regard to case; equal ones once. Of the files that a Linux process maps, only those that hold code by their names.
    /// </summary>
    public static ImmutableArray<ReportedModule> Of(ProcessSnapshot snapshot) =>
    [
        .. snapshot.Modules
            .Where(m => snapshot.System.Family == OperatingSystemFamily.Windows || HoldsCode(m.Name))
            .Select(m => new ReportedModule(m.Name, m.Version, m.Vendor, m.IsSystem) { Build = Build(m) })
            .Distinct()
            .OrderBy(m => m.Name, StringComparer.OrdinalIgnoreCase)
            .ThenBy(m => m.Name, StringComparer.Ordinal)
            .ThenBy(m => m.Version, StringComparer.Ordinal)
            .ThenBy(m => m.Vendor, StringComparer.Ordinal)
            .ThenBy(m => m.IsSystem)
            .ThenBy(m => m.Build, StringComparer.Ordinal),
    ];

    private static string? Build(ModuleSnapshot module) =>
        module.TimeDateStamp == 0 ? null : string.Create(CultureInfo.InvariantCulture, $"{module.TimeDateStamp:X8}{module.Size:x}");

    /// <summary>Programs have no extension; libraries may have a version behind theirs.</summary>
    private static bool HoldsCode(string name) =>
        !name.Contains('.', StringComparison.Ordinal)
        || name.Contains(".so", StringComparison.Ordinal)
        || name.EndsWith(".dll", StringComparison.OrdinalIgnoreCase)
        || name.EndsWith(".exe", StringComparison.OrdinalIgnoreCase);
}
