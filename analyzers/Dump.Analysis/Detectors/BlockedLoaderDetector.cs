using System.Collections.Immutable;
using Dump.Analysis.Detection;
using Dump.Analysis.Graph;
using Dump.Analysis.Knowledge;
using Dump.Analysis.Looks;
using Dump.Model.Facts;
using Dump.Model.Text;
using Dump.Model.Verdicts;
using Dump.Model.Waits;
using Dump.Model.Wording;

namespace Dump.Analysis.Detectors;

/// <summary>DUMP1009: a thread that holds the loader waits for something which is no lock, while others need the loader to load, start or end.</summary>
public sealed class BlockedLoaderDetector : IDetector
{
    /// <inheritdoc/>
    public DetectorDescriptor Descriptor { get; } = new(
        "DUMP1009",
        "DLL callback blocks the loader",
        "A callback of a DLL, or the load of one, waits while its thread holds the loader, and other threads need the loader to load, start or end.",
        "stacks, the loader lock's memory, TEBs (Windows 10 and later)",
        DetectorFamily.Loader)
    {
        Subject = VerdictSubject.Holder,
    };

    /// <inheritdoc/>
    public DetectorOutcome Detect(AnalysisContext context)
    {
        // A holder in a cycle is the story of the detectors of cycles; one through mere candidates must not hide what is known better.
        HashSet<uint> inCycle = [.. context.Cycles.Where(c => !c.Edges.Any(e => e.IsThroughCandidate)).SelectMany(c => c.Component)];
        return DetectorOutcomes.From(
            Descriptor,
            LoaderStop.Find(context).Where(s => !inCycle.Contains(s.Thread.Id)).Select(s => Judge(context, s)),
            [.. NecessaryData.Stacks(context.Snapshot), .. NecessaryData.Loader(context.Snapshot)]);
    }

    private Verdict Judge(AnalysisContext context, LoaderStop stop)
    {
        uint thread = stop.Thread.Id;
        string does = ActivityText.Of(context, thread);
        EarlierLook? since = Standstill.Since(context, stop.Thread);
        return new Verdict
        {
            DetectorId = Descriptor.Id,
            Title = stop.Callback is null ? BlockedLoaderMessages.LoadTitle : Descriptor.Title,
            Confidence = NeverEnds(stop) || HasStood(context, stop, since) ? Confidence.Likely : Confidence.Suspected,
            Claims = Claims(context, stop, does),
            Chain = [.. stop.Queue.Take(1).Select(e => VerdictParts.Link(context, e)),
                .. context.Graph.WaitsOf(thread).Select(w => VerdictParts.Link(context, w))],
            Threads = [thread],
            Stacks =
            [
                VerdictParts.Excerpt(context, thread, $"holds the loader, {does}"),
                .. Queue(stop).Take(1).Select(id => VerdictParts.Excerpt(context, id, "waits in the loader")),
            ],
            Culprit = stop.Callback is { } callback ? new Culprit(callback.Module, $"{callback.Kind} ({callback.Reason})", thread) : null,
            Victims = VerdictParts.Victims(context, [thread]),
            Remedies = BlockedLoaderMessages.Remedies(stop.Callback, isSecond: since is not null),
        };
    }

    /// <summary>
    /// One dump cannot tell a callback that waits for a moment from one that waits for ever, and an event may be set from outside; only a sleep without end,
    /// which nothing interrupts, ends with the process.
    /// </summary>
    private static bool NeverEnds(LoaderStop stop) =>
        stop is { Callback: null or { Grade: > Grade.Suspected },
            Wait: { Resource.Kind: ResourceKind.Time, Timeout: WaitTimeout.Infinite, Grade: > Grade.Suspected } };

    /// <summary>Two dumps show the callback in the same place, without CPU time in between, and the same threads behind it.</summary>
    private static bool HasStood(AnalysisContext context, LoaderStop stop, EarlierLook? since) =>
        stop.Callback is null or { Grade: > Grade.Suspected } && since?.Pair.Elapsed >= context.Options.LongStandstill;

