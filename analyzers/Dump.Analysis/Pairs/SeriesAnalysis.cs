using System.Collections.Immutable;
using System.Globalization;
using Dump.Analysis.Detection;
using Dump.Analysis.Graph;
using Dump.Analysis.Knowledge;
using Dump.Analysis.Looks;
using Dump.Analysis.Options;
using Dump.Model.Facts;
using Dump.Model.Process;
using Dump.Model.Verdicts;
using Dump.Model.Waits;
using Dump.Model.Wording;

namespace Dump.Analysis.Pairs;

/// <summary>
/// Judges several snapshots of one process: the last as it is, with what the earlier ones add. They never make a cycle more certain; they say what has stood
/// still, give processor loads of the time in between, accuse an owner that has stood still with its waiters, and make suspected what they refute: a cycle that
/// stood in all although its threads moved, a lock that was released in between or that had another owner.
/// </summary>
public static class SeriesAnalysis
{
    /// <summary>Most rounds of doubt: each takes a cycle apart, and what is left may close another one.</summary>
    private const int MostDoubts = 16;

    /// <summary>Judges a series.</summary>
    /// <param name="series">The snapshots.</param>
    /// <param name="options">Thresholds; null for the defaults.</param>
    /// <param name="own">Detectors of the caller's own, as for <see cref="HangAnalysis"/>.</param>
    public static PairResult Run(SnapshotSeries series, AnalysisOptions? options = null, ImmutableArray<IDetector> own = default)
    {
        AnalysisOptions settings = options ?? AnalysisOptions.Default;
        ImmutableArray<SnapshotPair> pairs = series.Pairs;
        AnalysisContext[] before = [.. pairs.Select(p => new AnalysisContext(p.Earlier, settings))];
        ImmutableArray<EarlierLook> looks = [.. pairs.Select((p, i) => new EarlierLook(p, before[i].Graph, i + 1, pairs.Length + 1))];
        ProcessSnapshot later = WithUse(series.Last, pairs, settings);
        later = later with { Source = later.Source with { Earlier = pairs[0].Earlier.Source } };
        AnalysisContext after = WithDoubt(new AnalysisContext(later, settings, looks));
        AnalysisResult result = HangAnalysis.Run(after, own: own);
        PairClaims claims = new(looks, before, after);
        HashSet<(string Detector, string Subject)> found = [.. result.Verdicts.SelectMany(v => Subjects(v).Select(s => (v.DetectorId, s)))];
        return new PairResult(after.Snapshot, result with
        {
            Verdicts = [.. result.Verdicts.Select(claims.Complete).OrderByDescending(v => VerdictRank.Of(v.DetectorId, v.Confidence))],
            Series = Histories.Of(series, before, after),
            Notes =
            [
                .. looks.SelectMany(l => Gone(l, HangAnalysis.Run(l.Pair.Earlier, settings).Verdicts, found)).DistinctBy(n => n.Verdict)
                    .Select(n => n.Text),
            ],
        });
    }

    /// <summary>
    /// The last snapshot with the processor time that each thread used since an earlier one: the latest that is long enough ago to tell long work from short.
    /// </summary>
    private static ProcessSnapshot WithUse(ProcessSnapshot last, ImmutableArray<SnapshotPair> pairs, AnalysisOptions options) =>
        pairs.All(p => p.Elapsed is null) ? last : last with
        {
            Threads = [.. last.Threads.Select(t => t with { RecentUse = Use(t.Id, pairs, options) })],
        };

    private static ProcessorUse? Use(uint thread, ImmutableArray<SnapshotPair> pairs, AnalysisOptions options)
    {
        SnapshotPair[] known = [.. pairs.Where(p => p.Elapsed is not null && p.UsedBy(thread) is not null)];
        return (known.LastOrDefault(p => p.Elapsed >= options.LongComputation) ?? known.FirstOrDefault()) is not { } chosen ? null
            : WithSample(new ProcessorUse(chosen.UsedBy(thread)!.Value, chosen.Elapsed!.Value) { Pauses = chosen.PausesOf(thread) }, chosen.UseBeforeEarlier(thread), options);
    }

