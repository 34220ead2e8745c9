using System.Runtime.InteropServices;

namespace Dump.Readers.Minidump;

/// <summary>Orders saved memory by address and resolves overlaps: of two ranges that hold the same address, the one listed first counts.</summary>
internal static class MemoryOrder
{
    public static MinidumpMemoryRange[] Sort(StreamReader reader, List<MinidumpMemoryRange> listed)
    {
        ReadOnlySpan<MinidumpMemoryRange> ranges = CollectionsMarshal.AsSpan(listed);
        if (IsOrdered(ranges))
        {
            return ranges.ToArray();
        }

        int[] order = new int[ranges.Length];
        ulong[] addresses = new ulong[ranges.Length];
        for (int i = 0; i < order.Length; i++)
        {
            order[i] = i;
            addresses[i] = ranges[i].Address;
        }

        Array.Sort(addresses, order);
        if (HasOverlaps(reader, ranges, order))
        {
            return Resolve(ranges, order);
        }

        MinidumpMemoryRange[] sorted = new MinidumpMemoryRange[order.Length];
        for (int i = 0; i < order.Length; i++)
        {
            sorted[i] = ranges[order[i]];
        }

        return sorted;
    }

    private static ulong End(MinidumpMemoryRange range) => range.Address + (ulong)range.Bytes.Size;

    private static bool IsOrdered(ReadOnlySpan<MinidumpMemoryRange> ranges)
    {
        for (int i = 1; i < ranges.Length; i++)
        {
            if (End(ranges[i - 1]) > ranges[i].Address)
            {
                return false;
            }
        }

        return true;
    }

    private static bool HasOverlaps(StreamReader reader, ReadOnlySpan<MinidumpMemoryRange> ranges, int[] order)
    {
        int overlaps = 0;
        ulong first = 0;
        ulong end = 0;
        foreach (int index in order)
        {
            if (ranges[index].Address < end && overlaps++ == 0)
            {
                first = ranges[index].Address;
            }

            end = Math.Max(end, End(ranges[index]));
        }

        if (overlaps > 0)
        {
            reader.Problem("memory", $"ranges that overlap others: {overlaps}, the first at 0x{first:x}; of two, the one listed first counts");
        }

        return overlaps > 0;
    }

    /// <summary>Sweeps over the addresses. The queue holds the ranges that contain the current address, the one listed first at its head.</summary>
    private static MinidumpMemoryRange[] Resolve(ReadOnlySpan<MinidumpMemoryRange> ranges, int[] order)
    {
        List<MinidumpMemoryRange> result = new(order.Length);
        PriorityQueue<int, int> current = new();
        ulong at = 0;
        int next = 0;
        int last = -1;
        while (next < order.Length || current.Count > 0)
        {
            if (current.Count == 0)
            {
                at = Math.Max(at, ranges[order[next]].Address);
            }

            for (; next < order.Length && ranges[order[next]].Address <= at; next++)
            {
                current.Enqueue(order[next], order[next]);
            }

            int head = current.Peek();
            if (End(ranges[head]) <= at)
            {
                current.Dequeue();
                continue;
            }

            ulong until = next < order.Length ? Math.Min(End(ranges[head]), ranges[order[next]].Address) : End(ranges[head]);
            Append(result, ranges[head], at, until, continues: head == last);
            last = head;
            at = until;
        }

        return [.. result];
    }

    private static void Append(List<MinidumpMemoryRange> result, MinidumpMemoryRange range, ulong from, ulong until, bool continues)
    {
        if (continues && result.Count > 0 && End(result[^1]) == from)
        {
            MinidumpMemoryRange before = result[^1];
            result[^1] = before with { Bytes = before.Bytes with { Size = before.Bytes.Size + (long)(until - from) } };
            return;
        }

        result.Add(new MinidumpMemoryRange(from, new FileRange(range.Bytes.Offset + (long)(from - range.Address), (long)(until - from))));
    }
}
