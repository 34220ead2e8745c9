using Dump.Model.Collections;
using Microsoft.Diagnostics.Runtime;

namespace Dump.Clr.Collections;

/// <summary>A <c>SortedSet</c>, or a <c>SortedDictionary</c> through its set. Nodes are objects of one class, so their fields are looked up once.</summary>
internal sealed class TreeLayout : CollectionLayout
{
    private readonly int? _inner;
    private readonly int _root;
    private readonly int _count;
    private readonly NodeFields _left;
    private readonly NodeFields _right;

    private TreeLayout(CollectionKind kind, string name, int? inner, int root, int count, bool standsAlone, ClrRuntime runtime, Lock runtimeLock)
        : base(kind, name)
    {
        (_inner, _root, _count, StandsAlone) = (inner, root, count, standsAlone);
        _left = new NodeFields(runtime, runtimeLock, "<Left>k__BackingField", "Left", "_left");
        _right = new NodeFields(runtime, runtimeLock, "<Right>k__BackingField", "Right", "_right");
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
        TreeCheck check = new(count, node => _left.Read(memory, node), node => _right.Read(memory, node), memory.Charge);
        return new CollectionState(count, check.Run(root));
    }
}
