using System.Collections.Immutable;
using Dump.Analysis.Detection;
using Dump.Analysis.Looks;
using Dump.Model.Facts;
using Dump.Model.Process;
using Dump.Model.Verdicts;
using Dump.Model.Waits;

namespace Dump.Analysis.Detectors;

/// <summary>
/// DUMP5002: of two or more looks at a .NET process, many calls of one async method, or many workers of the thread pool, wait at the same place for the same
/// objects in all of them, and none has moved on.
/// </summary>
public sealed class StandsStillDetector : IDetector
{
    private const int MostVerdicts = 8;

    /// <inheritdoc/>
    public DetectorDescriptor Descriptor { get; } = new(
        "DUMP5002",
        "Stands still",
        "In two or more looks many calls of one method wait at the same place for the same objects, and none has moved on.",
        "two looks at a .NET process: live, or two dumps some seconds apart",
        DetectorFamily.Tasks)
    {
        Subject = VerdictSubject.EachThread,
        IsLastResort = true,
    };

    /// <inheritdoc/>
    public DetectorOutcome Detect(AnalysisContext context) => DetectorOutcomes.From(
        Descriptor, context.Earlier.IsEmpty ? [] : Calls(context).Concat(Workers(context)).Take(MostVerdicts), []);

    /// <summary>True where a later look at the process may show that something stands still.</summary>
    internal static bool AsksForAnotherLook(AnalysisContext context) => context.Calls.Any(c => c.IsCrowd(context) || c.IsOpenRequest(context))
        || !context.StandingWorkers.IsEmpty;

    private IEnumerable<Verdict> Calls(AnalysisContext context)
    {
        foreach (OwnCalls calls in context.Calls.Where(c => c.IsCrowd(context)).OrderByDescending(c => c.Calls.Count))
        {
            if (calls.Since(context) is { Pair.MayBeApart: true } since)
            {
                Evidence evidence = new(EvidenceSource.Memory, "the pending calls, and what each awaits, in both", calls.Calls.Object);
                yield return Verdict(
                    $"{calls.Sentence}.", $"All that stood there in {PairText.Dump(since)}{PairText.Earlier(since)} stand there still, each at the same await for the same object.",
                    $"Nothing {(calls.HasTokens(context) ? "but their cancellation tokens " : "")}is known to end these waits. Other code of the process has to do it, "
                        + "and no call of this method has moved on since.",
                    evidence) with
                {
                    AsyncMethods = [calls.Own.Name],
                };
            }
        }
    }

    private IEnumerable<Verdict> Workers(AnalysisContext context)
    {
        foreach (StandingWorkers crowd in context.StandingWorkers)
        {
            if (context.Earlier.Since(look => !crowd.StoodIn(context, look).IsEmpty) is { Pair.MayBeApart: true } since)
            {
                ImmutableArray<WaitFact> standing = crowd.StoodIn(context, since);
                yield return Verdict(
                    crowd.Sentence(context, standing),
                    $"All stood there in {PairText.Dump(since)}{PairText.Earlier(since)} and have used {PairText.AtMost(standing.Max(w => since.Pair.UsedBy(w.ThreadId) ?? TimeSpan.Zero))} since.",
                    "Nothing is known to end these waits. Other code of the process has to do it.",
                    standing[0].Evidence[0]) with
                {
                    Chain = [VerdictParts.Link(context, standing[0])],
                    Threads = [.. standing.Select(w => w.ThreadId).Order()],
                    Stacks = [VerdictParts.Excerpt(context, standing[0].ThreadId, $"one of {standing.Length} workers of the thread pool that stand there")],
                };
                if (crowd.Queued is not null)
                {
                    // Those of one function are among them.
                    yield break;
                }
            }
        }
    }

    private Verdict Verdict(string who, string stood, string open, Evidence evidence) => new()
    {
        DetectorId = Descriptor.Id,
        Title = Descriptor.Title,
        Confidence = Confidence.Suspected,
        Claims =
        [
            new Claim(who, Confidence.Confirmed, [evidence]),
            new Claim(stood, Confidence.Confirmed, [evidence]),
            new Claim(open, Confidence.Suspected, [new Evidence(EvidenceSource.Rule, "what stands still over several looks, and what it waits for")]),
        ],
        Chain = [],
        Threads = [],
        Stacks = [],
        Victims = [],
        Remedies =
        [
            "Find what should end these waits, and the path on which it does not: an exception, an early return, a consumer that has ended.",
            "Run dumpanalyze tasks: it shows what each call awaits.",
            "Consumers that have nothing to do look the same: then this is no hang.",
        ],
    };
}
