using System.Collections.Immutable;
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

/// <summary>
/// Checks a ring of nodes: forwards it must come back to its head and to no other node; backwards each node
/// must name the one before it. Takes no memory a node (Brent's cycle search).
/// </summary>
/// <param name="count">How many nodes the list says it has.</param>
/// <param name="next">Reads the next node, 0 for none.</param>
/// <param name="previous">Reads the previous node, 0 for none.</param>
/// <param name="charge">Told how many nodes are about to be passed; may end the check by an exception.</param>
internal sealed class RingCheck(int count, Func<ulong, ulong> next, Func<ulong, ulong> previous, Action<int>? charge = null)
{
    private const int MostNodes = 100_000_000;

    /// <summary>What does not fit.</summary>
    /// <param name="head">First node, 0 for an empty list.</param>
    /// <exception cref="MissingMemoryException">The list is too long to be followed.</exception>
    public ImmutableArray<CollectionFault> Run(ulong head)
    {
        int passed = 0;
        CollectionFault? disagreement = null;

        // Brent: the marked node is moved on at every power of two, so that a ring which leaves the head out is met again within it.
        ulong node = head, marked = 0;
        int sinceMark = 0, reach = 1;
        while (node != 0 && passed < MostNodes)
        {
            charge?.Invoke(1);
            ulong following = next(node);
            passed++;
            if (following == 0)
            {
                return [new CollectionFault(CollectionFaultKind.BrokenLink, $"node 0x{node:x} has no next node", [])];
            }

            if (disagreement is null && previous(following) != node)
            {
                disagreement = HalfDone(CollectionFaultKind.BrokenLink,
                    $"node 0x{node:x} is followed by node 0x{following:x}, which names 0x{previous(following):x} as the one before it");
            }

            if (following == head)
            {
                return Ended(passed, disagreement);
            }

            if (following == marked)
            {
                return [Stray(head, sinceMark + 1)];
            }

            if (++sinceMark == reach)
            {
                (marked, sinceMark, reach) = (following, 0, reach * 2);
            }

            node = following;
        }

        return node == 0 ? Ended(passed, disagreement) : throw new MissingMemoryException($"the list has more than {MostNodes} nodes");
    }

    private ImmutableArray<CollectionFault> Ended(int passed, CollectionFault? disagreement)
    {
        CollectionFault? mismatch = passed == count ? null : HalfDone(CollectionFaultKind.CountMismatch, $"{passed} nodes are reachable, {count} are counted");
        return [.. new[] { disagreement, mismatch }.OfType<CollectionFault>()];
    }

    /// <summary>
    /// The ring leaves the head out. The removal of the head takes it out of the ring, in both directions,
    /// before the list gets its new head, which is the next node.
    /// </summary>
    private CollectionFault Stray(ulong head, int length)
    {
        ulong ahead = head, behind = head;
        for (int i = 0; i < length; i++)
        {
            charge?.Invoke(1);
            ahead = next(ahead);
        }

        while (ahead != behind)
        {
            charge?.Invoke(1);
            (ahead, behind) = (next(ahead), next(behind));
        }

        return new CollectionFault(
            CollectionFaultKind.NodeCycle,
            $"the list comes back to node 0x{ahead:x}, which is not its head 0x{head:x}, and goes round {length} node{(length == 1 ? "" : "s")} for ever", [])
        {
            MayBeHalfDone = ahead == next(head) && length == count - 1 && previous(ahead) != head,
        };
    }

    private static CollectionFault HalfDone(CollectionFaultKind kind, string text) => new(kind, text, []) { MayBeHalfDone = true };
}
