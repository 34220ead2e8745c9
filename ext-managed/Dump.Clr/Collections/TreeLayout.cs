using System.Collections.Immutable;
using Dump.Model.Collections;
using Microsoft.Diagnostics.Runtime;

namespace Dump.Clr.Collections;

/// <summary>A <c>SortedSet</c>, or a <c>SortedDictionary</c> through its set. Nodes are objects of one class, so their fields are looked up once.</summary>
internal sealed class TreeLayout : CollectionLayout
{
    private readonly int? _inner;
    private readonly int _root;
    private readonly int _count;
    private readonly TreeNodeFields _nodes;

    private TreeLayout(CollectionKind kind, string name, int? inner, int root, int count, bool standsAlone, ClrRuntime runtime, Lock runtimeLock)
        : base(kind, name)
    {
        (_inner, _root, _count, StandsAlone) = (inner, root, count, standsAlone);
        _nodes = new TreeNodeFields(runtime, runtimeLock);
    }

    /// <inheritdoc/>
    public override bool LoopsForEver => true;

    /// <inheritdoc/>
    public override bool StandsAlone { get; }

    /// <summary>Makes the layout of a set, or null when the type has not the fields that are known.</summary>
    /// <param name="name">Type name (sanitised).</param>
    /// <param name="type">The type.</param>
    /// <param name="standsAlone">False for the tree of a sorted dictionary.</param>
    /// <param name="runtimeLock">Guards the use of the runtime.</param>
    public static TreeLayout? OfSet(string name, ClrType type, bool standsAlone, Lock runtimeLock) =>
        FieldOffsets.Of(type, "root", "_root") is { } root && FieldOffsets.Of(type, "count", "_count") is { } count
            ? new TreeLayout(CollectionKind.SortedSet, name, null, root, count, standsAlone, type.Heap.Runtime, runtimeLock)
            : null;

    /// <summary>Makes the layout of a sorted dictionary, or null when the type has not the fields that are known.</summary>
    public static TreeLayout? OfDictionary(string name, ClrType type, Lock runtimeLock)
    {
        // The set's fields have the same offsets for all elements: it begins with references and numbers.
        ClrType? set = type.GetFieldByName("_set")?.Type;
        for (; set is not null && set.GetFieldByName("root") is null; set = set.BaseType)
        {
        }

        return set is not null && FieldOffsets.Of(type, "_set") is { } inner && FieldOffsets.Of(set, "root") is { } root
            && FieldOffsets.Of(set, "count") is { } count
            ? new TreeLayout(CollectionKind.SortedDictionary, name, inner, root, count, true, type.Heap.Runtime, runtimeLock)
            : null;
    }

    /// <inheritdoc/>
    public override ulong Storage(CollectionMemory memory, ulong address) => _inner is { } field ? memory.Pointer(address + (ulong)field) : address;

    /// <inheritdoc/>
    public override CollectionState Check(CollectionMemory memory, ulong address)
    {
        ulong set = Storage(memory, address);
        if (set == 0)
        {
            return new CollectionState(0, []);
        }

        ulong root = memory.Pointer(set + (ulong)_root);
        int count = memory.Int32(set + (ulong)_count);
        return new CollectionState(count, _nodes.Check(memory, count).Run(root));
    }

    /// <summary>The cycle that the root leads to: its nodes from the lowest address on; empty for none.</summary>
    /// <param name="memory">Where the tree lies.</param>
    /// <param name="address">The collection.</param>
    /// <exception cref="MissingMemoryException">A part of the tree cannot be read.</exception>
    public ImmutableArray<ulong> Cycle(CollectionMemory memory, ulong address) =>
        Storage(memory, address) is not 0 and var set
            ? _nodes.Check(memory, TreeNodeFields.MostNodes).CycleBelow(memory.Pointer(set + (ulong)_root))
            : [];
}
