using System.Collections.Immutable;
using Dump.Analysis.Detection;
using Dump.Model.Facts;
using Dump.Model.Managed;
using Dump.Model.Text;
using Dump.Model.Verdicts;
using Dump.Model.Waits;

namespace Dump.Analysis.Detectors.ThreadPoolStarvation;

/// <summary>DUMP1007: every worker of the managed thread pool is blocked while work is queued.</summary>
public sealed class ThreadPoolStarvationDetector : IDetector
{
    /// <inheritdoc/>
    public DetectorDescriptor Descriptor { get; } = new(
        "DUMP1007",
        "Thread-pool starvation",
        "All thread-pool workers block, at least one of them in a task, while work items wait for a worker.",
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
        if (context.Snapshot.ThreadPool is { QueuedItems: null } pool && AllBlock(context, pool, out _, out _))
        {
            yield return new(
                "the queue of the thread pool, whose workers all block", "whether work waits for a worker, and so whether the pool is starved, is unknown",
                NecessaryData.FullDumpAdvice(context.Snapshot));
        }
    }

    private static bool AllBlock(AnalysisContext context, ThreadPoolState pool, out WaitFact[] waits, out int inTasks)
    {
        waits = [.. pool.Workers.SelectMany(w => context.Graph.WaitsOf(w).Take(1))];
        inTasks = waits.Count(w => w.Resource.Kind == ResourceKind.ManagedTask && context.Snapshot.TaskWaits.Any(t => t.ThreadId == w.ThreadId));
        return waits.Length == pool.Workers.Length && waits.All(w => w.Timeout != WaitTimeout.Finite) && inTasks > 0;
    }

    private Verdict? Judge(AnalysisContext context, ThreadPoolState pool)
    {
        if (!AllBlock(context, pool, out WaitFact[] waits, out int inTasks) || pool.QueuedItems is not > 0)
        {
            return null;
        }

        bool isFull = pool.MaximumWorkers is { } most && pool.Workers.Length >= most;
        ImmutableArray<Evidence> evidence =
            [new Evidence(EvidenceSource.Memory, $"items in ThreadPoolWorkQueue and the workers' own queues: {pool.QueuedItems}"), .. waits[0].Evidence];
        return new Verdict
        {
            DetectorId = Descriptor.Id,
            Title = Descriptor.Title,
            Confidence = isFull ? Confidence.Likely : Confidence.Suspected,
            Claims =
            [
                new Claim(
                    $"All {CountText.Of(pool.Workers.Length, "thread-pool worker")} block, {inTasks} of them in tasks that no thread is known to run; "
                        + $"{CountText.Of(pool.QueuedItems.Value, "work item")} wait for a worker.",
                    VerdictParts.Confidence(waits.Min(w => w.Grade)),
                    evidence),
                new Claim(
                    isFull
                        ? $"The pool has its maximum of {pool.MaximumWorkers} workers, so no queued work starts before one of them returns: one whose task "
                            + "waits for queued work never does, one whose task waits for input or output returns when that ends."
                        : "The pool adds a worker only now and then (about one or two a second), so it may recover slowly, or never when new work blocks as "
                            + "well.",
                    isFull ? Confidence.Likely : Confidence.Suspected,
                    evidence),
            ],
            Chain = [.. waits.Take(1).Select(w => VerdictParts.Link(context, w))],
            Threads = pool.Workers,
            Stacks = [VerdictParts.Excerpt(context, pool.Workers[0], "thread-pool worker, blocked in a task")],
            Victims = VerdictParts.Victims(context, pool.Workers),
            Remedies =
            [
                "Do not block pool threads in tasks (Wait, Result, GetResult): await them.",
                "Raising ThreadPool.SetMinThreads hides the symptom at best; look at the stacks for what blocks.",
            ],
        };
    }
}
