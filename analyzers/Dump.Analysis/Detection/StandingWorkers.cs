using System.Collections.Immutable;
using Dump.Analysis.Looks;
using Dump.Model.Managed;
using Dump.Model.Process;
using Dump.Model.Text;
using Dump.Model.Waits;
using Dump.Model.Wording;

namespace Dump.Analysis.Detection;

/// <summary>Workers of the .NET thread pool that wait, in functions of the program, for what other code of the process ends and nothing owns.</summary>
/// <param name="Waits">Their waits, by the ids of the threads; not empty.</param>
/// <param name="Queued">Items that wait for a worker where these are all that the pool has; null for those in one function.</param>
/// <param name="Fewest">How many must stand for it to tell something.</param>
internal sealed record StandingWorkers(ImmutableArray<WaitFact> Waits, int? Queued, int Fewest)
{
    private const int FewestInOneFunction = 10;
    private const int FewestOfAll = 3;

    // One may be a loop that lives as long as the program.
    private const int FewestInTask = 2;
    private const int FewestRequests = 1;
    private const string Server = "microsoft.aspnetcore";
    private const int MostPlaces = 5;

    /// <summary>All workers where they are all of a pool with work in its queue, and those of each function in which many stand.</summary>
    public static ImmutableArray<StandingWorkers> Find(AnalysisContext context)
    {
        if (context.Snapshot.ThreadPool is not { } pool)
        {
            return [];
        }

        ImmutableArray<WaitFact> waits =
        [
            .. pool.Workers.Select(w => context.Graph.WaitsOf(w).FirstOrDefault()).OfType<WaitFact>().Where(w => Stands(context, w)).OrderBy(w => w.ThreadId),
        ];
        return
        [
            .. pool.QueuedItems is > 0 and var queued && waits.Length >= FewestOfAll && AreAll(context, pool, waits) ? [new StandingWorkers(waits, queued, FewestOfAll)]
                : ImmutableArray<StandingWorkers>.Empty,
            .. waits.GroupBy(w => PlaceOf(context, w.ThreadId))
                .Select(g => new StandingWorkers([.. g], null, FewestOf(context, [.. g])))
                .Where(s => s.Waits.Length >= s.Fewest),
        ];
    }

    /// <summary>
    /// Those that stood there in an earlier look and have used no CPU time since; none where too few did. Of a whole pool none either where it has moved on, or
    /// no work was queued then: it may have been idle.
    /// </summary>
    public ImmutableArray<WaitFact> StoodIn(AnalysisContext context, EarlierLook look)
    {
        ImmutableArray<WaitFact> stood =
            [.. Waits.Where(w => look.StandsAtTheSamePlace(w.ThreadId, context.Graph) && look.Pair.HasMoved(w.ThreadId, context.Options.StandstillTime) == false)];
        bool have = stood.Length >= Fewest && (Queued is null || (look.Pair.Earlier.ThreadPool is { QueuedItems: > 0 } && !HasMovedSince(context, look)));
        return have ? stood : [];
    }

    /// <summary>
    /// True where no idle worker stands so: each blocks in the task of a method that only other code of the program can let go on, or at a signal on behalf of a
    /// request to a server.
    /// </summary>
    public bool AreAsked => Fewest <= FewestInTask;

    /// <summary>
    /// True for a whole pool of which one worker has moved on since an earlier look, or more work has left the queue than new workers have taken; false where
    /// that is not known.
    /// </summary>
    public bool HasMovedSince(AnalysisContext context, EarlierLook look)
    {
        if (Queued is not { } queued || look.Pair.Earlier.ThreadPool is not { } before || context.Snapshot.ThreadPool is not { } now)
        {
            return false;
        }

        HashSet<uint> waiting = [.. Waits.Select(w => w.ThreadId)], waited = [.. look.Pair.Earlier.Waits.Select(w => w.ThreadId)];

        // One that did not wait yet may have taken its item since, and so may each that has come.
        return before.Workers.Any(w => !waiting.Contains(w) || look.Pair.HasMoved(w, context.Options.StandstillTime) == true
                || (waited.Contains(w) && !look.StandsAtTheSamePlace(w, context.Graph)))
            || queued + now.Workers.Length - before.Workers.Count(waited.Contains) < before.QueuedItems;
    }

