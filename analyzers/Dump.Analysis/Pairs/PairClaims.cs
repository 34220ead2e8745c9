using System.Collections.Immutable;
using Dump.Analysis.Detection;
using Dump.Analysis.Detectors;
using Dump.Analysis.Detectors.UserInterface;
using Dump.Analysis.Graph;
using Dump.Analysis.Looks;
using Dump.Model.Facts;
using Dump.Model.Verdicts;
using Dump.Model.Waits;
using Dump.Model.Wording;

namespace Dump.Analysis.Pairs;

/// <summary>What earlier dumps add to a verdict on the last, as a claim; a verdict that they refute becomes a suspicion.</summary>
/// <param name="looks">The earlier dumps, the oldest first.</param>
/// <param name="before">What is derived from each of them.</param>
/// <param name="after">The same for the last.</param>
internal sealed class PairClaims(ImmutableArray<EarlierLook> looks, AnalysisContext[] before, AnalysisContext after)
{
    // By the lowest thread id: with thousands of cycles each verdict would otherwise be compared with all of them.
    private readonly ILookup<uint, WaitCycle> _cycles = after.Cycles.ToLookup(c => c.Component.Min());
    private readonly ILookup<uint, WaitCycle> _before = before[^1].Cycles.ToLookup(c => c.Component.Min());

    /// <summary>
    /// The verdict with what the earlier dumps add. A window whose thread has not come back to its loop for the time after which Windows calls it hung is no
    /// mere moment any more. Frames alone do not say that: a handler that a timer calls over and over stands at the same ones.
    /// </summary>
    public Verdict Complete(Verdict verdict)
    {
        if (HandlerSince(verdict) is { } stood && stood.Pair.Elapsed?.TotalMilliseconds >= UiBlockage.HungMilliseconds
            && verdict.Confidence == Confidence.Suspected && stood.Pair.HasSameContent(verdict.Threads[0])
            && verdict.Claims.Take(2).All(c => c.Confidence > Confidence.Suspected))
        {
            return Hung(verdict, stood);
        }

        PairClaim? added = Of(verdict);
        return added is null ? verdict : verdict with
        {
            Confidence = added.Refutes && verdict.Confidence > Confidence.Suspected ? Confidence.Suspected : verdict.Confidence,
            Claims = [.. verdict.Claims, added.Claim],
        };
    }

    private Verdict Hung(Verdict verdict, EarlierLook stood)
    {
        Verdict hung = verdict with { Confidence = Confidence.Likely, Claims = [.. verdict.Claims.Where(c => !c.IsOpenQuestion)] };
        return hung with
        {
            Claims =
            [
                .. hung.Claims, OfHandler(hung, stood),
                new Claim(
                    "A window that takes no message for 5 s counts as hung: this one most likely has.",
                    Confidence.Likely,
                    [new Evidence(EvidenceSource.Rule, "the same frames, and no CPU time to speak of, 5 s or more apart (IsHungAppWindow, Microsoft Learn)")]),
            ],
        };
    }

    /// <summary>The claim; null when the earlier dumps say nothing on it.</summary>
    private PairClaim? Of(Verdict verdict)
    {
        if (!verdict.Chain.IsEmpty && !verdict.Threads.IsEmpty
            && _cycles[verdict.Threads.Min()].FirstOrDefault(c => c.Component.Order().SequenceEqual(verdict.Threads.Order())) is { } cycle)
        {
            return OfCycle(cycle, verdict);
        }

        if (SubjectOf(verdict) == VerdictSubject.Handler)
        {
            return HandlerSince(verdict) is { } stood ? new PairClaim(OfHandler(verdict, stood), Refutes: false) : null;
        }

        return SubjectOf(verdict) == VerdictSubject.Holder && verdict.Chain is [{ HolderThreadId: { } holder } link, ..]
            ? OfOwner(holder, link, verdict)
            : null;
    }

    private static VerdictSubject? SubjectOf(Verdict verdict) => DetectorRegistry.Find(verdict.DetectorId)?.Subject;

