using System.Collections.Immutable;
using Dump.Analysis.Detection;
using Dump.Analysis.Detectors.UserInterface;
using Dump.Model.Facts;
using Dump.Model.Managed;
using Dump.Model.Verdicts;
using Dump.Model.Waits;

namespace Dump.Analysis.Detectors;

/// <summary>
/// DUMP4002: the handler of a thread with a message loop blocks in a managed task. Where the task needs that very thread, DUMP1006 says so instead.
/// </summary>
public sealed class UiBlockedInTaskDetector : IDetector
{
    private static readonly ImmutableArray<string> s_remedies =
    [
        "Await the task instead of blocking in it (Wait, Result, GetAwaiter().GetResult()), up to the event handler.",
        "Blocking there deadlocks as soon as anything behind the task needs the user-interface thread.",
    ];

    /// <inheritdoc/>
    public DetectorDescriptor Descriptor { get; } = new(
        "DUMP4002",
        "UI thread blocked in a task",
        "A thread with a message loop blocks in a managed task inside a message handler (sync over async).",
        "managed stacks, names of the message loop's functions",
        DetectorFamily.Ui)
    {
        Subject = VerdictSubject.Handler,
    };

    /// <inheritdoc/>
    public DetectorOutcome Detect(AnalysisContext context) => DetectorOutcomes.From(
        Descriptor,
        UiVerdicts.Find(context, UiBlockageKind.Task)
            .Select(b => UiVerdicts.Make(context, Descriptor, b, Claims(context, b), UiHangReason.Of(context, b), s_remedies)),
        UiData.Needed(context));

    private static IEnumerable<Claim> Claims(AnalysisContext context, UiBlockage blockage)
    {
        if (!blockage.Chain.IsEmpty)
        {
            return UiSentences.Chain(context, blockage);
        }

        WaitFact wait = blockage.Wait!;
        ImmutableArray<AwaitStep> steps = context.Snapshot.TaskWaits.FirstOrDefault(w => w.ThreadId == blockage.Ui.Thread.Id)?.Steps ?? [];
        string task = steps.IsEmpty ? context.Names.Resource(wait.Resource) : $"the task of {string.Join(", which awaits ", steps.Select(s => s.Description))}";
        return [new Claim($"It blocks there in {task}{ActivityText.Limit(wait)}.", VerdictParts.Confidence(wait.Grade), wait.Evidence)];
    }
}
