using System.Collections.Immutable;
using Dump.Model.Collections;
using Microsoft.Diagnostics.Runtime;

namespace Dump.Clr.Collections;

/// <summary>
/// A <c>Hashtable</c>: one array of slots, searched by double hashing (step <c>1 + hash * 101 % (length - 1)</c>; dotnet/runtime <c>Hashtable.cs</c>). A search
/// visits each slot at most once, so it ends even without an empty slot; but a reader spins as long as the table says that a writer is at work.
/// </summary>
internal sealed class ProbedTableLayout : CollectionLayout
{
    private const int SlotSize = 24;
    private const int KeyOffset = 0;
    private const int HashOffset = 16;
    private const int MostFaults = 16;
    private readonly int _buckets;
    private readonly int _count;
    private readonly int _writing;

    private ProbedTableLayout(string name, int buckets, int count, int writing)
        : base(CollectionKind.Hashtable, name) => (_buckets, _count, _writing) = (buckets, count, writing);

    /// <inheritdoc/>
    public override bool LoopsForEver => true;

    /// <summary>Makes the layout, or null when the type has not the fields that are known.</summary>
    public static ProbedTableLayout? Of(string name, ClrType type) =>
        FieldOffsets.Of(type, "_buckets", "buckets") is { } buckets
        && FieldOffsets.Of(type, "_count", "count") is { } count
        && FieldOffsets.Of(type, "_isWriterInProgress", "isWriterInProgress") is { } writing
        ? new ProbedTableLayout(name, buckets, count, writing)
        : null;

    /// <inheritdoc/>
    public override CollectionState Check(CollectionMemory memory, ulong address)
    {
        Span<byte> writing = stackalloc byte[1];
        memory.Fill(address + (ulong)_writing, writing);
        ulong buckets = memory.Pointer(address + (ulong)_buckets);
        int count = memory.Int32(address + (ulong)_count);
        List<CollectionFault> faults = [];
        if (writing[0] != 0)
        {
            faults.Add(HalfDone(CollectionFaultKind.WriterFlag, "it says that a writer is at work"));
        }

        if (buckets != 0)
        {
            TargetArray slots = TargetArray.Open(memory, buckets, isSequential: false);
            if (slots.ElementSize != SlotSize)
            {
                throw new MissingMemoryException("its slots have an unknown form");
            }

            memory.Charge(slots.Length);
            CheckSlots(memory, slots, count, faults);
        }

        return new CollectionState(count, [.. faults.OrderBy(f => f.MayBeHalfDone)]);
    }

    private static void CheckSlots(CollectionMemory memory, TargetArray slots, int count, List<CollectionFault> faults)
    {
        int used = 0;
        bool hasEmpty = false;
        for (int i = 0; i < slots.Length; i++)
        {
            ulong key = slots.Pointer(i, KeyOffset);

            // A removed entry's key is the array itself.
            bool isUsed = key != 0 && key != slots.Address;
            used += isUsed ? 1 : 0;
            hasEmpty |= key == 0;
            if (isUsed && faults.Count < MostFaults && !IsFound(memory, slots, i))
            {
                faults.Add(HalfDone(CollectionFaultKind.WrongBucket, $"the entry in slot {i} is not found by its hash code", [i]));
            }
        }

        if (used == slots.Length)
        {
            faults.Add(new CollectionFault(CollectionFaultKind.NoEmptySlot, $"all {slots.Length} slots are used", []));
        }

        if (used != count)
        {
            faults.Add(HalfDone(CollectionFaultKind.CountMismatch, $"{used} slots are used, {count} are counted"));
        }
    }

    /// <summary>True when a search for the key in a slot comes by that slot: every slot before it on its way says that the search goes on.</summary>
    private static bool IsFound(CollectionMemory memory, TargetArray slots, int slot)
    {
        uint length = (uint)slots.Length;
        uint hash = (uint)slots.Int32(slot, HashOffset) & 0x7FFF_FFFF;
        uint step = length > 1 ? 1 + unchecked(hash * 101) % (length - 1) : 0;
        uint at = hash % length;
        for (uint i = 0; i < length; i++)
        {
            if (at == (uint)slot)
            {
                return true;
            }

            memory.Charge(1);
            if (slots.Int32((int)at, HashOffset) >= 0)
            {
                return false;
            }

            at = (uint)((at + (ulong)step) % length);
        }

        return false;
    }

    private static CollectionFault HalfDone(
        CollectionFaultKind kind, string text, ImmutableArray<int>? path = null) => new(kind, text, path ?? []) { MayBeHalfDone = true };
}
