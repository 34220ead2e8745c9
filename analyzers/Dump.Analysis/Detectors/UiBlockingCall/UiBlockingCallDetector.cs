using System.Collections.Immutable;
using Dump.Analysis.Completion;
using Dump.Analysis.Detection;
using Dump.Analysis.Detectors.UserInterface;
using Dump.Analysis.Knowledge;
using Dump.Model.Facts;
using Dump.Model.Process;
using Dump.Model.Verdicts;

namespace Dump.Analysis.Detectors.UiBlockingCall;

/// <summary>DUMP4003: the handler of a thread with a message loop is in a call that blocks.</summary>
public sealed class UiBlockingCallDetector : IDetector
{
    private static readonly ImmutableArray<string> s_remedies =
        ["Do not block in a message handler: make the call on another thread, or asynchronously, and go on when its result arrives as a message."];

    /// <inheritdoc/>
    public DetectorDescriptor Descriptor { get; } = new(
        "DUMP4003",
        "UI thread in a blocking call",
        "A thread with a message loop sleeps or waits inside a message handler: for input or output, a signal, the end of a thread or process, a message to "
            + "another thread, COM or RPC.",
        "stacks, names of user32's functions",
        DetectorFamily.Ui)
    {
        Subject = VerdictSubject.Handler,
    };

    /// <inheritdoc/>
    public DetectorOutcome Detect(AnalysisContext context) => DetectorOutcomes.From(
        Descriptor,
        UiVerdicts.Find(context, UiBlockageKind.Call)
            .Select(b => UiVerdicts.Make(context, Descriptor, b, Claims(context, b), UiHangReason.Of(context, b), s_remedies)),
        UiData.Needed(context));

    private static IEnumerable<Claim> Claims(AnalysisContext context, UiBlockage blockage)
    {
        yield return UiBlockingCallMessages.Does(context, blockage);
        foreach (Claim claim in UiSentences.Chain(context, blockage).Skip(1))
        {
            yield return claim;
        }

        if (BlockingCalls.Find(blockage.Ui.Thread.Stack.Frames, blockage.Ui.PumpIndex) is var (frame, phrase))
        {
            yield return new Claim(
                $"It {phrase} ({frame.Function}).",
                VerdictParts.Confidence(frame.Trust > FrameTrust.Scan ? Grade.Proven : Grade.Suspected),
                [new Evidence(EvidenceSource.Stack, UiSentences.Code(frame))]);
        }

        if (UiBlockingCallMessages.Receiver(context, blockage) is { } receiver)
        {
            yield return receiver;
        }

        if (ClosedApartments.Callee(context, blockage) is { } callee)
        {
            yield return callee;
        }
    }
}
