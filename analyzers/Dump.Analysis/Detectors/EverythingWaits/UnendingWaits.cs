using System.Globalization;
using Dump.Analysis.Detection;
using Dump.Analysis.Waiting;
using Dump.Model.Facts;
using Dump.Model.Managed;
using Dump.Model.Process;
using Dump.Model.Text;
using Dump.Model.Verdicts;
using Dump.Model.Waits;
using Dump.Model.Wording;

namespace Dump.Analysis.Detectors.EverythingWaits;

/// <summary>
/// Threads that wait for objects which only they can reach, whatever else goes on in the process: timers, sleepers and connections lead to none of them.
/// </summary>
internal static class UnendingWaits
{
    private const int MostGroups = 10;

    /// <summary>One verdict for all of them, or none.</summary>
    /// <param name="context">The facts.</param>
    /// <param name="detector">The detector.</param>
    /// <param name="judged">Threads of its other verdicts.</param>
    public static Verdict? Find(AnalysisContext context, DetectorDescriptor detector, IReadOnlySet<uint> judged)
    {
        (EndlessWait Found, WaitFact Wait)[] waits =
        [
            .. from found in context.Snapshot.AsyncWaits?.Endless ?? []
               where !judged.Contains(found.ThreadId)
               from wait in context.Graph.WaitsOf(found.ThreadId)
               where !context.Graph.From(found.ThreadId).Any(e => e.Wait == wait)
               select (found, wait),
        ];
        (EndlessWait Found, WaitFact Wait)[][] groups =
        [
            .. waits.GroupBy(w => w.Wait.Resource).Select(g => g.OrderBy(w => w.Wait.ThreadId).ToArray())
                .Where(g => !g.All(w => IsParked(context, w.Found, w.Wait)))
                .OrderByDescending(g => g.Length).ThenBy(g => g[0].Wait.ThreadId),
        ];
        return groups.Length == 0 ? null : Judge(context, detector, groups);
    }

    /// <summary>
    /// True for what may stand there on purpose, or without harm: a thread of the program's own that waits for a signal or an item and that nobody waits for, as
    /// the first one of a program that works by timers and the worker of an object that was dropped do; <c>Main</c> at a completion source; a sleep without an end.
    /// </summary>
    private static bool IsParked(AnalysisContext context, EndlessWait found, WaitFact wait) =>
        context.Thread(found.ThreadId) is not { } thread || found.Awaited == "Task.Delay"
        || (wait.Resource.Kind == ResourceKind.ManagedTask
            ? EntryMethod.IsUnder(thread) && (found.Method is not { } method || EntryMethod.IsNamed(method.Name))
            : context.Graph.To(thread.Id).IsEmpty && !StepOpenWaits.IsIn(context, thread) && context.Snapshot.ThreadPool?.Workers.Contains(thread.Id) != true);

    private static Verdict Judge(AnalysisContext context, DetectorDescriptor detector, (EndlessWait Found, WaitFact Wait)[][] groups)
    {
        uint[] threads = [.. groups.SelectMany(g => g.Select(w => w.Wait.ThreadId)).Distinct().Order()];
        return new Verdict
        {
            DetectorId = detector.Id,
            Title = "Nobody is left to end a wait",
            Confidence = Confidence.Suspected,
            Claims =
            [
                .. groups.Take(MostGroups).Select(g => new Claim(Words(context, g), VerdictParts.Confidence(g[0].Wait.Grade), g[0].Wait.Evidence)),
                new Claim(
                    $"Nothing that goes on is known to reach {(groups.Length == 1 ? "it" : "them")}: no other thread, static variable, handle, timer, queued work or "
                        + $"async method leads there. Nobody is left to end {(threads.Length == 1 ? "the wait" : "these waits")}.",
                    Confidence.Suspected,
                    [new Evidence(EvidenceSource.Rule, "all references on the managed heap, on stacks and in handles, followed from what goes on")]),
            ],
            Chain = [.. groups.SelectMany(g => g).Select(w => VerdictParts.Link(context, w.Wait)).Distinct()],
            Threads = [.. threads],
            AsyncMethods = [.. groups.SelectMany(g => g).Select(w => w.Found.Method?.Name).OfType<string>().Distinct()],
            Stacks =
            [
                .. groups.Take(MostGroups).Select(g => VerdictParts.Excerpt(context, g[0].Wait.ThreadId, $"waits for {context.Names.Resource(g[0].Wait.Resource)}")),
            ],
            Victims = VerdictParts.Victims(context, threads),
            Remedies =
            [
                "Find what should have set, released, written or completed it, and on which path it does not. Look for an exception, an early return, a participant "
                    + "or reader that has ended, a callback that was cancelled or replaced.",
                "Give the wait a time limit, and complete what others wait for in a finally block.",
                "A program that is parked on purpose may look the same: let it wait for a signal (Host.RunAsync, PosixSignalRegistration).",
            ],
        };
    }

    private static string Words(AnalysisContext context, (EndlessWait Found, WaitFact Wait)[] group)
    {
        (EndlessWait found, WaitFact wait) = group[0];
        string who = group.Length == 1 ? context.Names.Thread(wait.ThreadId) : CountText.Of(group.Length, "thread");
        string awaited = found.AwaitedObject is { } address
            ? string.Create(CultureInfo.InvariantCulture, $"{found.Awaited} 0x{address:x}") : found.Awaited ?? "";
        string method = found.Method is { } own ? own.Name + FrameWords.Source(own.Source) : "";
        string end = method.Length == 0 ? ""
            : found.HasCompleted ? $"; what {method} awaits there has completed, and nobody runs what continues it"
            : awaited.Length == 0 ? $"; {method} is the innermost method there"
            : $"; {method} awaits {awaited} there";
        return $"{Naming.Capitalised(who)} {(group.Length == 1 ? "waits" : "wait")} for {context.Names.Resource(wait.Resource)}, without a time limit{end}.";
    }
}
