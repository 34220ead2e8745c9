using System.Collections.Immutable;
using Dump.Model.Collections;
using Microsoft.Diagnostics.Runtime;

namespace Dump.Clr.Collections;

/// <summary>
/// A sorted set of which no more is known than a node. Optimised code that searches a tree needs the set itself no longer and keeps no reference to it. A cycle
/// among the nodes proves by itself that the tree is broken; nodes without one say nothing of the rest of the tree.
/// </summary>
internal sealed class TreeNodeLayout : CollectionLayout
{
    private const string Node = "+Node";
    private readonly TreeNodeFields _nodes;

    private TreeNodeLayout(string set, ClrRuntime runtime, Lock runtimeLock)
        : base(CollectionKind.SortedSet, set) => _nodes = new TreeNodeFields(runtime, runtimeLock);

    /// <inheritdoc/>
    public override bool LoopsForEver => true;

    /// <inheritdoc/>
    public override bool StandsAlone => false;

    /// <inheritdoc/>
    public override bool IsOfNode => true;

    /// <summary>Makes the layout, or null for a type that is no node of a sorted set.</summary>
    /// <param name="name">Type name (sanitised).</param>
    /// <param name="runtime">The runtime.</param>
    /// <param name="runtimeLock">Guards the use of the runtime.</param>
    public static TreeNodeLayout? Of(string name, ClrRuntime runtime, Lock runtimeLock) =>
        name.EndsWith(Node, StringComparison.Ordinal) && name[..^Node.Length] is var set && CollectionKinds.OfType(set) == CollectionKind.SortedSet
            ? new TreeNodeLayout(set, runtime, runtimeLock)
            : null;

    /// <summary>The cycle that a node leads to: its nodes from the lowest address on; empty for none.</summary>
    /// <param name="memory">Where the tree lies.</param>
    /// <param name="node">Where to begin.</param>
    /// <param name="sound">Nodes that lead to no cycle, as far as earlier calls found.</param>
    /// <exception cref="MissingMemoryException">A node cannot be read.</exception>
    public ImmutableArray<ulong> Cycle(CollectionMemory memory, ulong node, IReadOnlySet<ulong>? sound = null) =>
        _nodes.Check(memory, TreeNodeFields.MostNodes, sound).CycleBelow(node);

    /// <inheritdoc/>
    public override CollectionState Check(CollectionMemory memory, ulong address) =>
        new(null, Cycle(memory, address) is { IsEmpty: false } cycle ? [TreeCheck.Cycle(cycle)] : []);
}
