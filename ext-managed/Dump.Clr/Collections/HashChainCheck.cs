using System.Collections;
using System.Collections.Immutable;
using Dump.Model.Collections;

namespace Dump.Clr.Collections;

/// <summary>
/// Checks a hash table's chains: cycles, indexes out of range, entries in the wrong bucket, the free list, the count. Takes time in proportion to the table and
/// a bit of memory an entry. What a sound table looks like in the middle of an insertion, removal, resize, trim or clear by one thread is marked as such; it
/// never has a cycle or a chain to a place that does not exist.
/// </summary>
internal static class HashChainCheck
{
    private const int MostFaults = 16;
    private const int StartOfFreeList = -3;
    private const int LongestPath = 64;

    /// <summary>Everything that is broken; empty for a sound table.</summary>
    /// <param name="table">The table.</param>
    /// <param name="charge">Told how many entries are about to be passed; may end the check by an exception.</param>
    public static ImmutableArray<CollectionFault> Check(HashChains table, Action<int>? charge = null)
    {
        List<CollectionFault> faults = [];
        if (table.Count < 0 || table.Count > table.EntryCount)
        {
            return [HalfDone(CollectionFaultKind.CountMismatch, $"count {table.Count} of {table.EntryCount} entries")];
        }

        bool isResized = table.BucketCount != table.EntryCount;
        if (isResized)
        {
            faults.Add(HalfDone(CollectionFaultKind.CountMismatch,
                $"{table.BucketCount} buckets but room for {table.EntryCount} entries: a resize that is not finished"));
        }

        charge?.Invoke(table.Count + table.BucketCount);
        BitArray passed = new(table.Count);
        int reached = 0;
        for (int bucket = 0; bucket < table.BucketCount && faults.Count < MostFaults; bucket++)
        {
            reached += Follow(table, bucket, passed, faults, checkBucket: !isResized, charge);
        }

        CheckFreeList(table, passed, faults);
        int expected = table.Count - table.FreeCount;
        if (faults.Count == 0 && reached != expected)
        {
            faults.Add(HalfDone(CollectionFaultKind.CountMismatch, $"{reached} entries are reachable, {expected} are counted"));
        }

        return [.. faults.OrderBy(f => f.MayBeHalfDone).ThenBy(f => f.Kind)];
    }

    private static int Follow(HashChains table, int bucket, BitArray passed, List<CollectionFault> faults, bool checkBucket, Action<int>? charge)
    {
        int reached = 0;
        int index = table.Bucket(bucket) - table.BucketBase;
        while (index != -1)
        {
            if ((uint)index >= (uint)table.Count)
            {
                faults.Add(new CollectionFault(CollectionFaultKind.IndexOutOfRange, $"bucket {bucket} leads to entry {index} of {table.Count}",
                    [.. Path(table, bucket, reached, index, out _)]));
                return reached;
            }

            if (passed[index])
            {
                charge?.Invoke(reached + 1);
                faults.Add(Repeated(table, bucket, reached, index));
                return reached;
            }

            passed[index] = true;
            reached++;
            uint home = table.HashCode(index) % (uint)table.BucketCount;
            if (checkBucket && home != (uint)bucket && faults.Count < MostFaults)
            {
                faults.Add(HalfDone(CollectionFaultKind.WrongBucket, $"entry {index} is in bucket {bucket}, its hash code belongs to bucket {home}", [index]));
            }

            index = table.Next(index);
        }

        return reached;
    }

    /// <summary>An entry that was passed before: in this chain it makes a cycle, in another one both chains end alike.</summary>
    private static CollectionFault Repeated(HashChains table, int bucket, int reached, int index)
    {
        Queue<int> path = Path(table, bucket, reached, index, out bool isCycle);
        path.Enqueue(index);
        if (!isCycle)
        {
            return HalfDone(CollectionFaultKind.WrongBucket, $"entry {index} is reached from bucket {bucket} and from another one", [.. path]);
        }

        bool mayBeCleared = table.ClearsEntriesFirst && index == 0 && table.HashCode(0) == 0;
        return new CollectionFault(CollectionFaultKind.BucketCycle, $"bucket {bucket}: {Chain(path, reached)}", [.. path]) { MayBeHalfDone = mayBeCleared };
    }

    private static void CheckFreeList(HashChains table, BitArray passed, List<CollectionFault> faults)
    {
        if (table.FreeCount <= 0 || faults.Count >= MostFaults)
        {
            return;
        }

        int index = table.FreeList;
        BitArray free = new(table.Count);
        int length = 0;
        for (; length < table.FreeCount && index != -1; length++)
        {
            if ((uint)index >= (uint)table.Count)
            {
                faults.Add(HalfDone(CollectionFaultKind.IndexOutOfRange, $"the free list leads to entry {index} of {table.Count}"));
                return;
            }

            if (free[index] || passed[index])
            {
                string what = free[index] ? "leads back to entry" : "contains the used entry";
                faults.Add(new CollectionFault(CollectionFaultKind.FreeListCycle, $"the free list {what} {index}", [index]));
                return;
            }

            free[index] = true;
            int next = table.Next(index);
            index = table.FreeIsEncoded ? StartOfFreeList - next : next;
        }

        if (index != -1 && (uint)index < (uint)table.Count && free[index])
        {
            faults.Add(new CollectionFault(CollectionFaultKind.FreeListCycle, $"the free list leads back to entry {index}", [index]));
        }
        else if (index != -1 || length < table.FreeCount)
        {
            faults.Add(HalfDone(CollectionFaultKind.CountMismatch,
                $"the free list has {(index != -1 ? "more than " : "")}{length} entries, {table.FreeCount} are counted"));
        }
    }

    /// <summary>The last entries of a chain, and whether another one is anywhere in it.</summary>
    private static Queue<int> Path(HashChains table, int bucket, int steps, int sought, out bool contains)
    {
        Queue<int> path = new(LongestPath + 1);
        int index = table.Bucket(bucket) - table.BucketBase;
        contains = false;
        for (int i = 0; i < steps; i++)
        {
            if (path.Count == LongestPath - 1)
            {
                path.Dequeue();
            }

            path.Enqueue(index);
            contains |= index == sought;
            index = table.Next(index);
        }

        return path;
    }

    private static CollectionFault HalfDone(
        CollectionFaultKind kind, string text, ImmutableArray<int>? path = null) => new(kind, text, path ?? []) { MayBeHalfDone = true };

    /// <summary>The chain as <c>entries[7].next -> 12 -> 7</c>.</summary>
    private static string Chain(Queue<int> path, int steps)
    {
        const int Shown = 12;
        int[] shown = [.. path.TakeLast(Shown)];
        return $"{(steps + 1 > Shown ? "... -> " : "")}entries[{shown[0]}].next -> {string.Join(" -> ", shown.Skip(1))}";
    }
}
