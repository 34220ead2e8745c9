using System.Collections.Immutable;
using Dump.Analysis.Detection;
using Dump.Analysis.Looks;
using Dump.Model.Facts;
using Dump.Model.Verdicts;

namespace Dump.Analysis.Waiting;

/// <summary>
/// A thread pool whose workers all wait for signals while work is queued: what would set them may be in the queue, and one look does not show whether it comes.
/// </summary>
internal sealed class PoolOpenWaits : IOpenWaitRule
{
    /// <summary>One line for the pool; it leaves the answer open unless an earlier look shows that the pool has moved on.</summary>
    public IEnumerable<OpenWait> Find(OpenWaitScope scope) =>
        scope.Verdicts.IsEmpty ? scope.Context.StandingWorkers.Where(w => w.Queued is not null).Select(w => Of(scope.Context, w)) : [];

    /// <inheritdoc/>
    public IEnumerable<MissingData> Missing(OpenWaitScope scope, ImmutableArray<OpenWait> open) =>
        open.IsEmpty ? [] : [MissingData.Of(MissingKind.LaterMomentOfPool)];

    private static OpenWait Of(AnalysisContext context, StandingWorkers workers)
    {
        bool hasMoved = !context.Earlier.IsEmpty && workers.HasMovedSince(context, context.Earlier[^1]);
        string since = hasMoved ? $" The pool has moved on since {PairText.DumpBefore(context.Earlier[^1])}." : "";
        return new OpenWait(
            OpenWaitKind.StarvedPool, null, null, workers.Sentence(context, workers.Waits) + since, workers.Waits.Min(w => w.Grade), workers.Waits[0].Evidence)
        {
            Resource = workers.Waits[0].Resource,
            LeavesUndecided = !hasMoved,
        };
    }
}
