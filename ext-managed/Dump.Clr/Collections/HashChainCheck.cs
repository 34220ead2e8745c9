using System.Collections.Immutable;
using Dump.Model;

namespace Dump.Clr.Collections;

/// <summary>Checks a hash table's chains: cycles, indexes out of range, entries in the wrong bucket, the free list, the count.</summary>
internal static class HashChainCheck
{
    private const int MostFaults = 16;
    private const int StartOfFreeList = -3;
    private const int LongestPath = 64;

    /// <summary>Everything that is broken; empty for a sound table. Takes time in proportion to the table.</summary>
    public static ImmutableArray<CollectionFault> Check(HashChains table)
    {
        List<CollectionFault> faults = [];
        if (table.Count < 0 || table.Count > table.Next.Length)
        {
            faults.Add(new CollectionFault(CollectionFaultKind.CountMismatch, $"count {table.Count} of {table.Next.Length} entries", []));
            return [.. faults];
        }

        int[] passedFrom = new int[table.Next.Length];
        int reached = 0;
        for (int bucket = 0; bucket < table.Buckets.Length && faults.Count < MostFaults; bucket++)
        {
            reached += Follow(table, bucket, passedFrom, faults);
        }

        CheckFreeList(table, passedFrom, faults);
        int expected = table.Count - table.FreeCount;
        if (faults.Count == 0 && reached != expected)
        {
            faults.Add(new CollectionFault(CollectionFaultKind.CountMismatch, $"{reached} entries are reachable, {expected} are counted", []));
        }

        return [.. faults.OrderBy(f => f.Kind)];
    }

    private static int Follow(HashChains table, int bucket, int[] passedFrom, List<CollectionFault> faults)
    {
        int reached = 0;
        int index = table.Buckets[bucket] - table.BucketBase;
        int mark = bucket + 1;
        List<int> path = [];
        while (index != -1)
        {
            if ((uint)index >= (uint)table.Count)
            {
                faults.Add(new CollectionFault(CollectionFaultKind.IndexOutOfRange, $"bucket {bucket} leads to entry {index} of {table.Count}", [.. path.Take(LongestPath)]));
                return reached;
            }

            path.Add(index);
            if (passedFrom[index] == mark)
            {
                faults.Add(new CollectionFault(CollectionFaultKind.BucketCycle, $"bucket {bucket}: {Chain(path)}", [.. path.TakeLast(LongestPath)]));
                return reached;
            }

            if (passedFrom[index] != 0)
            {
                faults.Add(new CollectionFault(CollectionFaultKind.WrongBucket, $"entry {index} is reached from bucket {passedFrom[index] - 1} and from bucket {bucket}", [.. path.TakeLast(LongestPath)]));
                return reached;
            }

            passedFrom[index] = mark;
            reached++;
            if (table.HashCodes[index] % (uint)table.Buckets.Length != (uint)bucket)
            {
                faults.Add(new CollectionFault(CollectionFaultKind.WrongBucket, $"entry {index} is in bucket {bucket}, its hash code belongs to bucket {table.HashCodes[index] % (uint)table.Buckets.Length}", []));
            }

            index = table.Next[index];
        }

        return reached;
    }

    private static void CheckFreeList(HashChains table, int[] passedFrom, List<CollectionFault> faults)
    {
        if (table.FreeCount <= 0 || faults.Count >= MostFaults)
        {
            return;
        }

        int index = table.FreeList;
        bool[] free = new bool[table.Next.Length];
        for (int i = 0; i < table.FreeCount; i++)
        {
            if ((uint)index >= (uint)table.Count)
            {
                faults.Add(new CollectionFault(CollectionFaultKind.IndexOutOfRange, $"the free list leads to entry {index} of {table.Count}", []));
                return;
            }

            if (free[index] || passedFrom[index] != 0)
            {
                string what = free[index] ? "leads back to entry" : "contains the used entry";
                faults.Add(new CollectionFault(CollectionFaultKind.FreeListCycle, $"the free list {what} {index}", []));
                return;
            }

            free[index] = true;
            index = table.FreeIsEncoded ? StartOfFreeList - table.Next[index] : table.Next[index];
        }

        if (index != -1)
        {
            faults.Add(new CollectionFault(CollectionFaultKind.FreeListCycle, $"the free list goes on after its {table.FreeCount} entries, to entry {index}", []));
        }
    }

    private static string Chain(List<int> path)
    {
        const int Shown = 12;
        IEnumerable<string> steps = path.TakeLast(Shown).Select(i => $"entries[{i}]");
        return (path.Count > Shown ? "... -> " : "") + string.Join(" -> ", steps);
    }
}
