using System.Collections.Immutable;
using Dump.Analysis.Detection;
using Dump.Model.Facts;
using Dump.Model.Managed;
using Dump.Model.Verdicts;

namespace Dump.Analysis.Detectors.ThreadPoolStarvation;

/// <summary>DUMP1007: the workers of the managed thread pool block while work is queued.</summary>
public sealed class ThreadPoolStarvationDetector : IDetector
{
    /// <inheritdoc/>
    public DetectorDescriptor Descriptor { get; } = new(
        "DUMP1007",
        "Thread-pool starvation",
        "The thread-pool workers block, at least one of them in a task or the pool being at its maximum, while work items wait for a worker.",
        "managed stacks, the memory of the thread pool",
        DetectorFamily.Tasks)
    {
        Subject = VerdictSubject.AnyThread,
    };

    /// <inheritdoc/>
    public DetectorOutcome Detect(AnalysisContext context) => DetectorOutcomes.From(
        Descriptor,
        context.Snapshot.ThreadPool is { } pool && Judge(context, pool) is { } verdict ? [verdict] : [],
        [.. NecessaryData.Stacks(context.Snapshot), .. Queue(context)]);

    /// <summary>A pool that looks starved but for its queue, which could not be counted.</summary>
    private static IEnumerable<MissingData> Queue(AnalysisContext context)
    {
        if (context.Snapshot.ThreadPool is { QueuedItems: null } pool && BlockedWorkers.Of(context, pool).LooksStarved)
        {
            yield return MissingData.Of(MissingKind.PoolQueue);
        }
    }

    private Verdict? Judge(AnalysisContext context, ThreadPoolState pool)
    {
        var workers = BlockedWorkers.Of(context, pool);
        if (!workers.LooksStarved || pool.QueuedItems is not > 0)
        {
            return null;
        }

        ImmutableArray<Evidence> evidence =
        [
            new Evidence(EvidenceSource.Memory, $"items in ThreadPoolWorkQueue and the workers' own queues: {pool.QueuedItems}"),
            .. workers.Waits[0].Evidence,
        ];
        Confidence outlook = workers is { IsFull: true, Others: 0, InTasks: > 0 } ? Confidence.Likely : Confidence.Suspected;
        return new Verdict
        {
            DetectorId = Descriptor.Id,
            Title = Descriptor.Title,
            Confidence = outlook,
            Claims =
            [
                new Claim(workers.Sentence(pool.QueuedItems.Value), VerdictParts.Confidence(workers.Waits.Min(w => w.Grade)), evidence),
                .. workers.Places is { } places
                    ? new[] { new Claim(places, Confidence.Confirmed, [new Evidence(EvidenceSource.Stack, "innermost frames of the program's own")]) } : [],
                new Claim(workers.Outlook(pool.MaximumWorkers), outlook, evidence),
            ],
            Chain = [.. workers.Waits.Take(1).Select(w => VerdictParts.Link(context, w))],
            Threads = workers.Threads,
            Stacks = workers.Excerpts(context),
            Victims = VerdictParts.Victims(context, pool.Workers),
            Remedies =
            [
                "Do not block pool threads in tasks, events or semaphores that other pool threads must end: await them.",
                "Raising ThreadPool.SetMinThreads hides the symptom at best; look at the stacks for what blocks.",
            ],
        };
    }
}
