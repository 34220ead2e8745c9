using System.Collections.Immutable;
using System.Globalization;
using Dump.Analysis.Detection;
using Dump.Analysis.Detectors.UserInterface;
using Dump.Analysis.Knowledge;
using Dump.Analysis.UserInterface;
using Dump.Model.Facts;
using Dump.Model.Process;
using Dump.Model.Waits;
using Dump.Model.Wording;

namespace Dump.Analysis.Detectors.UserInterface;

/// <summary>
/// A reason to call a blocked user-interface thread a hang and not a moment: whether it will go on is the one thing that a single dump does not show. Every
/// rule here is on the detectors' pages.
/// </summary>
/// <param name="Confidence">How sure it is that this is a hang and not a moment; never confirmed.</param>
/// <param name="Text">The conclusion as a sentence.</param>
/// <param name="Evidence">Why.</param>
public sealed record UiHangReason(Confidence Confidence, string Text, Evidence Evidence)
{
    /// <summary>True where nothing speaks for a hang or against it.</summary>
    public bool IsOpenQuestion { get; init; }

    /// <summary>All that speaks for a hang; when nothing does, that this is open. Never empty.</summary>
    public static ImmutableArray<UiHangReason> Of(AnalysisContext context, UiBlockage blockage)
    {
        UiHangReason? deadlock = Deadlock(context, blockage);
        UiHangReason? stuck = deadlock?.Confidence == Confidence.Likely ? null : Stuck(context, blockage);
        ImmutableArray<UiHangReason> found =
            [.. new[] { deadlock, Recorded(context, blockage.Ui), Unanswered(context, blockage.Ui), stuck }.OfType<UiHangReason>()];
        return !found.IsEmpty ? found :
        [
            new UiHangReason(
                Confidence.Suspected,
                $"Whether it stays there cannot be told from one {context.Snapshot.Source.Noun}: a long operation looks the same as a hang.",
                new Evidence(EvidenceSource.Rule, "one snapshot shows one moment"))
            {
                IsOpenQuestion = true,
            },
        ];
    }

    /// <summary>
    /// The window that the dump's comment calls hung, when this is the thread that owns it or, where that is unknown, the only one of all with a message loop
    /// that is not waiting for messages; null otherwise.
    /// </summary>
    public static UiHangReason? Recorded(AnalysisContext context, UiThread ui)
    {
        if (HungWindowComment.WindowOf(context.Snapshot.Source.Comment) is not { } window || ui.State != UiThreadState.Handling)
        {
            return null;
        }

        UiThread[] owners = [.. context.UiThreads.Where(u => WindowOwners.Owns(u, window))];
        if (owners is [var owner])
        {
            return owner != ui ? null : new UiHangReason(
                Confidence.Likely,
                $"procdump took this dump because window 0x{window:x} had not answered for 5 s, and that window is this thread's: the window has hung here.",
                new Evidence(EvidenceSource.DumpStream, $"the dump's comment: Hung window detected: {window:x}; the thread handles a message for that window"));
        }

        return context.UiThreads.Count(u => u.State == UiThreadState.Handling) != 1 ? null : new UiHangReason(
            Confidence.Likely,
            $"procdump took this dump because window 0x{window:x} had not answered for 5 s, and no other thread with a message loop is inside a handler: the "
                + "window has hung here.",
            new Evidence(EvidenceSource.DumpStream, $"the dump's comment: Hung window detected: {window:x}"));
    }

    /// <summary>
    /// A window of this thread that did not answer when Windows was asked, just before; null when none was asked, or the thread is in no handler. That Windows
    /// calls it hung is a measurement over 5 s, and the stack shows that the thread is in a handler; an answer that was late alone may be a moment.
    /// </summary>
    public static UiHangReason? Unanswered(AnalysisContext context, UiThread ui)
    {
        if (ui.Thread.UnansweredWindow is not { } window || ui.State != UiThreadState.Handling)
        {
            return null;
        }

        string who = $"Window 0x{window.Window:x} of {context.Names.Thread(ui.Thread.Id)}";
        string limit = string.Create(CultureInfo.InvariantCulture, $"{window.Limit.TotalSeconds:0.###} s");
        return window.IsHung
            ? new UiHangReason(
                ui.Grade > Grade.Suspected ? Confidence.Likely : Confidence.Suspected,
                $"{who} does not answer: Windows says that the thread has taken no message for 5 s. The window has hung here.",
                new Evidence(EvidenceSource.System, $"IsHungAppWindow: window 0x{window.Window:x} is hung; SendMessageTimeout (WM_NULL): no answer"))
            : new UiHangReason(
                Confidence.Suspected,
                $"{who} did not answer within {limit}: a long operation looks the same as a hang.",
                new Evidence(EvidenceSource.System, $"SendMessageTimeout (WM_NULL) to window 0x{window.Window:x}: no answer within {limit}"));
    }

