using System.Collections.Immutable;
using Dump.Analysis.Detection;
using Dump.Analysis.Detectors;
using Dump.Analysis.Knowledge;
using Dump.Analysis.UserInterface;
using Dump.Model.Facts;
using Dump.Model.Process;
using Dump.Model.Verdicts;
using Dump.Model.Waits;

namespace Dump.Analysis.Waiting;

/// <summary>Handlers that no verdict is about, and dialogs above a COM call that has no answer.</summary>
internal sealed class WindowOpenWaits : IOpenWaitRule
{
    private const string Handles = "handles the user interface";

    /// <inheritdoc/>
    public IEnumerable<OpenWait> Find(OpenWaitScope scope)
    {
        AnalysisContext context = scope.Context;
        foreach (UiThread ui in context.UiThreads)
        {
            if (ui.PendingCall is { } call)
            {
                yield return new OpenWait(
                    OpenWaitKind.Window, ui.Thread.Id, Handles,
                    "runs a dialog or another loop of its own, which is healthy, above a COM call to another apartment or process that has no answer",
                    call.Grade,
                    [
                        new Evidence(
                            EvidenceSource.Stack, $"frames {call.InnerIndex} to {call.OuterIndex} are those of a COM call to another apartment or process"),
                    ])
                {
                    SystemCall = ui.Thread.Activity.SystemCall,
                    Resource = new Resource(ResourceKind.ComCall, 0, ui.Thread.Id),
                    OwnIndex = context.Application.Innermost(ui.Thread.Stack.Frames, call.OuterIndex + 1),
                    LeavesUndecided = true,
                };
            }
            else if (ui.State == UiThreadState.Handling && OpenWaits.Of(context, OpenWaitKind.Window, ui.Thread, Handles) is { } wait)
            {
                yield return wait with { LeavesUndecided = true };
            }
        }
    }

    /// <inheritdoc/>
    public IEnumerable<MissingData> Missing(OpenWaitScope scope, ImmutableArray<OpenWait> open)
    {
        HashSet<uint> loops = [.. scope.Context.UiThreads.Select(u => u.Thread.Id)];
        foreach (MissingData missing in Unanswered(scope, loops))
        {
            yield return missing;
        }

        if (HungWindowComment.WindowOf(scope.Context.Snapshot.Source.Comment) is { } window && !scope.Verdicts.Any(v => v.Threads.Any(loops.Contains)))
        {
            yield return MissingData.Of(MissingKind.HungWindowHandler, detail: $"0x{window:x}");
        }
    }

    /// <summary>
    /// Threads of a living process of which Windows says that they have taken no message for 5 s, and that no verdict is about. A hidden window counts only
    /// where the thread has a message loop: others make one and never mean to take messages.
    /// </summary>
    private static IEnumerable<MissingData> Unanswered(OpenWaitScope scope, HashSet<uint> loops)
    {
        HashSet<uint> judged = [.. scope.Verdicts.SelectMany(v => v.Threads.Concat(v.Victims.SelectMany(g => g.ThreadIds)))];
        foreach (ThreadSnapshot thread in scope.Context.Snapshot.Threads)
        {
            if (thread.UnansweredWindow is { IsHung: true } window && !judged.Contains(thread.Id) && (window.IsVisible || loops.Contains(thread.Id)))
            {
                yield return MissingData.Of(
                    MissingKind.UnansweredWindowHandler, detail: $"{scope.Context.Names.Thread(thread.Id)} did when its window 0x{window.Window:x}");
            }
        }
    }
}
