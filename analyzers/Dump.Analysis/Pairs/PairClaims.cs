using System.Collections.Immutable;
using Dump.Analysis.Detection;
using Dump.Analysis.Detectors.UserInterface;
using Dump.Analysis.Graph;
using Dump.Model.Facts;
using Dump.Model.Verdicts;
using Dump.Model.Waits;
using Dump.Model.Wording;

namespace Dump.Analysis.Pairs;

/// <summary>What the first of two dumps adds to a verdict on the second, as a claim.</summary>
internal sealed class PairClaims(SnapshotPair pair, StandingWaits standing, AnalysisContext before, AnalysisContext after)
{
    /// <summary>The verdict with what the first dump adds. A window whose thread has not come back to its loop for the time after which Windows calls it hung is no mere moment any more.</summary>
    public Verdict Complete(Verdict verdict)
    {
        bool hasHung = SubjectOf(verdict) == VerdictSubject.Handler && pair.Elapsed?.TotalMilliseconds >= UiBlockage.HungMilliseconds && OfHandler(verdict) is not null
            && verdict.Claims.Take(2).All(c => c.Confidence > Confidence.Suspected);
        if (!hasHung || verdict.Confidence > Confidence.Suspected)
        {
            return verdict with { Claims = [.. verdict.Claims, .. Of(verdict)] };
        }

        Verdict hung = verdict with { Confidence = Confidence.Likely, Claims = [.. verdict.Claims.Where(c => c.Text != UiHangReason.Open)] };
        return hung with
        {
            Claims =
            [
                .. hung.Claims, .. Of(hung),
                new Claim(
                    "A window that takes no message for 5 s counts as hung: this one most likely has.",
                    Confidence.Likely,
                    [new Evidence(EvidenceSource.Rule, "the same frames, and no CPU time to speak of, 5 s or more apart (IsHungAppWindow, Microsoft Learn)")]),
            ],
        };
    }

    /// <summary>The claims; empty when the first dump says nothing on it.</summary>
    private IEnumerable<Claim> Of(Verdict verdict)
    {
        if (after.Cycles.FirstOrDefault(c => !verdict.Chain.IsEmpty && c.Component.Order().SequenceEqual(verdict.Threads.Order())) is { } cycle)
        {
            return [OfCycle(cycle, verdict)];
        }

        if (SubjectOf(verdict) == VerdictSubject.Handler)
        {
            return OfHandler(verdict) is { } stood ? [stood] : [];
        }

        return SubjectOf(verdict) == VerdictSubject.Holder && verdict.Chain is [{ HolderThreadId: { } holder } link, ..] && OfOwner(holder, link, verdict) is { } claim
            ? [claim]
            : [];
    }

    private static VerdictSubject? SubjectOf(Verdict verdict) => DetectorRegistry.Find(verdict.DetectorId)?.Subject;

    private Claim OfCycle(WaitCycle cycle, Verdict verdict)
    {
        // Who spins burns time while it waits.
        uint[] still = [.. cycle.Edges.Where(e => e.Resource.Kind != ResourceKind.SpinLock).Select(e => e.Waiter)];
        ImmutableArray<Evidence> evidence = [.. still.Select(Use)];
        if (cycle.Edges.All(standing.Stood))
        {
            return new Claim($"The first dump{PairText.Earlier(pair)} shows the same waits for the same locks{Since(still, still.Length < cycle.Edges.Length)}", verdict.Confidence, evidence);
        }

        bool sameThreads = before.Cycles.Any(c => c.Component.SequenceEqual(cycle.Component));
        bool mayHaveMoved = sameThreads && Standstill(still) is { } most && most <= after.Options.StandstillTime && cycle.Edges.Any(e => e.Resource.Facts.IsManagedObject);
        return new Claim(
            mayHaveMoved ? $"The first dump{PairText.Earlier(pair)} shows these threads in a cycle too, for objects at other addresses (the garbage collector moves objects); they have used {PairText.AtMost(Standstill(still)!.Value)} since."
            : sameThreads ? $"The first dump{PairText.Earlier(pair)} shows these threads in another cycle: what stands here began in between."
            : !pair.Earlier.Available.Stacks ? "The first dump lacks the data to show whether this stood there too."
            : $"The first dump{PairText.Earlier(pair)} does not show this cycle: it closed in between.",
            verdict.Confidence,
            evidence);
    }

    /// <summary>The end of the sentence on a cycle that stands in both.</summary>
    private string Since(uint[] threads, bool othersSpin)
    {
        string who = othersSpin ? "the threads that do not spin" : "its threads";
        if (Standstill(threads) is not { } most)
        {
            return $"; the dumps do not record how much CPU time {who} used since, so that they did not move in between is not proven.";
        }

        uint[] busiest = [.. threads.Where(t => pair.UsedBy(t) == most).Order()];
        return most <= after.Options.StandstillTime
            ? $", and {who} have used {PairText.AtMost(most)} since: they have not moved."
            : $", but {string.Join(" and ", busiest.Select(after.Names.Thread))} {(busiest.Length == 1 ? "has" : "have each")} used {Naming.Duration(most)} of CPU time since: it has left its wait and come back, so it is not stuck for good.";
    }

    private Claim? OfOwner(uint holder, ChainLink link, Verdict verdict)
    {
        if (!standing.Held(holder, link.Resource))
        {
            return link.Resource.Facts.IsManagedObject || !pair.Earlier.Available.LockMemory ? null : new Claim(
                $"In the first dump{PairText.Earlier(pair)} it did not hold this lock.", verdict.Confidence, [new Evidence(EvidenceSource.Rule, "no such ownership in the first dump")]);
        }

        string place = pair.HasSameFrames(holder) ? " and stands at the same place" : "";
        string used = pair.UsedBy(holder) is { } time ? $"; it has used {(time == TimeSpan.Zero ? "no CPU time" : $"{Naming.Duration(time)} of CPU time")} since{place}" : place;
        return new Claim($"It held the same lock in the first dump{PairText.Earlier(pair).TrimEnd(',')}{used}.", verdict.Confidence, [Use(holder)]);
    }

    /// <summary>A handler that stands at the same frames and has not worked in between has not returned to its message loop.</summary>
    private Claim? OfHandler(Verdict verdict) =>
        verdict.Threads is [var ui, ..] && pair.HasBoth(ui) && pair.HasSameFrames(ui) && pair.UsedBy(ui) is { } used && used <= after.Options.StandstillTime
            ? new Claim(
                $"In the first dump{PairText.Earlier(pair)} {after.Names.Thread(ui)} stood at the same place, and it has used {PairText.AtMost(used)} since: it has not come back to its message loop in between.",
                verdict.Confidence,
                [Use(ui)])
            : null;

    /// <summary>Most processor time that any of the threads used, or null when it is not known of one.</summary>
    private TimeSpan? Standstill(uint[] threads)
    {
        TimeSpan?[] used = [.. threads.Select(t => pair.UsedBy(t))];
        return used.Any(u => u is null) ? null : used.DefaultIfEmpty(TimeSpan.Zero).Max();
    }

    private Evidence Use(uint thread) => new(
        EvidenceSource.DumpStream,
        pair.UsedBy(thread) is { } used ? $"{after.Names.Thread(thread)}: {Naming.Duration(used)} of CPU time since the first dump" : $"{after.Names.Thread(thread)}: CPU time not recorded in both dumps");
}
