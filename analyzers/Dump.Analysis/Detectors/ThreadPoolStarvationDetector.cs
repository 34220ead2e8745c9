using System.Collections.Immutable;
using Dump.Analysis.Detection;
using Dump.Model.Facts;
using Dump.Model.Managed;
using Dump.Model.Process;
using Dump.Model.Text;
using Dump.Model.Verdicts;
using Dump.Model.Waits;
using Dump.Model.Wording;

namespace Dump.Analysis.Detectors;

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

/// <summary>The workers of a thread pool that block without a known end, in groups by what of the program they stand in.</summary>
/// <param name="Waits">What they wait for, one wait each.</param>
/// <param name="Others">How many workers do not block.</param>
/// <param name="InTasks">How many block in tasks that no thread is known to run.</param>
/// <param name="IsFull">True when the pool has its maximum of workers.</param>
/// <param name="Groups">The blocked workers by their innermost function of the program, the largest group first; null for none that is known.</param>
internal sealed record BlockedWorkers(
    ImmutableArray<WaitFact> Waits, int Others, int InTasks, bool IsFull, ImmutableArray<(string? Place, ImmutableArray<uint> Threads)> Groups)
{
    /// <summary>Fewest blocked workers beside which one that does not block may just have been added, or is between two items.</summary>
    private const int FewestBesideOne = 3;

    /// <summary>The same for each one of several.</summary>
    private const int FewestBesideEach = 8;
    private const int MostPlaces = 5;
    private const int MostExcerpts = 3;

    /// <summary>The blocked workers, group by group.</summary>
    public ImmutableArray<uint> Threads => [.. Groups.SelectMany(g => g.Threads)];

    /// <summary>
    /// True when the pool serves next to nobody as long as its workers block: all of them do but one, or one in nine; and some do in tasks, or nothing owns
    /// what all of them wait for and no worker can be added.
    /// </summary>
    public bool LooksStarved => !Waits.IsEmpty && Others <= Math.Max(Waits.Length >= FewestBesideOne ? 1 : 0, Waits.Length / FewestBesideEach)
        && (InTasks > 0 || (IsFull && Waits.All(w => w.Resource.Kind is ResourceKind.ManagedSignal or ResourceKind.Event or ResourceKind.Semaphore)));

    /// <summary>Where they stand, for example <c>36 of them block in Svc.Handle, 4 in Svc.Load.</c>; null where no function is known.</summary>
    public string? Places
    {
        get
        {
            (string? Place, ImmutableArray<uint> Threads)[] known = [.. Groups.Where(g => g.Place is not null)];
            int rest = Waits.Length - known.Take(MostPlaces).Sum(g => g.Threads.Length);
            return known.Length == 0 || Waits.Length == 1 ? null
                : $"{string.Join(", ", known.Take(MostPlaces).Select((g, i) => $"{g.Threads.Length}{(i == 0 ? " of them block" : "")} in {g.Place}"))}"
                    + $"{(rest > 0 ? $", {rest} elsewhere" : "")}.";
        }
    }

    /// <summary>Reads them from the facts.</summary>
    public static BlockedWorkers Of(AnalysisContext context, ThreadPoolState pool)
    {
        WaitFact[] waits = [.. pool.Workers
            .Select(w => context.Graph.WaitsOf(w).FirstOrDefault(f => f.Timeout != WaitTimeout.Finite)).OfType<WaitFact>()];
        return new BlockedWorkers(
            [.. waits],
            pool.Workers.Length - waits.Length,
            waits.Count(w => w.Resource.Kind == ResourceKind.ManagedTask && context.Snapshot.TaskWaits.Any(t => t.ThreadId == w.ThreadId)),
            pool.MaximumWorkers is { } most && pool.Workers.Length >= most,
            [
                .. waits.GroupBy(w => PlaceOf(context, w.ThreadId)).Select(g => (Place: g.Key, Threads: g.Select(w => w.ThreadId).ToImmutableArray()))
                    .OrderByDescending(g => g.Threads.Length).ThenBy(g => g.Place, StringComparer.Ordinal),
            ]);
    }

    /// <summary>What the verdict says first.</summary>
    public string Sentence(int queued)
    {
        string who = Others == 0 ? $"All {CountText.Of(Waits.Length, "thread-pool worker")} block"
            : $"{Waits.Length} of {CountText.Of(Waits.Length + Others, "thread-pool worker")} block";
        string tasks = InTasks > 0 ? $", {InTasks} of them in tasks that no thread is known to run" : ", in waits for what nothing owns";
        return $"{who}{tasks}; {CountText.Of(queued, "work item")} {(queued == 1 ? "waits" : "wait")} for a worker.";
    }

    /// <summary>What becomes of the queued work.</summary>
    public string Outlook(int? maximum) => Others > 0
        ? $"The {(Others == 1 ? "worker that does" : "workers that do")} not block may just have been added, or be between two items: the queued work then has no "
            + $"{(Others == 1 ? "other" : "others")}, and the pool recovers slowly or never."
        : !IsFull ? "The pool adds a worker only now and then (about one or two a second), so it may recover slowly, or never when new work blocks as well."
        : InTasks > 0 ? $"The pool has its maximum of {maximum} workers, so no queued work starts before one of them returns: one whose task waits for queued "
            + "work never does, one whose task waits for input or output returns when that ends."
        : $"The pool has its maximum of {maximum} workers, so no queued work starts before one of them returns: one that waits for what queued work must do "
            + "never does.";

    /// <summary>A stack for each of the largest groups.</summary>
    public ImmutableArray<StackExcerpt> Excerpts(AnalysisContext context) =>
    [
        .. Groups.Take(MostExcerpts).Select(g => VerdictParts.Excerpt(
            context, g.Threads[0], g.Threads.Length == 1 ? "thread-pool worker, blocked" : $"one of {g.Threads.Length} thread-pool workers that block there")),
    ];

    private static string? PlaceOf(AnalysisContext context, uint thread) =>
        context.ToRead(thread) is { Function: { } } frame ? FrameWords.Place(frame.Module, frame.Function, frame.ModuleOffset) : null;
}