    /// <summary>Who stands where, as a sentence.</summary>
    /// <param name="context">The facts.</param>
    /// <param name="waits">Those of them that are told of.</param>
    public string Sentence(AnalysisContext context, ImmutableArray<WaitFact> waits)
    {
        (string? Place, int Count)[] places = [.. waits.GroupBy(w => PlaceOf(context, w.ThreadId)).Select(g => (g.Key, g.Count())).OrderByDescending(g => g.Item2)
            .ThenBy(g => g.Key, StringComparer.Ordinal)];
        string where = places.Length == 1 ? $"in {places[0].Place}"
            : $"{string.Join(", ", places.Take(MostPlaces).Select(p => $"{p.Count} in {p.Place}"))}{(places.Length > MostPlaces ? " and elsewhere" : "")}";
        return Queued is not { } queued ? $"{CountText.Grouped(waits.Length, "worker")} of the thread pool wait {where}, without a known limit."
            : $"{Share(context, waits.Length)} of the thread pool wait {where}, without a known limit, while "
                + $"{CountText.Grouped(queued, "work item")} {(queued == 1 ? "waits" : "wait")} for one of them.";
    }

    private static string Share(AnalysisContext context, int count) => (context.Snapshot.ThreadPool!.Workers.Length - count) switch
    {
        0 => $"All {CountText.Grouped(count, "worker")}",
        1 => $"All but one of the {CountText.Grouped(count + 1, "worker")}",
        _ => CountText.Grouped(count, "worker"),
    };

    /// <summary>One worker beside them may just have been added: it is on its way, with no code of the program on its stack yet.</summary>
    private static bool AreAll(AnalysisContext context, ThreadPoolState pool, ImmutableArray<WaitFact> waits) =>
        pool.Workers.Except(waits.Select(w => w.ThreadId)).Select(context.Thread).ToArray() is var others
            && (others.Length == 0 || (others is [{ Activity.Kind: not (ThreadActivityKind.Idle or ThreadActivityKind.Waiting or ThreadActivityKind.Sleeping) } other]
                && context.ToRead(other.Id) is null));

    private static int FewestOf(AnalysisContext context, ImmutableArray<WaitFact> waits)
    {
        bool inTasks = waits.All(w => IsInOwnTask(context, w));
        bool areRequests = waits.All(w => context.Thread(w.ThreadId)!.Stack.Frames.Any(f => f.ModuleStem?.StartsWith(Server, StringComparison.Ordinal) == true));
        return areRequests && (inTasks || waits.All(w => w.Resource.Kind != ResourceKind.ManagedTask)) ? FewestRequests : inTasks ? FewestInTask : FewestInOneFunction;
    }

    /// <summary>True for a thread that blocks in a task which waits for what only the program's other code can end.</summary>
    internal static bool IsInOwnTask(AnalysisContext context, WaitFact wait)
    {
        HashSet<string> methods =
            [.. context.Snapshot.TaskWaits.Where(t => t.ThreadId == wait.ThreadId).SelectMany(t => t.Steps).Select(s => s.Description)];
        OwnCalls[] calls = [.. context.Calls.Where(c => methods.Contains(c.Own.Name))];
        return wait.Resource.Kind == ResourceKind.ManagedTask && calls.Length > 0 && calls.All(c => c.IsForOwnCode(context));
    }

    private static bool Stands(AnalysisContext context, WaitFact wait) =>
        wait is { Timeout: not WaitTimeout.Finite, IsSatisfied: false, Resource.Kind: ResourceKind.ManagedSignal or ResourceKind.ManagedTask or ResourceKind.Event
            or ResourceKind.Semaphore }
        && context.Graph.From(wait.ThreadId).IsEmpty && PlaceOf(context, wait.ThreadId) is not null;

    /// <summary>The innermost function of the program; null where none is known, or it takes the next item of a queue.</summary>
    private static string? PlaceOf(AnalysisContext context, uint thread) =>
        context.Thread(thread) is { Stack.Frames: var frames } && context.Application.ToRead(frames) is { } index
            && frames[index] is { Function: { }, Symbol: SymbolSource.Metadata } frame && !WorkQueues.IsTaking(context.Thread(thread)!, index)
            ? FrameWords.Place(frame.Module, frame.Function, frame.ModuleOffset) : null;
}
