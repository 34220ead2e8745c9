using Dump.Model.Facts;
using Dump.Model.Waits;

namespace Dump.Analysis.Graph;

/// <summary>
/// The threads of a wait graph that cannot go on whatever the others do: the greatest set in which each waits for an object that only a member can release. A
/// wait for all of several objects, or for one, needs one such object; a wait for any one of several needs that every one is such an object: a single event, or
/// an object of a thread that goes on, may end it.
/// </summary>
internal sealed class StuckThreads
{
    private readonly WaitGraph _graph;
    private readonly Grade _weakest;
    private readonly HashSet<uint> _members;
    private readonly Dictionary<uint, bool> _allHeld = [];

    /// <summary>Finds them.</summary>
    /// <param name="graph">The graph.</param>
    /// <param name="weakest">Edges below this grade do not count.</param>
    public StuckThreads(WaitGraph graph, Grade weakest)
    {
        _graph = graph;
        _weakest = weakest;
        _members = [.. graph.Edges.Select(e => e.Waiter)];
        Queue<uint> open = new(_members);
        while (open.TryDequeue(out uint thread))
        {
            if (_members.Contains(thread) && !IsStuck(thread))
            {
                _members.Remove(thread);
                foreach (WaitEdge edge in graph.To(thread))
                {
                    open.Enqueue(edge.Waiter);
                }
            }
        }
    }

    /// <summary>True for an edge that keeps a thread of the set from going on.</summary>
    public bool Holds(WaitEdge edge) =>
        edge.EndingGrade >= _weakest && _members.Contains(edge.Holder)
        && (!edge.Wait.IsWaitAny || (_members.Contains(edge.Waiter) && AllHoldForGood(edge.Waiter)));

    /// <summary>The same as <see cref="AllHold"/>, once the set is complete: asked for each of a thread's many edges, found out once.</summary>
    private bool AllHoldForGood(uint thread)
    {
        if (!_allHeld.TryGetValue(thread, out bool held))
        {
            _allHeld.Add(thread, held = AllHold(thread));
        }

        return held;
    }

    private bool IsStuck(uint thread) =>
        _graph.From(thread).Any(e => !e.Wait.IsWaitAny && e.EndingGrade >= _weakest && _members.Contains(e.Holder)) || AllHold(thread);

    /// <summary>
    /// True when the thread waits for any one of several objects, and for each of them a member must act.
    /// Where only one of the several is known, the others may end the wait.
    /// </summary>
    private bool AllHold(uint thread)
    {
        WaitFact[] alternatives = [.. _graph.WaitsOf(thread).Where(w => w.IsWaitAny)];
        if (alternatives.Length <= 1)
        {
            return false;
        }

        HashSet<WaitFact> held = new(_graph.From(thread).Where(e => e.EndingGrade >= _weakest && _members.Contains(e.Holder)).Select(e => e.Wait),
            ReferenceEqualityComparer.Instance);
        return alternatives.All(held.Contains);
    }
}
