using System.Collections.Immutable;
using Dump.Model.Collections;

namespace Dump.Clr.Collections;

/// <summary>
/// Checks a binary tree: no node may be its own descendant or have two parents. A sound red-black tree is so low that the path from its root fits into a short
/// list, which is all the memory that a sound tree takes.
/// </summary>
/// <param name="count">How many nodes the tree says it has.</param>
/// <param name="left">Reads the left child of a node, 0 for none.</param>
/// <param name="right">Reads the right child of a node, 0 for none.</param>
/// <param name="charge">Told how many nodes are about to be passed; may end the check by an exception.</param>
internal sealed class TreeCheck(int count, Func<ulong, ulong> left, Func<ulong, ulong> right, Action<int>? charge = null)
{
    /// <summary>Twice the binary logarithm of the largest count, and room to spare for a tree that lost its balance.</summary>
    private const int LongestPath = 4_096;

    private const int MostRemembered = 250_000;
    private readonly List<(ulong Node, int Turn)> _path = [];
    private int _cycleStart;

    /// <summary>What does not fit.</summary>
    /// <param name="root">The root, 0 for an empty tree.</param>
    public ImmutableArray<CollectionFault> Run(ulong root)
    {
        // Nodes are only remembered when there are more of them than there should be, or when the tree is small anyway.
        HashSet<ulong>? seen = null;
        if (!TryWalk(root, Math.Max(count, 0), null, out int passed, out CollectionFault? fault))
        {
            seen = [];
            TryWalk(root, MostRemembered, seen, out passed, out fault);
        }

        return fault is not null ? [fault]
            : passed != count
                ? [HalfDone(CollectionFaultKind.CountMismatch,
                    $"{passed}{(passed > MostRemembered ? " or more" : "")} nodes are reachable, {count} are counted")]
            : [];
    }

    /// <summary>
    /// The nodes of a cycle that the links of a node lead to, from its lowest address on, so that it is the same from wherever it was found; empty when there
    /// is none among as many nodes as the tree says it has.
    /// </summary>
    /// <param name="node">Where to begin, 0 for nowhere.</param>
    /// <exception cref="MissingMemoryException">A node cannot be read.</exception>
    public ImmutableArray<ulong> CycleBelow(ulong node)
    {
        if (!TryWalk(node, count, null, out _, out CollectionFault? fault) || fault is null)
        {
            return [];
        }

        ulong[] nodes = [.. _path.Skip(_cycleStart).Select(p => p.Node)];
        int lowest = Array.IndexOf(nodes, nodes.Min());
        return [.. nodes[lowest..], .. nodes[..lowest]];
    }

    /// <summary>What is wrong with nodes that lead back to the first of them.</summary>
    /// <param name="cycle">The nodes; not empty.</param>
    public static CollectionFault Cycle(IReadOnlyList<ulong> cycle)
    {
        const int Shown = 12;
        string nodes = string.Join(" -> ", cycle.Take(Shown).Select(n => $"0x{n:x}"));
        string more = cycle.Count > Shown ? " -> ..." : "";
        return new CollectionFault(
            CollectionFaultKind.NodeCycle, $"node 0x{cycle[0]:x} is a descendant of itself: {nodes}{more} -> 0x{cycle[0]:x}", []);
    }

    /// <summary>Walks the tree depth first; false when there are more nodes than allowed.</summary>
    private bool TryWalk(ulong root, int most, HashSet<ulong>? seen, out int passed, out CollectionFault? fault)
    {
        _path.Clear();
        passed = 0;
        fault = null;
        if (root == 0)
        {
            return true;
        }

        if (!TryEnter(root, most, seen, ref passed, ref fault))
        {
            return false;
        }

        while (_path.Count > 0 && fault is null)
        {
            (ulong node, int turn) = _path[^1];
            if (turn == 2)
            {
                _path.RemoveAt(_path.Count - 1);
                continue;
            }

            _path[^1] = (node, turn + 1);
            ulong child = turn == 0 ? left(node) : right(node);
            if (child != 0 && !TryEnter(child, most, seen, ref passed, ref fault))
            {
                return false;
            }
        }

        return true;
    }

    private bool TryEnter(ulong node, int most, HashSet<ulong>? seen, ref int passed, ref CollectionFault? fault)
    {
        int ancestor = _path.FindIndex(p => p.Node == node);
        if (ancestor >= 0)
        {
            _cycleStart = ancestor;
            fault = Cycle([.. _path.Skip(ancestor).Select(p => p.Node)]);
            return true;
        }

        if (seen is not null && !seen.Add(node))
        {
            // The removal of a node gives its left subtree to its successor before it takes the node out.
            fault = HalfDone(CollectionFaultKind.SharedNode, $"node 0x{node:x} has two parents");
            return true;
        }

        charge?.Invoke(1);
        if (passed++ >= most || _path.Count >= LongestPath)
        {
            return false;
        }

        _path.Add((node, 0));
        return true;
    }

    private static CollectionFault HalfDone(CollectionFaultKind kind, string text) => new(kind, text, []) { MayBeHalfDone = true };
}
