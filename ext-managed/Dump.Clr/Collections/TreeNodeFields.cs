using Microsoft.Diagnostics.Runtime;

namespace Dump.Clr.Collections;

/// <summary>The links of a tree's nodes (dotnet/runtime, <c>SortedSet.Node</c>). Safe for concurrent use.</summary>
internal sealed class TreeNodeFields(ClrRuntime runtime, Lock runtimeLock)
{
    /// <summary>As many nodes are passed from one node on, where nothing says how many there are.</summary>
    public const int MostNodes = 10_000_000;

    private readonly NodeFields _left = new(runtime, runtimeLock, "<Left>k__BackingField", "Left", "_left");
    private readonly NodeFields _right = new(runtime, runtimeLock, "<Right>k__BackingField", "Right", "_right");

    /// <summary>A check of the nodes.</summary>
    /// <param name="memory">Where they lie.</param>
    /// <param name="count">How many there should be at most.</param>
    /// <param name="passedOver">Nodes that are not looked at again: nothing below them is broken. Null for none.</param>
    public TreeCheck Check(CollectionMemory memory, int count, IReadOnlySet<ulong>? passedOver = null)
    {
        return new TreeCheck(count, node => Child(_left, node), node => Child(_right, node), memory.Charge);

        ulong Child(NodeFields link, ulong node) => link.Read(memory, node) is var child && passedOver?.Contains(child) == true ? 0 : child;
    }
}