    private static ImmutableArray<Claim> Claims(AnalysisContext context, LoaderStop stop, string does)
    {
        uint thread = stop.Thread.Id;
        Grade where = stop.Callback?.Grade ?? Grade.Derived;
        List<Claim> claims =
        [
            new Claim(
                BlockedLoaderMessages.Runs(context.Names, stop),
                VerdictParts.Confidence(stop.Queue.Select(e => e.Ownership.Grade).Append(where).Min()),
                [
                    .. stop.Queue.Take(1).SelectMany(e => e.Ownership.Evidence),
                    .. stop.Callback is { } callback
                        ? [new Evidence(EvidenceSource.Stack, $"frame {callback.FrameIndex} lies in {callback.Module}, below a call of ntdll's loader")]
                        : context.Exit is { } exit && stop.Queue.IsEmpty ? [exit.Evidence]
                        : (ImmutableArray<Evidence>)[new Evidence(EvidenceSource.Stack, "ntdll's frames lead from the wait to the function that loads")],
                ]),
            new Claim(
                BlockedLoaderMessages.Does(context.Names, stop, does),
                VerdictParts.Confidence(stop.Wait?.Grade ?? Grade.Derived),
                stop.Wait?.Evidence ?? stop.Thread.Activity.Evidence),
        ];
        if (stop.Queue.IsEmpty)
        {
            claims.Add(new Claim(BlockedLoaderMessages.Exits, Confidence.Suspected, [context.Exit!.Evidence]));
        }
        else
        {
            claims.Add(new Claim(
                BlockedLoaderMessages.Waits(context, stop),
                VerdictParts.Confidence(stop.Queue.Max(e => e.Wait.Grade)),
                [.. stop.Queue.MaxBy(e => e.Wait.Grade)!.Wait.Evidence]));
        }

        return [.. claims];
    }

    private static IEnumerable<uint> Queue(LoaderStop stop) => stop.Queue.Select(e => e.Waiter).Order();
}

/// <summary>The sentences of <see cref="BlockedLoaderDetector"/>: pure functions.</summary>
internal static class BlockedLoaderMessages
{
    /// <summary>Title where no callback runs.</summary>
    public const string LoadTitle = "Load of a DLL blocks the loader";

    /// <summary>What a wait means when the process exits.</summary>
    public const string Exits = "The process is exiting and has no other thread left: until this callback returns, it does not end.";

    /// <summary>Who runs what under the loader.</summary>
    public static string Runs(Naming names, LoaderStop stop)
    {
        string who = names.ThreadCapitalised(stop.Thread.Id);
        string runs = stop.Callback is { } callback ? $"runs {callback.Module}'s {callback.Kind} ({callback.Reason})" : "loads or unloads a DLL";
        Resource[] held = [.. stop.Queue.Select(e => e.Resource).Distinct().OrderBy(r => r.Kind)];
        return held.Length == 0 ? $"{who} {runs}." : $"{who} {runs} and holds {string.Join(" and ", held.Select(names.Resource))}.";
    }

    /// <summary>What it waits for there.</summary>
    public static string Does(Naming names, LoaderStop stop, string does) => stop switch
    {
        { Worker: { } worker } =>
            $"It waits for the loader's worker threads, of which {names.Thread(worker.Id)} is in the system call {worker.Activity.SystemCall} (file system).",
        { Callback: null } => $"It {does} (file system).",
        _ => $"In that callback it {does}.",
    };

    /// <summary>Who needs the loader.</summary>
    public static string Waits(AnalysisContext context, LoaderStop stop)
    {
        VictimKind[] kinds = [.. stop.Queue.Select(e => context.Thread(e.Waiter) is { } t ? LoaderFunctions.WaiterKind(t.Stack.Frames) : VictimKind.Thread)];
        string[] parts =
        [
            .. Part(kinds.Count(k => k == VictimKind.StartingThread), "to start"),
            .. Part(kinds.Count(k => k == VictimKind.ExitingThread), "to end"),
            .. Part(kinds.Count(k => k == VictimKind.Thread), "to go on in a call of the loader"),
        ];
        string until = stop.Callback is null ? "the load is done" : "the callback returns";
        return $"{CountText.Of(kinds.Length, "thread")} {(kinds.Length == 1 ? "waits" : "wait")} for the loader until {until} ({string.Join(", ", parts)}); "
            + "no thread can load a DLL, start or end before.";
    }

    /// <summary>What to do.</summary>
    public static ImmutableArray<string> Remedies(LoaderCallback? callback, bool isSecond) =>
    [
        callback is null
            ? "Look at the file that is being loaded, its disk or share, and the filter drivers (virus scanners) on the way to it."
            : $"In {callback.Module}: do not wait, sleep, or use files, pipes or other processes in {callback.KindWithArticle}; leave that to a function that "
                + "the program calls.",
        .. isSecond ? [] : (ImmutableArray<string>)
            ["Take a second dump some seconds later: the same wait with the same threads behind it again means that it is stuck, not slow."],
    ];

    private static string[] Part(int count, string what) => count == 0 ? [] : [$"{count} {what}"];
}
