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
    public TreeCheck Check(CollectionMemory memory, int count) =>
        new(count, node => _left.Read(memory, node), node => _right.Read(memory, node), memory.Charge);
}
