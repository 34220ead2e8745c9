using Dump.Model.Collections;
using Microsoft.Diagnostics.Runtime;

namespace Dump.Clr.Collections;

/// <summary>A <c>LinkedList</c>: a ring of nodes with links in both directions.</summary>
internal sealed class RingLayout : CollectionLayout
{
    private readonly int _head;
    private readonly int _count;
    private readonly NodeFields _next;
    private readonly NodeFields _previous;

    private RingLayout(string name, int head, int count, ClrRuntime runtime, Lock runtimeLock)
        : base(CollectionKind.LinkedList, name)
    {
        (_head, _count) = (head, count);
        _next = new NodeFields(runtime, runtimeLock, "next", "_next");
        _previous = new NodeFields(runtime, runtimeLock, "prev", "_prev");
    }

    /// <inheritdoc/>
    public override bool LoopsForEver => true;

    /// <summary>Makes the layout, or null when the type has not the fields that are known.</summary>
    public static RingLayout? Of(string name, ClrType type, Lock runtimeLock) =>
        FieldOffsets.Of(type, "head", "_head") is { } head && FieldOffsets.Of(type, "count", "_count") is { } count
            ? new RingLayout(name, head, count, type.Heap.Runtime, runtimeLock)
            : null;

    /// <inheritdoc/>
    public override CollectionState Check(CollectionMemory memory, ulong address)
    {
        ulong head = memory.Pointer(address + (ulong)_head);
        int count = memory.Int32(address + (ulong)_count);
        RingCheck check = new(count, node => _next.Read(memory, node), node => _previous.Read(memory, node), memory.Charge);
        return new CollectionState(count, check.Run(head));
    }
}
