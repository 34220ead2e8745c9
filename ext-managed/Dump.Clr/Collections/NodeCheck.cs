using System.Collections.Immutable;
using Dump.Model;
using Microsoft.Diagnostics.Runtime;

namespace Dump.Clr.Collections;

/// <summary>Checks a sorted set's tree and a linked list: no node may be reached twice.</summary>
internal static class NodeCheck
{
    private const int MostNodes = 10_000_000;

    /// <summary>What is broken in a <c>SortedSet</c>.</summary>
    public static ImmutableArray<CollectionFault> SortedSet(ClrObject set)
    {
        if (!TryRead(set, out ClrObject root, "root", "_root"))
        {
            return [];
        }

        HashSet<ulong> seen = [];
        Stack<ClrObject> open = new([root]);
        while (open.TryPop(out ClrObject node) && seen.Count < MostNodes)
        {
            if (!seen.Add(node.Address))
            {
                return [new CollectionFault(CollectionFaultKind.NodeCycle, $"the tree reaches node 0x{node.Address:x} twice after {seen.Count} nodes", [])];
            }

            if (TryRead(node, out ClrObject left, "<Left>k__BackingField", "Left", "_left"))
            {
                open.Push(left);
            }

            if (TryRead(node, out ClrObject right, "<Right>k__BackingField", "Right", "_right"))
            {
                open.Push(right);
            }
        }

        return [];
    }

    /// <summary>What is broken in a <c>LinkedList</c>: its ring must come back to the head, and to no other node.</summary>
    public static ImmutableArray<CollectionFault> LinkedList(ClrObject list)
    {
        if (!TryRead(list, out ClrObject head, "head", "_head"))
        {
            return [];
        }

        HashSet<ulong> seen = [];
        ClrObject node = head;
        while (seen.Count < MostNodes && seen.Add(node.Address))
        {
            if (!TryRead(node, out node, "next", "_next"))
            {
                return [];
            }
        }

        return node.Address == head.Address || seen.Count >= MostNodes
            ? []
            : [new CollectionFault(CollectionFaultKind.NodeCycle, $"the list comes back to node 0x{node.Address:x}, which is not its head, after {seen.Count} nodes", [])];
    }

    private static bool TryRead(ClrObject target, out ClrObject value, params ReadOnlySpan<string> names)
    {
        foreach (string name in names)
        {
            if (target.Type?.GetFieldByName(name) is not null && target.TryReadObjectField(name, out value))
            {
                return value is { IsNull: false, IsValid: true };
            }
        }

        value = default;
        return false;
    }
}
