using System.Collections.Concurrent;
using Dump.Model.Collections;
using Microsoft.Diagnostics.Runtime;

namespace Dump.Clr.Collections;

/// <summary>A <c>Dictionary</c> or <c>HashSet</c>.</summary>
internal sealed class ChainedTableLayout : CollectionLayout
{
    private readonly ConcurrentDictionary<ulong, EntryLayout> _entryLayouts = [];
    private readonly ClrRuntime _runtime;
    private readonly Lock _runtimeLock;
    private readonly (int Buckets, int Entries, int Count, int FreeList, int? FreeCount, int? LastIndex) _fields;
    private readonly int _bucketBase;

    private ChainedTableLayout(
        CollectionKind kind, string name, ClrType type, Lock runtimeLock,
        (int Buckets, int Entries, int Count, int FreeList, int? FreeCount, int? LastIndex) fields)
        : base(kind, name)
    {
        _runtime = type.Heap.Runtime;
        _runtimeLock = runtimeLock;
        _fields = fields;
        _bucketBase = type.GetFieldByName("buckets") is not null ? 0 : 1;
        LoopsForEver = type.GetFieldByName("buckets") is not null || type.GetFieldByName("m_buckets") is not null;
    }

    /// <inheritdoc/>
    public override bool LoopsForEver { get; }

    /// <summary>Makes the layout, or null when the type has not the fields that are known.</summary>
    /// <param name="kind">Dictionary or set.</param>
    /// <param name="name">Type name (sanitised).</param>
    /// <param name="type">The type.</param>
    /// <param name="runtimeLock">Guards the use of the runtime.</param>
    public static ChainedTableLayout? Of(CollectionKind kind, string name, ClrType type, Lock runtimeLock)
    {
        // A set of .NET Core 3.1 and before counts its elements and remembers the last used entry instead of counting the free ones.
        int? last = FieldOffsets.Of(type, "_lastIndex", "m_lastIndex");
        int? free = FieldOffsets.Of(type, "_freeCount", "freeCount");
        return FieldOffsets.Of(type, "_buckets", "buckets", "m_buckets") is { } buckets
            && FieldOffsets.Of(type, "_entries", "entries", "_slots", "m_slots") is { } entries
            && FieldOffsets.Of(type, "_count", "count", "m_count") is { } count
            && FieldOffsets.Of(type, "_freeList", "freeList", "m_freeList") is { } freeList
            && (last ?? free) is not null
            ? new ChainedTableLayout(kind, name, type, runtimeLock, (buckets, entries, count, freeList, free, last))
            : null;
    }

    /// <inheritdoc/>
    public override CollectionState Check(CollectionMemory memory, ulong address)
    {
        ulong buckets = memory.Pointer(address + (ulong)_fields.Buckets);
        ulong entries = memory.Pointer(address + (ulong)_fields.Entries);
        int count = memory.Int32(address + (ulong)_fields.Count);
        if (buckets == 0 || entries == 0)
        {
            return new CollectionState(0, []);
        }

        TargetArray bucketArray = TargetArray.Open(memory, buckets, isSequential: true);
        TargetArray entryArray = TargetArray.Open(memory, entries, isSequential: false);
        if (bucketArray.ElementSize != sizeof(int))
        {
            throw new MissingMemoryException("its buckets are no numbers");
        }

        EntryLayout layout = LayoutOf(entryArray) ?? throw new MissingMemoryException("the type of its entries is unknown");
        int used = _fields.LastIndex is { } last ? memory.Int32(address + (ulong)last) : count;
        int free = _fields.FreeCount is { } freeCount ? memory.Int32(address + (ulong)freeCount) : unchecked(used - count);
        StoredHashChains table = new(bucketArray, entryArray, layout)
        {
            Count = used,
            FreeList = memory.Int32(address + (ulong)_fields.FreeList),
            FreeCount = free,
            BucketBase = _bucketBase,
            FreeIsEncoded = layout.FreeIsEncoded,
            ClearsEntriesFirst = _fields.LastIndex is not null,
        };
        return new CollectionState(unchecked(used - free), HashChainCheck.Check(table, memory.Charge)) { Table = table };
    }

    private EntryLayout? LayoutOf(TargetArray entries)
    {
        if (_entryLayouts.TryGetValue(entries.MethodTable, out EntryLayout? known))
        {
            return known;
        }

        lock (_runtimeLock)
        {
            EntryLayout? layout = ArrayElements.TypeOf(_runtime, entries.MethodTable) is { } type ? EntryLayout.Of(type, entries.ElementSize) : null;
            return layout is null ? null : _entryLayouts.GetOrAdd(entries.MethodTable, layout);
        }
    }
}
