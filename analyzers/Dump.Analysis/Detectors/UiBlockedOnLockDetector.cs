using System.Collections.Immutable;
using Dump.Analysis.Detection;
using Dump.Analysis.Detectors.UserInterface;
using Dump.Model.Facts;
using Dump.Model.Verdicts;
using Dump.Model.Waits;

namespace Dump.Analysis.Detectors;

/// <summary>DUMP4001: the handler of a thread with a message loop waits for a lock.</summary>
public sealed class UiBlockedOnLockDetector : IDetector
{
    private static readonly ImmutableArray<string> s_remedies =
    [
        "Do not take locks on the user-interface thread that other threads hold for long: give the work to another thread and let it report back.",
        "Look at what the last thread of the chain does while it holds the lock.",
    ];

    /// <inheritdoc/>
    public DetectorDescriptor Descriptor { get; } = new(
        "DUMP4001",
        "UI thread blocked on a lock",
        "A thread with a message loop waits for a lock inside a message handler, so that its windows take no input.",
        "stacks, names of user32's functions, the memory of the locks",
        DetectorFamily.Ui)
    {
        Subject = VerdictSubject.Handler,
    };

    /// <inheritdoc/>
    public DetectorOutcome Detect(AnalysisContext context)
    {
        UiBlockage[] found = [.. UiVerdicts.Find(context, UiBlockageKind.Lock)];
        return DetectorOutcomes.From(
            Descriptor,
            found.Select(b => UiVerdicts.Make(context, Descriptor, b, Claims(context, b), UiHangReason.Of(context, b), s_remedies)),
            [.. UiData.Needed(context), .. found.Length > 0 ? NecessaryData.Locks(context.Snapshot) : []]);
    }

    private static IEnumerable<Claim> Claims(AnalysisContext context, UiBlockage blockage)
    {
        if (!blockage.Chain.IsEmpty)
        {
            return UiSentences.Chain(context, blockage);
        }

        WaitFact wait = blockage.Wait!;
        string limit = ActivityText.Limit(wait);
        return
        [
            new Claim(
                $"It waits there for {context.Names.Resource(wait.Resource)}{limit}{(limit.StartsWith(',') ? "," : "")} "
                    + $"{(wait.IsWaitAny ? "or any of several other objects" : "whose holder is not known")}.",
                VerdictParts.Confidence(wait.Grade),
                wait.Evidence),
        ];
    }
}
