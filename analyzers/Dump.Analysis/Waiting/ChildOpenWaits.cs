using System.Collections.Immutable;
using Dump.Analysis.Detection;
using Dump.Model.Facts;
using Dump.Model.Verdicts;
using Dump.Model.Waits;

namespace Dump.Analysis.Waiting;

/// <summary>
/// Children that cannot go on by themselves: a stopped one, and one that wants to write to a full pipe which the living process reads. Nothing in the memory of
/// the process says so, and a thread that waits for such a child, or for its output, looks like one that waits for input.
/// </summary>
internal sealed class ChildOpenWaits : IOpenWaitRule
{
    private const int MostNamed = 16;

    /// <summary>
    /// One for each child; those that a pipe leads to, workers of the same program, and all where a thread waits for the end of a process leave the answer open.
    /// </summary>
    public IEnumerable<OpenWait> Find(OpenWaitScope scope)
    {
        bool isAwaited = scope.Context.Graph.Waits.Any(w => w.Resource.Kind == ResourceKind.Process);
        return scope.Context.Snapshot.StandingChildren.OrderByDescending(c => c.IsConnected).Take(MostNamed).Select(c => new OpenWait(
            OpenWaitKind.Child, null, null,
            $"Child {c.Name} {c.Standstill}. " + (c.IsConnected || isAwaited ? "Who waits for its end or its output here waits as long."
                : "Nothing shows that this process waits for it."),
            Grade.Proven,
            [new Evidence(EvidenceSource.Rule, "what /proc tells of the child, alike before and after the look at this process")])
        {
            Resource = new Resource(ResourceKind.Process, 0),
            LeavesUndecided = c.IsConnected || isAwaited,
        });
    }

    /// <inheritdoc/>
    public IEnumerable<MissingData> Missing(OpenWaitScope scope, ImmutableArray<OpenWait> open) =>
        open.IsEmpty ? [] : [MissingData.Of(MissingKind.StandingChildren, open.Length)];
}
