using Dump.Analysis.Detection;
using Dump.Analysis.Graph;
using Dump.Model.Facts;
using Dump.Model.Process;
using Dump.Model.Verdicts;
using Dump.Model.Wording;

namespace Dump.Analysis;

/// <summary>
/// The edges that lead from a waiting thread to the one that must act. A wait for any one of several objects is followed only where each of them is held by a
/// thread that cannot go on.
/// </summary>
/// <param name="context">The snapshot and its graph.</param>
internal sealed class FollowedWaits(AnalysisContext context)
{
    private readonly StuckThreads _stuck = new(context.Graph, Grade.Suspected);
    private readonly StuckThreads _certainlyStuck = new(context.Graph, Grade.Derived);
    private readonly Dictionary<uint, CodePlace?> _places = [];

    /// <summary>All of them, in the order of the waiting threads' ids.</summary>
    public IEnumerable<WaitEdge> All => context.Graph.Edges.Where(Contains);

    /// <summary>Those of one thread.</summary>
    public IEnumerable<WaitEdge> From(uint thread) => context.Graph.From(thread).Where(Contains);

    /// <summary>Whether an edge is one of them.</summary>
    public bool Contains(WaitEdge edge) => !edge.Wait.IsWaitAny || _stuck.Holds(edge);

    /// <summary>True when the wait ends only when the holder acts, and neither is a mere suspicion.</summary>
    public bool Lasts(WaitEdge edge) => _certainlyStuck.Holds(edge);

    /// <summary>An edge as a link, with the code of the waiting thread.</summary>
    public ChainLink Link(WaitEdge edge) => VerdictParts.Link(context, edge) with { At = Place(edge.Waiter) };

    /// <summary>The waits of a thread, none of which is followed, as links.</summary>
    public IEnumerable<ChainLink> Waits(uint thread) => context.Graph.WaitsOf(thread).Select(w => VerdictParts.Link(context, w) with { At = Place(thread) });

    /// <summary>The innermost function of the program's own on a thread's stack; null where it has none.</summary>
    public CodePlace? Place(uint thread)
    {
        if (!_places.TryGetValue(thread, out CodePlace? place))
        {
            _places.Add(thread, place = Find(thread));
        }

        return place;
    }

    /// <summary>What makes the stacks of two threads alike: the innermost function of the program's own, else all functions.</summary>
    public string StackKey(uint thread) => Place(thread)?.Code
        ?? string.Join('\n', (context.Thread(thread)?.Stack ?? ThreadStack.None).Frames.Select(f => FrameWords.Place(f.Module, f.Function, f.ModuleOffset)));

    private CodePlace? Find(uint thread) =>
        context.ToRead(thread) is { } frame && FrameWords.Own(frame) is var own
            ? new CodePlace(thread, own.Code) { Source = own.Source }
            : null;
}
