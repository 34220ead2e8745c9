using Dump.Analysis.Detection;
using Dump.Analysis.Options;
using Dump.Analysis.Spinning;
using Dump.Model.Process;
using Dump.Model.Verdicts;
using Dump.Model.Wording;

namespace Dump.Analysis.Waiting;

/// <summary>
/// Threads of a living .NET process that did nothing but compute between two samples, too short a time apart to call that a runaway. The program is seen at work,
/// so that they leave nothing undecided; where they compute without an end, this is the line to look at.
/// </summary>
internal sealed class ComputingOpenWaits : IOpenWaitRule
{
    /// <summary>Share of one processor of a thread that does nothing else.</summary>
    private const double WholeLoad = 0.9;

    /// <inheritdoc/>
    public IEnumerable<OpenWait> Find(OpenWaitScope scope)
    {
        AnalysisContext context = scope.Context;
        return !scope.Verdicts.IsEmpty ? []
            : context.Snapshot.Threads.Where(t => Computes(t, context.Options)).OrderBy(t => t.Id).Select(t => Of(context, t)).OfType<OpenWait>()
                .Take(OpenWaits.MostThreads);
    }

    private static bool Computes(ThreadSnapshot thread, AnalysisOptions options) =>
        thread is { ManagedId: not null, IsFinalizer: false, HasExited: false, RecentUse: { } use,
                Activity.Kind: ThreadActivityKind.Running or ThreadActivityKind.Yielding }
            && (use.Load >= WholeLoad || (use.WasAlwaysReady == true && use.Load >= options.ReadyLoad)) && !ProcessorLoad.ComputedAllTheTime(thread, options);

    private static OpenWait? Of(AnalysisContext context, ThreadSnapshot thread) => context.Application.Innermost(thread.Stack.Frames) is { } own
        ? OpenWaits.At(OpenWaitKind.Computing, thread, null, $"computes, and did nothing else before: {Naming.Use(thread.RecentUse!)}", null, own) with
        {
            ReadIndex = context.Application.ToRead(thread.Stack.Frames),
        }
        : null;
}
