using System.Collections.Immutable;
using System.Globalization;
using Dump.Analysis.Detection;
using Dump.Model.Facts;
using Dump.Model.Managed;
using Dump.Model.Process;
using Dump.Model.Text;
using Dump.Model.Verdicts;
using Dump.Model.Waits;

namespace Dump.Analysis.Waiting;

/// <summary>
/// Waits of async methods that no verdict judges: for a semaphore that cannot be entered, or for tasks of completion sources, of one that all await or of one
/// for each call. A few waiters are what a queue of work without work looks like; of many without a time limit a program's answers depend on whoever releases
/// or completes it, which one dump does not show. A program that lets few in at a time and has somebody inside looks busy, not hung: another call of the same
/// methods has got further. Requests to a web server are no consumers of a queue: fewer of them, at one semaphore, leave the answer open. Listeners for what a
/// timer or a cancellation token tells them all wait for just that, calls over a connection for who reads it.
/// </summary>
internal sealed class AsyncOpenWaits : IOpenWaitRule
{
    private const int MostListed = 8;

    /// <inheritdoc/>
    public IEnumerable<OpenWait> Find(OpenWaitScope scope)
    {
        AnalysisContext context = scope.Context;
        ImmutableArray<Verdict> found = scope.Verdicts;
        if (context.Snapshot.AsyncWaits is not { } waits)
        {
            yield break;
        }

        if (waits.HeapLeftOut is { } bytes && found.Length == 0)
        {
            yield return LeftOut(bytes);
        }

        if (waits.TasksLeftOut is { } tasks && found.Length == 0)
        {
            yield return new OpenWait(
                OpenWaitKind.AsyncMethodsNotRead, null, null,
                $"Async methods were not looked at: {CountText.Grouped(tasks, "task")} are pending. dumpanalyze tasks shows what they wait for.",
                Grade.Proven, [new Evidence(EvidenceSource.Runtime, "the pending tasks of the managed heap")]);
        }

        if (waits.Gap is (HeapLookGap.Absent or HeapLookGap.BeingCollected) and var gap && found.Length == 0)
        {
            yield return NotSeen(gap);
        }

        foreach (AwaitedSemaphore semaphore in waits.Semaphores.Where(s => IsListed(s) && !IsJudged(s.Address, found)).Take(MostListed))
        {
            yield return new OpenWait(OpenWaitKind.Semaphore, null, null, Sentence(context, semaphore), Grade.Proven, [SemaphoreWords.Evidence(semaphore)])
            {
                Resource = new Resource(ResourceKind.ManagedSignal, semaphore.Address),
                Timeout = semaphore.Unlimited == semaphore.Waiters ? WaitTimeout.Infinite : WaitTimeout.Unknown,
                LeavesUndecided = CallOpenWaits.LeaveUndecided(context, semaphore.Methods)
                    ?? (AreMany(semaphore) && semaphore.Further == 0 && !MayBeInside(context, semaphore.Methods, semaphore.Stopped)),
            };
        }

        foreach (AwaitedTask task in waits.Tasks.Where(t => IsListed(t) && !IsJudged(t.Address, found)).Take(MostListed))
        {
            yield return new OpenWait(
                OpenWaitKind.CompletionSource, null, null, Sentence(task), Grade.Proven, [new Evidence(EvidenceSource.Memory, "its state, and the async methods that await it", task.Address)])
            {
                Resource = new Resource(ResourceKind.ManagedTask, task.Address),
                Timeout = WaitTimeout.Infinite,
                LeavesUndecided = CallOpenWaits.LeaveUndecided(context, task.Methods)
                    ?? (task is { Waiters: >= OwnCalls.MoreThanConsumers, Further: 0, EndsByItself: not true } && !MayBeInside(context, task.Methods, task.Stopped)),
            };
        }

        foreach (OpenWait wait in OwnSources(context, waits, found))
        {
            yield return wait;
        }
    }

    /// <summary>True for a semaphore with a line of its own.</summary>
    public static bool IsListed(AwaitedSemaphore semaphore) => semaphore.Waiters >= OwnCalls.Fewest;

    /// <summary>True for a task with a line of its own.</summary>
    public static bool IsListed(AwaitedTask task) => task.Waiters >= OwnCalls.Fewest;

    /// <summary>True for calls with a line of their own.</summary>
    public static bool IsListed(AwaitedSources sources) => sources.Count >= OwnCalls.Fewest;

    private static bool AreMany(AwaitedSemaphore semaphore) =>
        semaphore.Unlimited >= OwnCalls.MoreThanConsumers || (semaphore.Unlimited >= OwnCalls.Fewest && semaphore.Requests >= OwnCalls.Fewest);

    private static IEnumerable<OpenWait> OwnSources(AnalysisContext context, AsyncWaits waits, ImmutableArray<Verdict> found)
    {
        foreach (AwaitedSources sources in waits.Sources.Where(s => IsListed(s) && !IsJudged(s.Address, found)).Take(MostListed))
        {
            yield return new OpenWait(
                OpenWaitKind.OwnCompletionSources, null, null, SourceWords.Sentence(context, sources), Grade.Proven,
                [new Evidence(EvidenceSource.Memory, "the state of the first of these tasks, and the async method that awaits it", sources.Address)])
            {
                Resource = new Resource(ResourceKind.ManagedTask, sources.Address),
                LeavesUndecided = CallOpenWaits.LeaveUndecided(context, sources.Methods)
                    ?? (sources is { Count: >= OwnCalls.MoreThanConsumers, Further: 0 } && OpenOf(sources) >= OwnCalls.MoreThanConsumers
                        && !MayBeInside(context, sources.Methods, sources.Stopped) && !SourceWords.Working(context, sources).Any()),
            };
        }
    }

