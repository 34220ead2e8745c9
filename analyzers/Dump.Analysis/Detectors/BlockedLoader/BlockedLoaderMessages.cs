using System.Collections.Immutable;
using Dump.Analysis.Detection;
using Dump.Analysis.Knowledge;
using Dump.Model.Text;
using Dump.Model.Verdicts;
using Dump.Model.Waits;
using Dump.Model.Wording;

namespace Dump.Analysis.Detectors.BlockedLoader;

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
