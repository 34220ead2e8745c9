using System.Collections.Immutable;
using Dump.Analysis.Detection;
using Dump.Analysis.Knowledge;
using Dump.Model.Facts;
using Dump.Model.Managed;
using Dump.Model.Process;
using Dump.Model.Verdicts;
using Dump.Model.Waits;
using Dump.Model.Wording;

namespace Dump.Analysis.Detectors;

/// <summary>DUMP1006: a thread blocks in a task whose continuation must run on that very thread.</summary>
public sealed class SyncOverAsyncDetector : IDetector
{
    /// <inheritdoc/>
    public DetectorDescriptor Descriptor { get; } = new(
        "DUMP1006",
        "Sync-over-async deadlock",
        "A thread blocks in a task (Wait, Result, GetResult) whose async method must continue on the synchronization context that the thread itself serves.",
        "managed stacks, the memory of tasks",
        DetectorFamily.Tasks);

    /// <inheritdoc/>
    public DetectorOutcome Detect(AnalysisContext context) => DetectorOutcomes.From(
        Descriptor,
        context.Snapshot.TaskWaits.Select(w => Judge(context, w)).OfType<Verdict>(),
        NecessaryData.Stacks(context.Snapshot));

    private Verdict? Judge(AnalysisContext context, TaskWait wait)
    {
        WaitFact? fact = context.Graph.WaitsOf(wait.ThreadId)
            .FirstOrDefault(w => w.Resource.Kind == ResourceKind.ManagedTask && w.Resource.Identity == wait.Steps[0].Task);
        if (fact is null || fact.Timeout == WaitTimeout.Finite || wait.ThreadContext is not { } own
            || (own.ServingThread is { } serving && serving != wait.ThreadId) || MustContinueThere(wait, own) is not { } how)
        {
            return null;
        }

        Grade serves = IsServedBy(context, wait.ThreadId, own) && !(wait.ContinuationContext != own.Address && MayBeQueued(context))
            ? Grade.Derived
            : Grade.Suspected;
        Grade grade = fact.Timeout == WaitTimeout.Unknown ? Grade.Suspected : (Grade)Math.Min((int)serves, (int)fact.Grade);
        string title = grade == Grade.Suspected ? "Thread that may block its own continuation" : Descriptor.Title;
        return new Verdict
        {
            DetectorId = Descriptor.Id,
            Title = title,
            Confidence = VerdictParts.Confidence(grade),
            Claims = SyncOverAsyncMessages.Claims(context.Names, wait, own, fact, how, grade),
            Chain = [VerdictParts.Link(context, fact)],
            Threads = [wait.ThreadId],
            Stacks = [VerdictParts.Excerpt(
                context, wait.ThreadId, $"blocks in {wait.Steps[0].Description}{(own.IsServedByThread ? $" and serves {own.Type}" : "")}")],
            Victims = VerdictParts.Victims(context, [wait.ThreadId]),
            Remedies = SyncOverAsyncMessages.Remedies,
        };
    }

    /// <summary>
    /// A context of a message loop can be current on any thread that sets it, and runs what it is sent on the thread of its loop. Where the threads' stacks
    /// show a loop on others only, this thread is not known to be the one.
    /// </summary>
    private static bool IsServedBy(AnalysisContext context, uint thread, SynchronizationContextFact own) =>
        own.IsServedByThread || own.ServingThread == thread
        || (SingleThreadedContexts.Contains(own.Type)
            && (!SingleThreadedContexts.PumpsMessages(own.Type) || context.UiThreads.IsEmpty || context.UiThreads.Any(u => u.Thread.Id == thread)));

    /// <summary>
    /// True when a continuation that was not sent to the context (ConfigureAwait(false)) may stand in the queue of a thread pool without a free worker.
    /// </summary>
    private static bool MayBeQueued(AnalysisContext context) =>
        context.Snapshot.ThreadPool is { QueuedItems: not 0 } pool && !pool.Workers.Any(w => context.Thread(w)?.Activity.Kind == ThreadActivityKind.Idle);

    /// <summary>Why the chain can only go on through the thread's own context, or null when nothing says so.</summary>
    private static Evidence? MustContinueThere(TaskWait wait, SynchronizationContextFact own)
    {
        if (wait.ContinuationContext == own.Address)
        {
            return new Evidence(
                EvidenceSource.Memory, $"the continuation's SynchronizationContextAwaitTaskContinuation.m_syncContext is the thread's own {own.Type}",
                wait.ContinuationContext);
        }

        // The awaited task is done and its method has not gone on: its continuation has been sent somewhere and was not run.
        return wait.Steps is [.., { State: TaskState.Pending }, { State: TaskState.Completed } done]
            ? new Evidence(EvidenceSource.Memory, $"what the method awaits ({done.Description}) has completed, and the method has not gone on", done.Task)
            : null;
    }
}

/// <summary>Sentences of DUMP1006.</summary>
internal static class SyncOverAsyncMessages
{
    /// <summary>What to do.</summary>
    public static ImmutableArray<string> Remedies { get; } =
    [
        "Await the task instead of blocking in it, up to the event handler or entry point (async all the way).",
        "In library code use ConfigureAwait(false) on every await, so that continuations do not need the caller's context.",
        "Where blocking cannot be avoided, start the asynchronous work on the thread pool: Task.Run(() => LoadAsync()).GetAwaiter().GetResult().",
    ];

    /// <summary>The claims: what is blocked, where the method stands, and the conclusion.</summary>
    public static ImmutableArray<Claim> Claims(Naming names, TaskWait wait, SynchronizationContextFact own, WaitFact fact, Evidence how, Grade grade)
    {
        string who = names.ThreadCapitalised(wait.ThreadId);
        string chain = string.Join(", which awaits ", wait.Steps.Select(Step));
        string verb = grade == Grade.Suspected ? "may have to" : "must";
        string serves = own.IsServedByThread ? "whose loop runs on this thread" : "which is current on this thread";
        string there = how.Address == own.Address ? "" : " and the rest of the method was sent there";
        string outcome = grade == Grade.Suspected ? $", if that context has no other thread{there}" : ", a deadlock";
        return
        [
            new Claim($"{who} blocks in the task of {chain}. No thread is known to run it.", VerdictParts.Confidence(fact.Grade), fact.Evidence),
            new Claim(
                $"The method {verb} go on in {own.Type}, {serves}: the thread waits for work that only it can do{outcome}.",
                VerdictParts.Confidence(grade),
                [how]),
        ];
    }

    private static string Step(AwaitStep step)
    {
        string place = $"{step.Description}{FrameWords.Source(step.Source)}";
        return step.State == TaskState.Completed ? $"{place} (completed)" : place;
    }
}