    /// <summary>Those that nothing leads to; of many only some were looked at, and stand for the others.</summary>
    private static long OpenOf(AwaitedSources sources) =>
        sources.Open is { } open && sources.Looked > 0 ? (long)open * sources.Count / sources.Looked : sources.Count;

    /// <inheritdoc/>
    public IEnumerable<MissingData> Missing(OpenWaitScope scope, ImmutableArray<OpenWait> open)
    {
        (OpenWaitKind Kind, MissingKind Ender)[] enders =
        [
            (OpenWaitKind.Semaphore, MissingKind.ReleasersOfSemaphores), (OpenWaitKind.CompletionSource, MissingKind.CompletersOfTasks),
            (OpenWaitKind.OwnCompletionSources, MissingKind.CompletersOfOwnTasks),
        ];
        foreach ((OpenWaitKind kind, MissingKind ender) in enders)
        {
            if (open.Count(w => w.Kind == kind) is > 0 and var count)
            {
                yield return MissingData.Of(ender, count);
            }
        }

        // A look at the heap that broke off leaves open what it did not come to.
        if (scope.Context.Snapshot.AsyncWaits?.Gap == HeapLookGap.BrokenOff)
        {
            yield return MissingData.Of(MissingKind.AsyncMethodsOfHeap);
        }
    }

    /// <summary>
    /// True while a thread executes a call of the waiting methods: one that has entered the semaphore at once, and has not awaited since, is on no heap.
    /// </summary>
    private static bool MayBeInside(AnalysisContext context, ImmutableArray<AwaitingMethod> methods, ImmutableArray<string> stopped) =>
        ManagedCode.Runs(context.Snapshot, methods.Select(m => m.Name).Concat(stopped).ToHashSet(StringComparer.Ordinal));

    private static bool IsJudged(ulong address, ImmutableArray<Verdict> verdicts) =>
        verdicts.Any(v => v.Claims.Any(c => c.Evidence.Any(e => e.Source == EvidenceSource.Memory && e.Address == address)));

    private static string Sentence(AnalysisContext context, AwaitedSemaphore semaphore)
    {
        string limits = semaphore.Unlimited == 0 ? ""
            : semaphore.Unlimited == semaphore.Waiters ? ", without a time limit or a cancellation token"
            : string.Create(CultureInfo.InvariantCulture, $", {semaphore.Unlimited:N0} of them without a time limit or a cancellation token");
        return $"{SemaphoreWords.Waiters(semaphore)} for {SemaphoreWords.Name(context, semaphore)}{limits}."
            + Requests(semaphore.Requests) + Further(semaphore.Further, "release") + SemaphoreWords.Holders(semaphore) + Look(semaphore.Methods);
    }

    private static string Sentence(AwaitedTask task)
    {
        string ends = task.EndsByItself switch
        {
            true => " A timer or a cancellation token leads to it, and may end their wait.",
            false => " No timer and no cancellation token is known to lead to it.",
            null => "",
        };
        return string.Create(
            CultureInfo.InvariantCulture,
            $"{CountText.Grouped(task.Waiters, "async method")} wait for task 0x{task.Address:x} of one completion source (TaskCompletionSource), ")
            + $"which nobody has completed, without a time limit or a cancellation token.{ends}{Further(task.Further, "complete")}{Look(task.Methods)}";
    }

    private static string Requests(int requests) =>
        requests == 0 ? "" : $" {CountText.Grouped(requests, "request")} to this server cannot be answered before.";

    private static string Further(int calls, string verb) =>
        calls == 0 ? "" : $" {CountText.Grouped(calls, "other call")} of their methods {(calls == 1 ? "does" : "do")} not, and may {verb} it.";

    private static string Look(ImmutableArray<AwaitingMethod> methods) => methods.IsEmpty ? "" : $" Look at {SemaphoreWords.Methods(methods)}.";

    /// <summary>Told like a heap that is too large: such a dump answers what it can. A walk that broke off is damage, and leaves the answer open.</summary>
    private static OpenWait NotSeen(HeapLookGap gap) => new(
        OpenWaitKind.AsyncMethodsNotRead, null, null,
        gap == HeapLookGap.Absent
            ? "Async methods were not looked at: the managed heap, or a part of it, is not in the dump."
            : "Async methods were not looked at: the managed heap was just being collected.",
        Grade.Proven, [new Evidence(EvidenceSource.Runtime, "the segments of the managed heap")]);

    private static OpenWait LeftOut(long bytes) => new(
        OpenWaitKind.AsyncMethodsNotRead, null, null,
        string.Create(
            CultureInfo.InvariantCulture,
            $"Async methods were not looked at: the managed heap has {bytes >> 20:N0} MiB. dumpanalyze tasks shows what they wait for."),
        Grade.Proven, [new Evidence(EvidenceSource.Runtime, "the segments of the managed heap", null, (ulong)bytes)]);
}