    /// <summary>
    /// The thread at the end of the chain waits for a user-interface thread to do something, which this one cannot do where it is. A framework's Invoke goes to
    /// a thread of this process; the window of a SendMessage may be another process' and is never more than suspected.
    /// </summary>
    private static UiHangReason? Deadlock(AnalysisContext context, UiBlockage blockage)
    {
        if (blockage.Chain.IsEmpty || blockage.Last == blockage.Ui.Thread.Id || blockage.Chain.Any(e => e.BlockingGrade is null)
            || context.Thread(blockage.Last) is not { } last
            || context.Graph.FirstWaitOf(last.Id) is not { } wait)
        {
            return null;
        }

        bool isEndless = wait.Timeout == WaitTimeout.Infinite || (wait.Timeout == WaitTimeout.Finite && MessageWaits.IsStepOfEndlessWait(last.Stack.Frames));
        if (wait.Timeout == WaitTimeout.Finite && !isEndless)
        {
            return null;
        }

        string who = context.Names.ThreadCapitalised(last.Id);
        string ui = context.Names.Thread(blockage.Ui.Thread.Id);
        if (MessageWaits.MarshalledCall(last.Stack.Frames) is { Function: { } marshalled })
        {
            bool isCertain = isEndless && context.UiThreads.Length == 1 && blockage.Ui.Grade > Grade.Suspected
                && blockage.Chain.All(e => e.BlockingGrade > Grade.Suspected);
            return new UiHangReason(
                isCertain ? Confidence.Likely : Confidence.Suspected,
                isCertain
                    ? $"{who} waits in {marshalled} for work that only the thread of a window can do. {Naming.Capitalised(ui)} is the only one with a message "
                        + "loop and does not come back to it: neither can go on, a deadlock."
                    : $"{who} waits in {marshalled} for work that only the thread of a window can do; if that is {ui}, neither can go on.",
                new Evidence(EvidenceSource.Stack, $"{marshalled} on the stack of {context.Names.Thread(last.Id)}"));
        }

        // A wait that takes sent messages would handle this one.
        bool takesSent = blockage.Ui.ComWait is { TakesSentMessages: true } || blockage.Wait?.Resource.Kind == ResourceKind.WindowMessage;
        return !takesSent && wait.Resource.Kind == ResourceKind.WindowMessage && MessageWaits.SendOf(last.Stack.Frames) is { } send
            ? new UiHangReason(
                Confidence.Suspected,
                $"If the window to which {context.Names.Thread(last.Id)} sends is one of {ui}, neither can go on.",
                new Evidence(EvidenceSource.Stack, $"{send} on the stack of {context.Names.Thread(last.Id)}"))
            : null;
    }

    /// <summary>
    /// Every wait of the chain is without a time limit, and so is the wait of the thread at its end, for something that no thread is known to hold; or the
    /// thread itself sleeps without end.
    /// </summary>
    private static UiHangReason? Stuck(AnalysisContext context, UiBlockage blockage)
    {
        if (blockage.Wait is { Timeout: WaitTimeout.Infinite, Resource.Kind: ResourceKind.Time } sleep)
        {
            return new UiHangReason(Confidence.Likely, "A sleep without a time limit does not end.", sleep.Evidence[0]);
        }

        if (blockage.Chain.IsEmpty || blockage.Chain.Any(e => e.Wait.Timeout != WaitTimeout.Infinite || e.Grade == Grade.Suspected))
        {
            return null;
        }

        // A thread that a message was sent to is where any handler may be for a moment; only a lock or a sleep shows more.
        if (blockage.Chain[^1].Resource.Kind == ResourceKind.WindowMessage
            && context.Graph.WaitsOf(blockage.Last).All(w => w.Resource.Kind != ResourceKind.Time && UiBlockage.KindOf(w.Resource.Kind) != UiBlockageKind.Lock))
        {
            return null;
        }

        WaitFact? end = context.Graph.WaitsOf(blockage.Last)
            .FirstOrDefault(w => w is { LastsForObject: true, Grade: > Grade.Suspected });
        return end is null || OutsideWork.Ends(context, end) || context.Spins.Of(blockage.Last) is not null ? null
            : new UiHangReason(
                Confidence.Likely,
                $"{context.Names.ThreadCapitalised(blockage.Last)} waits in turn without a time limit, and no thread is known to end that: the user-interface "
                    + "thread is most likely stuck.",
                end!.Evidence[0]);
    }
}
