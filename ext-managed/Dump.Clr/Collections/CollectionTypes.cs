using System.Collections.Concurrent;
using System.Collections.Immutable;
using Dump.Clr.Heap;
using Dump.Model.Collections;
using Dump.Model.Text;
using Microsoft.Diagnostics.Runtime;

namespace Dump.Clr.Collections;

/// <summary>
/// Tells which types are collections that can be checked, classes derived from them included, and makes their
/// layouts. Asks the runtime once for each type. Safe for concurrent use.
/// </summary>
/// <param name="runtime">The runtime.</param>
/// <param name="onFault">Called for each type on which the data-access library fails; null where nobody asks.</param>
internal sealed class CollectionTypes(ClrRuntime runtime, Action? onFault = null) : IHeapTypes
{
    private const int LongestName = 512;
    private const int MostBaseTypes = 64;
    private const string Generic = "System.Collections.Generic.";
    private readonly ConcurrentDictionary<ulong, CollectionLayout?> _layouts = [];
    private readonly ConcurrentDictionary<ulong, TreeNodeLayout?> _nodes = [];
    private readonly Lock _runtimeLock = new();

    /// <inheritdoc/>
    public ulong FreeMethodTable { get; } = runtime.Heap.FreeType.MethodTable;

    /// <inheritdoc/>
    public bool TryResolve(ulong methodTable, out object? tag)
    {
        tag = null;
        lock (_runtimeLock)
        {
            try
            {
                if (runtime.GetTypeByMethodTable(methodTable) is not { } type)
                {
                    return false;
                }

                tag = LayoutOf(type) is { StandsAlone: true } layout ? layout : null;
                return true;
            }
            catch (Exception error) when (error is not OutOfMemoryException)
            {
                // The library documents no exceptions for damaged method tables; such a type is none.
                onFault?.Invoke();
                return false;
            }
        }
    }

    /// <summary>The layout of a type, or null when it is no collection that is known.</summary>
    public CollectionLayout? LayoutOf(ClrType type) => _layouts.GetOrAdd(type.MethodTable, _ => Make(type));

    /// <summary>The layout of a collection that is known by a node of this type alone, or null for any other type.</summary>
    public TreeNodeLayout? NodeLayoutOf(ClrType type) => _nodes.GetOrAdd(
        type.MethodTable, _ => type.Name is { } name ? TreeNodeLayout.Of(SafeText.Clean(name, LongestName), runtime, _runtimeLock) : null);

    private CollectionLayout? Make(ClrType type)
    {
        // A view of a sorted set keeps a root and a count of its own that are brought up to date only when it is used.
        if (type.Name is not { } fullName || fullName.Contains("+TreeSubSet", StringComparison.Ordinal) || type.IsArray || type.IsValueType)
        {
            return null;
        }

        ClrType? known = type;
        for (int i = 0; known is not null && CollectionKinds.OfType(known.Name) is null && i < MostBaseTypes; i++)
        {
            known = known.BaseType;
        }

        string name = SafeText.Clean(fullName, LongestName);
        bool standsAlone = known?.Name?.StartsWith(Generic + "TreeSet<", StringComparison.Ordinal) != true;
        return CollectionKinds.OfType(known?.Name) switch
        {
            CollectionKind.Hashtable => ProbedTableLayout.Of(name, type),
            CollectionKind.SortedSet => TreeLayout.OfSet(name, type, standsAlone, _runtimeLock),
            CollectionKind.SortedDictionary => TreeLayout.OfDictionary(name, type, _runtimeLock),
            CollectionKind.LinkedList => RingLayout.Of(name, type, _runtimeLock),
            { } kind when CollectionKinds.Of(kind).Shape == CollectionShape.Chains => ChainedTableLayout.Of(kind, name, type, _runtimeLock),
            _ => null,
        };
    }
}

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