    private PairClaim OfCycle(WaitCycle cycle, Verdict verdict)
    {
        uint[] still = [.. cycle.Edges.Where(e => SeriesAnalysis.WaitsInOnePlace(after, e)).Select(e => e.Waiter)];
        if (looks.Since(l => cycle.Edges.All(l.Stood)) is { } stood)
        {
            uint[] woken = [.. cycle.Edges.Where(e => SeriesAnalysis.GoesOn(after, e)).Select(e => e.Waiter)];
            if (woken.Length > 0)
            {
                return new PairClaim(
                    new Claim(
                        $"{PairText.TheDump(stood)}{PairText.Earlier(stood)} shows the same waits, but {string.Join(" and ", woken.Select(after.Names.Thread))} "
                            + $"{(woken.Length == 1 ? "was" : "were")} woken and waited again before both: others release what is waited for.",
                        Confidence.Likely,
                        [new Evidence(EvidenceSource.DumpStream, "voluntary context switches before both looks")]),
                    Refutes: true);
            }

            bool moved = still.Any(t => stood.Pair.HasMoved(t, after.Options.StandstillTime) == true);
            return new PairClaim(
                new Claim(
                    $"{PairText.TheDump(stood)}{PairText.Earlier(stood)} shows the same waits for the same "
                        + $"locks{Since(stood, still, still.Length < cycle.Edges.Length)}",
                    moved ? Confidence.Suspected : verdict.Confidence,
                    [.. still.Select(t => Use(stood, t))]),
                Refutes: moved);
        }

        EarlierLook look = looks[^1];
        bool sameThreads = _before[cycle.Component.Min()].Any(c => c.Component.SequenceEqual(cycle.Component));
        bool mayHaveMoved = sameThreads && Standstill(look, still) is { } most && most <= after.Options.StandstillTime
            && cycle.Edges.Any(e => e.Resource.Facts.IsManagedObject);
        string dump = $"{PairText.TheDump(look)}{PairText.Earlier(look)}";
        WaitEdge? passed = cycle.Edges.FirstOrDefault(e => look.WasHeldByAnother(e.Ownership));
        return new PairClaim(
            new Claim(
                mayHaveMoved
                    ? $"{dump} shows these threads in a cycle too, for objects at other addresses (the garbage collector moves objects); they have used "
                        + $"{PairText.AtMost(Standstill(look, still)!.Value)} since."
                : passed is not null ? $"In {PairText.Dump(look)}{PairText.Earlier(look)} {after.Names.Resource(passed.Resource)} had another owner: it was "
                    + "released in between, so only a later dump can show whether this cycle stands."
                : sameThreads ? $"{dump} shows these threads in another cycle: what stands here began in between."
                : !look.Pair.Earlier.Available.Stacks ? $"{PairText.TheDump(look)} lacks the data to show whether this stood there too."
                : $"{dump} does not show this cycle: it closed in between.",
                verdict.Confidence,
                [.. still.Select(t => Use(look, t))]),
            Refutes: false);
    }

    /// <summary>The end of the sentence on a cycle that stands in both.</summary>
    private string Since(EarlierLook look, uint[] threads, bool othersSpin)
    {
        string who = othersSpin ? "the threads that do not spin" : "its threads";
        uint[] moved = [.. threads.Where(t => look.Pair.HasRun(t) == true).Order()];
        TimeSpan? longest = threads.Max(look.Pair.UsedBy);
        moved = moved.Length > 0 ? moved
            : [.. threads.Where(t => look.Pair.UsedBy(t) == longest && look.Pair.HasMoved(t, after.Options.StandstillTime) == true).Order()];
        if (moved.Length > 0)
        {
            string ran = look.Pair.HasRun(moved[0]) == true ? "run" : $"used {Naming.Duration(look.Pair.UsedBy(moved[0])!.Value)} of CPU time";
            (string have, string end) = moved.Length == 1 ? ("has", "it has left its wait and come back, so it is not stuck for good")
                : ("have each", "they have left their waits and come back, so they are not stuck for good");
            return $", but {string.Join(" and ", moved.Select(after.Names.Thread))} {have} {ran} since: {end}.";
        }

        if (threads.Length > 0 && threads.All(t => look.Pair.HasRun(t) == false))
        {
            return $", and {who} have not run since: they have not moved.";
        }

        if (Standstill(look, threads) is not { } most)
        {
            return $"; the dumps do not record how much CPU time {who} used since, so that they did not move in between is not proven.";
        }

        return $", and {who} have used {PairText.AtMost(most)} since: they have not moved.";
    }

