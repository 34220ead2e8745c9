using System.Collections.Immutable;
using Dump.Analysis.Completion;
using Dump.Analysis.Detection;
using Dump.Analysis.Detectors.UserInterface;
using Dump.Analysis.Knowledge;
using Dump.Analysis.UserInterface;
using Dump.Model.Facts;
using Dump.Model.Process;
using Dump.Model.Verdicts;
using Dump.Model.Waits;

namespace Dump.Analysis.Detectors;

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

/// <summary>Sentences of DUMP4003.</summary>
internal static class UiBlockingCallMessages
{
    /// <summary>What the thread waits for.</summary>
    public static Claim Does(AnalysisContext context, UiBlockage blockage)
    {
        UiThread ui = blockage.Ui;
        if (ui.ComWait is { } com)
        {
            string target = blockage.Wait is { Resource.Kind: not ResourceKind.ComCall } what
                ? $" for {context.Names.Resource(what.Resource)}{ActivityText.Limit(what)}"
                : "";
            return new Claim(
                $"It waits there in {com.Function}{target}.",
                VerdictParts.Confidence(
                    blockage.Wait?.Grade ?? (ui.Thread.Stack.Frames.Take(ui.PumpIndex).All(f => f.Trust > FrameTrust.Scan) ? Grade.Proven : Grade.Suspected)),
                blockage.Wait?.Evidence ?? ui.Thread.MessageWait?.Evidence
                    ?? [new Evidence(
                        EvidenceSource.Stack,
                        $"user32's wait for messages was called by a module of {(com.IsCall ? "COM" : "COM or the runtime")}, not by a message loop")]);
        }

        if (blockage.Wait is not { } wait)
        {
            string call = ui.Thread.Activity.SystemCall is { } name ? $"the system call {name}{SystemCallAreas.Phrase(name)}" : "a system call";
            string caller = ui.CallerIndex is { } index ? $" on behalf of {UiSentences.Code(ui.Thread.Stack.Frames[index])}" : "";
            return new Claim($"It stands there in {call}{caller}.", Confidence.Confirmed, ui.Thread.Activity.Evidence);
        }

        string limit = ActivityText.Limit(wait);
        string text = wait.Resource.Kind switch
        {
            ResourceKind.Time => $"It sleeps there{limit}.",
            ResourceKind.WindowMessage =>
                $"It waits there{(MessageWaits.SendOf(ui.Thread.Stack.Frames) is { } send ? $" in {send}" : "")} until another thread has handled "
                    + $"{(wait.Resource.Identity == 0 ? "a window message" : context.Names.Resource(wait.Resource))}.",
            ResourceKind.RemoteCall => $"It waits there for the answer of another process{limit}.",
            ResourceKind.InputOutput => $"It waits there for input or output to complete{limit}.",
            _ => $"It waits there for {context.Names.Resource(wait.Resource)}{(wait.IsWaitAny ? " or any of several other objects" : "")}{limit}.",
        };
        return new Claim(text, VerdictParts.Confidence(wait.Grade), wait.Evidence);
    }

    /// <summary>
    /// Whose window it may be that does not answer: the only other thread inside a handler. A user dump does not say which thread a window belongs to.
    /// </summary>
    public static Claim? Receiver(AnalysisContext context, UiBlockage blockage)
    {
        UiThread[] others = [.. context.UiThreads.Where(u => u.State == UiThreadState.Handling && u != blockage.Ui)];
        return blockage.Wait?.Resource.Kind != ResourceKind.WindowMessage || !blockage.Chain.IsEmpty || others is not [var other] ? null
            : new Claim(
                $"The window may belong to {context.Names.Thread(other.Thread.Id)}, the only other thread of this process that is inside a message handler; it "
                    + $"{ActivityText.Of(context, other.Thread.Id)}.",
                Confidence.Suspected,
                [new Evidence(EvidenceSource.Rule, "no other thread with a message loop is inside a handler; the window may be another process' as well")]);
    }
}
