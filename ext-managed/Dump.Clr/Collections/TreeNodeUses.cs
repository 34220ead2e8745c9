using System.Collections.Immutable;
using Dump.Clr.Frames;
using Dump.Model.Collections;
using Microsoft.Diagnostics.Runtime;

namespace Dump.Clr.Collections;

/// <summary>
/// The trees that a thread is inside of, by the nodes which its frames keep. Only a node that leads into a cycle tells something: a sound part of a tree does
/// not say that the rest is sound.
/// </summary>
/// <param name="thread">The thread.</param>
/// <param name="types">Knows collections.</param>
/// <param name="memory">Memory of the process.</param>
/// <param name="sound">Nodes that lead to no cycle, of all threads, so that trees which many search are not walked by each of their nodes.</param>
internal sealed class TreeNodeUses(ManagedThread thread, CollectionTypes types, CollectionMemory memory, HashSet<ulong> sound)
{
    private const int MostNodes = 16;
    private const int MostSets = 32;

    /// <summary>The frames that search or change a tree.</summary>
    public IEnumerable<(ManagedFrame Frame, CollectionKind Kind)> Frames =>
        from frame in thread.KnownCode
        let kind = CollectionKinds.OfType(frame.TypeName)
        where kind is { } known && CollectionKinds.Of(known).Storage == CollectionKind.SortedSet
        select (frame, kind.Value);

    /// <summary>The first node of a cycle that a node of the frame leads to; null where none of them does, and where nodes cannot be read.</summary>
    public (TreeNodeLayout Layout, ulong Node)? BrokenTreeOf(ManagedFrame frame) =>
        (from node in NodesOf(frame)
         let layout = types.NodeLayoutOf(node.Type!)!
         let cycle = CycleOf(layout, node.Address)
         where !cycle.IsEmpty
         select ((TreeNodeLayout, ulong)?)(layout, cycle[0])).FirstOrDefault();

    /// <summary>The set with that cycle, among those that threads use and the objects near this thread; null when none of these has it.</summary>
    /// <param name="node">First node of the cycle.</param>
    /// <param name="known">Collections that threads use.</param>
    public (ulong Address, CollectionLayout Layout, ulong Storage)? SetOf(ulong node, IEnumerable<CollectionUses.Use> known)
    {
        var near =
            from target in thread.InRegisters.Concat(NearObjects.Of(thread))
            where target.Type is not null && !target.IsNull
            select (target.Address, Layout: types.LayoutOf(target.Type!));
        return known.Select(u => (u.Address, Layout: (CollectionLayout?)u.Layout)).Concat(near)
            .Where(c => c.Layout is TreeLayout).DistinctBy(c => c.Address).Take(MostSets)
            .Where(c => Read(() => ((TreeLayout)c.Layout!).Cycle(memory, c.Address)) is [var first, ..] && first == node)
            .Select(c => ((ulong, CollectionLayout, ulong)?)(c.Address, c.Layout!, c.Layout!.Storage(memory, c.Address)))
            .FirstOrDefault();
    }

    /// <summary>What the frame keeps; for the innermost one also what stands in registers, where the runtime may not know of it.</summary>
    private IEnumerable<ClrObject> NodesOf(ManagedFrame frame) =>
        thread.Roots.Where(r => r.FrameStackPointer == frame.StackPointer).Select(r => r.Object)
            .Concat(thread.KnownCode is [var innermost, ..] && innermost == frame ? thread.InRegisters : [])
            .Where(o => o.Type is not null && types.NodeLayoutOf(o.Type) is not null)
            .DistinctBy(o => o.Address)
            .Take(MostNodes);

    private ImmutableArray<ulong> CycleOf(TreeNodeLayout layout, ulong node)
    {
        ImmutableArray<ulong> cycle = sound.Contains(node) ? [] : Read(() => layout.Cycle(memory, node, sound));
        if (cycle.IsEmpty)
        {
            sound.Add(node);
        }

        return cycle;
    }

    private static ImmutableArray<ulong> Read(Func<ImmutableArray<ulong>> read)
    {
        try
        {
            return read();
        }
        catch (MissingMemoryException)
        {
            return [];
        }
    }
}
