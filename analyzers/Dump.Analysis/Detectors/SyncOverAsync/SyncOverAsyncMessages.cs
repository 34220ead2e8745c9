using System.Collections.Immutable;
using Dump.Analysis.Detection;
using Dump.Model.Facts;
using Dump.Model.Managed;
using Dump.Model.Verdicts;
using Dump.Model.Waits;
using Dump.Model.Wording;

namespace Dump.Analysis.Detectors.SyncOverAsync;

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