    /// <summary>A thread that computed in the sample before the first look and has gone on since has computed over both.</summary>
    private static ProcessorUse WithSample(ProcessorUse use, ProcessorUse? before, AnalysisOptions options) =>
        before is { Load: { } then } && then >= options.BusyLoad && use.Load >= options.BusyLoad
            ? new ProcessorUse(use.Used + before.Used, use.Over + before.Over) { Pauses = use.Pauses + before.Pauses } : use;

    /// <summary>
    /// A cycle that no thread can leave, and that yet stands in both although a thread of it has done work in between, contradicts itself: a fact of it must be
    /// wrong. The waits of the threads that moved are no more than suspected then. So are those for a lock that another thread held in the dump before: it has
    /// been released since, and whether it will be once more only a later dump tells.
    /// </summary>
    private static AnalysisContext WithDoubt(AnalysisContext context)
    {
        for (int round = 0; round < MostDoubts; round++)
        {
            Dictionary<WaitFact, WaitFact> doubtful = [];
            foreach ((WaitFact wait, EarlierLook look) in Moved(context))
            {
                doubtful.TryAdd(wait, Doubt(look, wait));
            }

            foreach (WaitEdge edge in context.Cycles.SelectMany(c => c.Edges).Where(e => e.Wait.Grade > Grade.Suspected && GoesOn(context, e)))
            {
                doubtful.TryAdd(edge.Wait, Doubt(edge.Wait, "others may release what it waits for, and it was woken shortly before both looks"));
            }

            EarlierLook last = context.Earlier[^1];
            foreach (WaitEdge edge in context.Cycles.SelectMany(c => c.Edges).Where(e => e.Wait.Grade > Grade.Suspected && last.WasHeldByAnother(e.Ownership)))
            {
                doubtful.TryAdd(edge.Wait, Doubt(edge.Wait, $"what it waits for had another owner in {PairText.Dump(last)}"));
            }

            if (doubtful.Count == 0)
            {
                break;
            }

            ProcessSnapshot snapshot = context.Snapshot;
            context = new AnalysisContext(
                snapshot with { Waits = [.. snapshot.Waits.Select(w => doubtful.GetValueOrDefault(w, w))] }, context.Options, context.Earlier);
        }

        return context;
    }

    /// <summary>Waits in cycles that have stood, of threads that have worked since.</summary>
    private static IEnumerable<(WaitFact Wait, EarlierLook Look)> Moved(AnalysisContext context) =>
        from cycle in context.Cycles
        let look = context.Earlier.Since(l => cycle.Edges.All(l.Stood))
        where look is not null
        from edge in cycle.Edges
        where edge.Wait.Grade > Grade.Suspected && WaitsInOnePlace(context, edge) && look.Pair.HasMoved(edge.Waiter, context.Options.StandstillTime) == true
        select (edge.Wait, look);

    /// <summary>False for a thread that tests in a loop what it waits for: it uses processor time, and is woken, while it waits.</summary>
    internal static bool WaitsInOnePlace(AnalysisContext context, WaitEdge edge) => edge.Resource.Kind != ResourceKind.SpinLock
        && !(context.Thread(edge.Waiter) is { } waiter && (SpinWaitFunctions.StandOn(waiter.Stack)
            || waiter.Activity.Kind is ThreadActivityKind.Running or ThreadActivityKind.Yielding or ThreadActivityKind.Sleeping));

    /// <summary>True where others may release the lock, and its waiter was woken before each look: in one of them it may just have come to its last wait.</summary>
    internal static bool GoesOn(AnalysisContext context, WaitEdge edge) =>
        edge.Ownership.OthersMayRelease && context.Earlier.All(l => l.Pair.WasWokenBeforeBoth(edge.Waiter));

    private static WaitFact Doubt(EarlierLook look, WaitFact wait) => Doubt(
        wait, $"it waited for the same in {PairText.Dump(look)}, but {PairText.Moved(look, wait.ThreadId)} since");

    private static WaitFact Doubt(WaitFact wait, string why) => wait with
    {
        Grade = Grade.Suspected,
        Evidence = wait.Evidence.Add(new Evidence(EvidenceSource.Rule, why)),
    };

