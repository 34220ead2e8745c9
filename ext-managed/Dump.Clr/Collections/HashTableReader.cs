using System.Buffers.Binary;
using Microsoft.Diagnostics.Runtime;

namespace Dump.Clr.Collections;

/// <summary>
/// Reads the chains of a <c>Dictionary</c> or <c>HashSet</c> from memory. Field names differ by runtime (with and without underscore); offsets come from the type, because the runtime orders
/// fields itself. An array's element type is read from its method table, where the data-access library gives none (offset 0x30 of an array's method table, x64).
/// </summary>
internal static class HashTableReader
{
    private const int MostEntries = 50_000_000;
    private const int LargestEntry = 4_096;
    private const int ArrayData = 0x10;
    private const ulong ElementMethodTable = 0x30;

    /// <summary>Reads a table, or returns null when the object is none, is empty, or its memory is not in the dump.</summary>
    public static HashChains? Read(ClrObject table)
    {
        if (Field(table, "_buckets", "buckets", "m_buckets") is not { } bucketArray || Field(table, "_entries", "entries", "_slots", "m_slots") is not { } entryArray
            || Number(table, "_count", "count", "m_lastIndex", "_lastIndex") is not { } count)
        {
            return null;
        }

        bool isOld = table.Type!.GetFieldByName("buckets") is not null;
        int bucketCount = bucketArray.AsArray().Length;
        int entryCount = entryArray.AsArray().Length;
        ClrType? entryType = EntryType(entryArray);
        if (entryType is null || bucketCount is <= 0 or > MostEntries || entryCount is <= 0 or > MostEntries)
        {
            return null;
        }

        int size = entryArray.Type!.ComponentSize;

        ClrInstanceField? next = Find(entryType, "next", "Next");
        ClrInstanceField? hash = Find(entryType, "hashCode", "HashCode");
        if (size is <= 0 or > LargestEntry || next is null || hash is null || next.Offset < 0 || next.Offset + sizeof(int) > size || hash.Offset < 0 || hash.Offset + sizeof(int) > size)
        {
            return null;
        }

        return ReadChains(table, bucketArray, entryArray, count, bucketCount, entryCount, size, next.Offset, hash, isOld);
    }

    private static HashChains? ReadChains(
        ClrObject table, ClrObject bucketArray, ClrObject entryArray, int count, int bucketCount, int entryCount, int size, int next, ClrInstanceField hash, bool isOld)
    {
        IMemoryReader memory = table.Type!.Heap.Runtime.DataTarget.DataReader;
        byte[] bucketBytes = new byte[bucketCount * sizeof(int)];
        byte[] entryBytes = new byte[checked((long)entryCount * size)];
        if (memory.Read(bucketArray.Address + ArrayData, bucketBytes) != bucketBytes.Length || memory.Read(entryArray.Address + ArrayData, entryBytes) != entryBytes.Length)
        {
            return null;
        }

        int[] buckets = new int[bucketCount];
        Buffer.BlockCopy(bucketBytes, 0, buckets, 0, bucketBytes.Length);
        int[] links = new int[entryCount];
        uint[] hashes = new uint[entryCount];
        for (int i = 0; i < entryCount; i++)
        {
            ReadOnlySpan<byte> entry = entryBytes.AsSpan(i * size, size);
            links[i] = BinaryPrimitives.ReadInt32LittleEndian(entry[next..]);
            hashes[i] = BinaryPrimitives.ReadUInt32LittleEndian(entry[hash.Offset..]);
        }

        // Since .NET Core 3.0 the hash code is unsigned and a free entry's link is encoded; before, it is signed and the link is plain.
        bool freeIsEncoded = hash.ElementType == ClrElementType.UInt32 || hash.Name == "HashCode";
        return new HashChains(
            buckets, links, hashes, count,
            Number(table, "_freeList", "freeList", "m_freeList") ?? -1,
            Number(table, "_freeCount", "freeCount") ?? 0,
            isOld ? 0 : 1, freeIsEncoded);
    }

    private static ClrType? EntryType(ClrObject array)
    {
        if (array.Type?.ComponentType is { } known)
        {
            return known;
        }

        ClrRuntime? runtime = array.Type?.Heap.Runtime;
        return runtime is not null && runtime.DataTarget.DataReader.ReadPointer(array.Type!.MethodTable + ElementMethodTable, out ulong element)
            ? runtime.GetTypeByMethodTable(element)
            : null;
    }

    private static ClrInstanceField? Find(ClrType type, params ReadOnlySpan<string> names)
    {
        foreach (string name in names)
        {
            if (type.GetFieldByName(name) is { } field)
            {
                return field;
            }
        }

        return null;
    }

    private static ClrObject? Field(ClrObject target, params ReadOnlySpan<string> names)
    {
        foreach (string name in names)
        {
            if (target.Type?.GetFieldByName(name) is not null && target.TryReadObjectField(name, out ClrObject value))
            {
                return value is { IsNull: false, IsValid: true, IsArray: true } ? value : null;
            }
        }

        return null;
    }

    private static int? Number(ClrObject target, params ReadOnlySpan<string> names)
    {
        foreach (string name in names)
        {
            if (target.Type?.GetFieldByName(name) is not null && target.TryReadField(name, out int value))
            {
                return value;
            }
        }

        return null;
    }
}