    private PairClaim? OfOwner(uint holder, ChainLink link, Verdict verdict)
    {
        // What any of its waiters wants, so that it does not matter which of them the chain shows.
        WaitEdge[] queue = [.. after.Graph.To(holder).Where(e => e.Grade > Grade.Suspected && e.Resource.Facts.HasQueue)];
        Resource[] held = queue.Length == 0 ? [link.Resource] : VerdictParts.Held(queue);
        EarlierLook last = looks[^1];
        string then = $"In {PairText.Dump(last)}{PairText.Earlier(last)}";
        if (!held.Any(r => last.Held(holder, r)))
        {
            return !held.All(r => last.DidNotHold(holder, r)) ? null : new PairClaim(
                new Claim(
                    $"{then} it did not hold {(held.Length == 1 ? "this lock" : "these locks")}.", Confidence.Likely,
                    [new Evidence(EvidenceSource.Rule, "no such ownership in that dump")]),
                Refutes: true);
        }

        if (last.ServedBy(holder, held, after.Graph).ToArray() is { Length: > 0 } served)
        {
            return new PairClaim(
                new Claim(
                    $"{then} {after.Names.Thread(served[0])} waited for this lock too and does not any more: the lock was released in between, and this thread "
                        + "has taken it again.",
                    Confidence.Likely,
                    [new Evidence(EvidenceSource.Rule, "a wait without a time limit ends only when the lock is released")]),
                Refutes: true);
        }

        if (Detection.Standstill.Turns(after, last, queue).ToArray() is { Length: > 0 } turns)
        {
            return Released(last, turns);
        }

        bool Holds(EarlierLook look) => held.Any(r => look.Held(holder, r));
        EarlierLook since = looks.Since(l => Holds(l) && l.Pair.HasSameFrames(holder)) ?? looks.Since(Holds)!;
        string place = since.Pair.HasSameFrames(holder) ? " and stands at the same place" : "";
        string used = since.Pair.HasRun(holder) == true
            ? $"; it {PairText.Moved(since, holder)} since{place}, and may have released and taken it again"
            : since.Pair.UsedBy(holder) is { } time
            ? $"; it has used {(time == TimeSpan.Zero ? "next to no CPU time" : $"{Naming.Duration(time)} of CPU time")} since{place}"
            : place;
        return new PairClaim(
            new Claim($"It held the same lock in {PairText.Dump(since)}{PairText.Earlier(since).TrimEnd(',')}{used}.", verdict.Confidence,
                [Use(since, holder)]),
            Refutes: false);
    }

    private PairClaim Released(EarlierLook look, (Resource Lock, uint Before, uint After)[] turns) => new(
        new Claim(
            $"Since {PairText.Dump(look)}{PairText.Earlier(look)} more waits for {string.Join(" and ", turns.Select(t => after.Names.Resource(t.Lock)))} "
                + $"have been counted than threads have come to wait: {(turns.Length == 1 ? "it was" : "they were")} released in between, and this thread has "
                + $"taken {(turns.Length == 1 ? "it" : "them")} again.",
            Confidence.Likely,
            [.. turns.Select(t => new Evidence(EvidenceSource.Memory, $"its count of waits (RTL_CRITICAL_SECTION_DEBUG) was {t.Before} and is {t.After}"))]),
        Refutes: true);

    /// <summary>The oldest dump since which a handler has stood at the same frames without working: it has not returned to its message loop.</summary>
    private EarlierLook? HandlerSince(Verdict verdict) =>
        SubjectOf(verdict) == VerdictSubject.Handler && verdict.Threads is [var ui, ..]
            ? looks.Since(l => l.Pair.HasBoth(ui) && l.Pair.HasSameFrames(ui) && l.Pair.UsedBy(ui) is { } used && used <= after.Options.StandstillTime)
            : null;

    private Claim OfHandler(Verdict verdict, EarlierLook look) => new(
        $"In {PairText.Dump(look)}{PairText.Earlier(look)} {after.Names.Thread(verdict.Threads[0])} stood at the same place, and it has used "
            + $"{PairText.AtMost(look.Pair.UsedBy(verdict.Threads[0])!.Value)} since"
            + (look.Pair.HasSameContent(verdict.Threads[0]) ? ": it has not come back to its message loop in between."
                : "; whether it has come back to its message loop in between, its frames alone do not tell."),
        verdict.Confidence,
        [Use(look, verdict.Threads[0])]);

    /// <summary>Most processor time that any of the threads used, or null when it is not known of one.</summary>
    private static TimeSpan? Standstill(EarlierLook look, uint[] threads)
    {
        TimeSpan?[] used = [.. threads.Select(t => look.Pair.UsedBy(t))];
        return used.Any(u => u is null) ? null : used.DefaultIfEmpty(TimeSpan.Zero).Max();
    }

    private Evidence Use(EarlierLook look, uint thread) => new(
        EvidenceSource.DumpStream,
        look.Pair.HasRun(thread) is { } ran ? $"{after.Names.Thread(thread)} {(ran ? PairText.Moved(look, thread) : "was not woken")} since {PairText.Dump(look)} (voluntary context switches)"
            : look.Pair.UsedBy(thread) is { } used
            ? $"{after.Names.Thread(thread)}: {Naming.Duration(used)} of CPU time since {PairText.Dump(look)}"
            : $"{after.Names.Thread(thread)}: CPU time not recorded in both dumps");

    /// <summary>A sentence on what earlier dumps show.</summary>
    /// <param name="Claim">The sentence.</param>
    /// <param name="Refutes">True when it contradicts that the verdict's threads stand.</param>
    private sealed record PairClaim(Claim Claim, bool Refutes);
}