    /// <summary>By what a verdict is known again in another dump: its async methods, else its threads.</summary>
    private static IEnumerable<string> Subjects(Verdict verdict) => verdict.AsyncMethods.IsEmpty
        ? verdict.Threads.Select(t => t.ToString(CultureInfo.InvariantCulture))
        : verdict.AsyncMethods;

    /// <summary>What an earlier dump showed and the last does not.</summary>
    private static IEnumerable<(string Verdict, string Text)> Gone(
        EarlierLook look, ImmutableArray<Verdict> before, HashSet<(string Detector, string Subject)> after) =>
        from verdict in before
        where !Subjects(verdict).Any(s => after.Contains((verdict.DetectorId, s)))
        let who = verdict.AsyncMethods.IsEmpty ? PairText.Threads(verdict.Threads) : string.Join(", ", verdict.AsyncMethods)
        let what = $"{verdict.DetectorId} {verdict.Title} ({verdict.Confidence}) with {who}"
        select (what, $"{PairText.TheDump(look)}{PairText.Earlier(look)} showed {what}; "
            + $"the {(look.Count == 2 ? "second" : "last")} does not: that has passed.");
}

/// <summary>Tells of each thread and wait of the last dump since which dump it has stood, and what moved.</summary>
internal static class Histories
{
    /// <summary>The history of a series of three dumps or more; null for two, of which the verdicts tell all.</summary>
    /// <param name="series">The dumps.</param>
    /// <param name="before">What is derived from each of the earlier ones.</param>
    /// <param name="after">What is derived from the last.</param>
    public static SeriesHistory? Of(SnapshotSeries series, AnalysisContext[] before, AnalysisContext after)
    {
        if (series.Snapshots.Length == 2)
        {
            return null;
        }

        SnapshotPair[] steps = [.. series.Snapshots.Zip(series.Snapshots.Skip(1), SnapshotPair.Of)];
        return new SeriesHistory
        {
            Dumps = [.. series.Snapshots.Select(s => new EarlierSource(s.Source.DisplayName, WholeSeconds(s.Source.Captured)))],
            Threads =
            [
                .. after.Snapshot.Threads.Where(t => !t.HasExited).DistinctBy(t => t.Id).Select(t => Of(t.Id, steps, before, after))
                    .OrderBy(h => h.StandsSince ?? int.MaxValue).ThenBy(h => h.ThreadId),
            ],
        };
    }

    private static ThreadHistory Of(uint thread, SnapshotPair[] steps, AnalysisContext[] before, AnalysisContext after) => new(
        thread, after.Earlier.Since(l => l.Pair.HasBoth(thread) && l.Pair.KnowsFrames(thread) && l.Pair.HasSameFrames(thread))?.Number)
    {
        UsedMicroseconds = [.. steps.Select(s => s.UsedBy(thread) is { } used ? used.Ticks / TimeSpan.TicksPerMicrosecond : (long?)null)],
        Waits = [.. after.Graph.WaitsOf(thread).Select(w => Of(w, before, after)).Distinct()],
    };

    private static WaitHistory Of(WaitFact wait, AnalysisContext[] before, AnalysisContext after)
    {
        uint[] holders =
        [
            .. after.Graph.From(wait.ThreadId).Where(e => e.Resource == wait.Resource && e.Grade > Grade.Suspected).Select(e => e.Holder).Distinct().Take(2),
        ];
        uint? holder = holders is [var only] ? only : null;
        return new WaitHistory(
            after.Names.Resource(wait.Resource),
            holder,
            after.Earlier.Since(l => l.Pair.HasBoth(wait.ThreadId)
                && before[l.Number - 1].Graph.WaitsOf(wait.ThreadId).Any(b => b.Resource == wait.Resource)
                && (holder is not { } owner || l.Held(owner, wait.Resource)))?.Number);
    }

    private static DateTime? WholeSeconds(DateTime? moment) =>
        moment is { } time ? new DateTime(time.Ticks - (time.Ticks % TimeSpan.TicksPerSecond), DateTimeKind.Utc) : null;
}

/// <summary>The judgement on two snapshots of one process.</summary>
/// <param name="Snapshot">The second snapshot with what the first adds to it: this is what was judged.</param>
/// <param name="Result">The judgement.</param>
public sealed record PairResult(ProcessSnapshot Snapshot, AnalysisResult Result);
