using System.Collections.Immutable;
using Dump.Analysis.Detection;
using Dump.Analysis.Detectors.UserInterface;
using Dump.Analysis.Spinning;
using Dump.Model.Facts;
using Dump.Model.Process;
using Dump.Model.Verdicts;
using Dump.Model.Wording;

namespace Dump.Analysis.Detectors;

/// <summary>DUMP4004: a thread with a message loop spends processor time in a message handler.</summary>
public sealed class UiBusyDetector : IDetector
{
    private static readonly ImmutableArray<string> s_remedies =
        ["Move long computations out of the message handler, to another thread; let it report progress by posted messages."];

    /// <inheritdoc/>
    public DetectorDescriptor Descriptor { get; } = new(
        "DUMP4004",
        "UI thread busy",
        "A thread with a message loop executes code inside a message handler and has used much CPU time.",
        "stacks, names of user32's functions, thread CPU times",
        DetectorFamily.Ui)
    {
        Activity = SubjectActivity.Runs,
    };

    /// <inheritdoc/>
    public DetectorOutcome Detect(AnalysisContext context)
    {
        UiBlockage[] running = [.. UiVerdicts.Find(context, UiBlockageKind.Busy)];
        return DetectorOutcomes.From(
            Descriptor,
            running.Select(b => Judge(context, b)).OfType<Verdict>(),
            [.. UiData.Needed(context), .. running.Length > 0 ? NecessaryData.Times(context.Snapshot) : []]);
    }

    private static string Does(ThreadSnapshot thread) => thread.Activity switch
    {
        { Kind: ThreadActivityKind.Yielding } => "yields its time slice",
        { Kind: ThreadActivityKind.SystemCall, SystemCall: { } call } => $"executes code and system calls ({call})",
        _ => "executes code",
    };

    /// <summary>To be caught running in a handler is normal; only time spent, or a window that did not answer, makes it worth a word.</summary>
    private Verdict? Judge(AnalysisContext context, UiBlockage blockage)
    {
        ThreadSnapshot thread = blockage.Ui.Thread;
        if (UiHangReason.Recorded(context, blockage.Ui) is null && thread.UnansweredWindow is not { IsHung: true }
            && ProcessorLoad.IsBusy(thread, context.Options) != true)
        {
            return null;
        }

        string times = thread.Times is { } t ? $": {Naming.Times(t)}" : "; the dump records no CPU times";
        Claim does = new(
            $"It {Does(thread)} there{times}.",
            Confidence.Confirmed,
            VerdictParts.OfActivity(thread));
        return UiVerdicts.Make(context, Descriptor, blockage, [does], UiHangReason.Of(context, blockage), s_remedies);
    }
}
