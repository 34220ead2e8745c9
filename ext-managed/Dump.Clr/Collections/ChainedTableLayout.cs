using System.Collections.Concurrent;
using Dump.Clr.Heap;
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

/// <summary>
/// The element type of an array. The data-access library gives none for arrays of a collection's entries, so it is read from the array's method table.
/// </summary>
internal static class ArrayElements
{
    /// <summary>The type, or null when it cannot be read. The caller holds the runtime's lock.</summary>
    /// <param name="runtime">The runtime.</param>
    /// <param name="arrayMethodTable">Method table of the array.</param>
    public static ClrType? TypeOf(ClrRuntime runtime, ulong arrayMethodTable) =>
        runtime.GetTypeByMethodTable(arrayMethodTable)?.ComponentType
        ?? (runtime.DataTarget.DataReader.ReadPointer(arrayMethodTable + MethodTableLayout.ElementType, out ulong element)
            ? runtime.GetTypeByMethodTable(element)
            : null);
}

/// <summary>Where the fields of an entry of a hash table are, as the runtime has ordered them.</summary>
/// <param name="Size">Size of an entry, bytes.</param>
/// <param name="Next">Offset of the link.</param>
/// <param name="HashCode">Offset of the hash code.</param>
/// <param name="FreeIsEncoded">True when free entries store their links encoded.</param>
/// <param name="Key">Field of the key or of the set's value.</param>
/// <param name="Value">Field of the value, or null in a set.</param>
internal sealed record EntryLayout(int Size, int Next, int HashCode, bool FreeIsEncoded, ClrInstanceField? Key, ClrInstanceField? Value)
{
    /// <summary>Reads it from the entry's type, or returns null when that is no entry of a hash table.</summary>
    /// <param name="entry">The type of the entries.</param>
    /// <param name="size">Size of an entry by its array, bytes.</param>
    public static EntryLayout? Of(ClrType entry, int size)
    {
        ClrInstanceField? next = entry.GetFieldByName("next") ?? entry.GetFieldByName("Next");
        ClrInstanceField? hash = entry.GetFieldByName("hashCode") ?? entry.GetFieldByName("HashCode");
        if (next is null || hash is null || !Fits(next, size) || !Fits(hash, size))
        {
            return null;
        }

        // Since .NET Core 3.0 a dictionary's hash code is unsigned and a free entry's link is encoded; before, it is signed and the link is plain. Sets
        // followed with .NET 5.
        return new EntryLayout(
            size, next.Offset, hash.Offset, hash.ElementType == ClrElementType.UInt32 || hash.Name == "HashCode",
            entry.GetFieldByName("key") ?? entry.GetFieldByName("value") ?? entry.GetFieldByName("Value"),
            entry.GetFieldByName("key") is null ? null : entry.GetFieldByName("value"));
    }

    private static bool Fits(ClrInstanceField field, int size) => field.Offset >= 0 && field.Offset <= size - sizeof(int);
}
