using System.Buffers.Binary;

namespace Dump.Testing.Synthetic;

/// <summary>
/// Rewrites an x64 minidump without the memory of its images, as a small dump has it: stacks, TEBs and heaps stay. Its memory stands in a MemoryList, which
/// every reader knows.
/// </summary>
public static class StrippedMinidump
{
    private const int ThreadListStream = 3;
    private const int ModuleListStream = 4;
    private const int MemoryListStream = 5;
    private const int Memory64ListStream = 9;
    private const int DirectoryEntrySize = 12;
    private const int ThreadSize = 48;
    private const int ThreadStack = 24;
    private const int ModuleSize = 108;
    private const int RangeSize = 16;

    // Heaps of this size say nothing about a stack.
    private const ulong LargestRange = 16 * 1024 * 1024;

    /// <summary>Rewrites a dump.</summary>
    /// <param name="dump">The dump.</param>
    /// <param name="writableTail">How many bytes at the end of each image stay: its writable data, which a small dump may have.</param>
    public static byte[] Of(byte[] dump, uint writableTail = 0)
    {
        int count = (int)UInt32(dump, 8);
        int directory = (int)UInt32(dump, 12);
        Dictionary<uint, int> entries = Enumerable.Range(0, count).Select(i => directory + i * DirectoryEntrySize)
            .GroupBy(at => UInt32(dump, at)).ToDictionary(g => g.Key, g => g.First());
        bool isLong = entries.TryGetValue(Memory64ListStream, out int memory);
        memory = isLong ? memory : entries[MemoryListStream];
        int list = (int)UInt32(dump, memory + 8);
        (ulong Begin, ulong End)[] modules = Modules(dump, (int)UInt32(dump, entries[ModuleListStream] + 8), writableTail);
        List<(ulong Address, ulong Size, ulong Position)> kept = [.. (isLong ? Ranges64(dump, list) : Ranges(dump, list)).SelectMany(r => Outside(r, modules))
            .Where(r => r.Size <= LargestRange)];

        // Behind a Memory64List's position only memory follows.
        ByteWriter w = new ByteWriter().Bytes(isLong ? dump.AsSpan(0, (int)UInt64(dump, list + 8)) : dump);
        int at = w.Length;
        int position = at + sizeof(uint) + kept.Count * RangeSize;
        w.UInt32(kept.Count);
        Dictionary<ulong, (ulong Size, int Position)> places = [];
        foreach ((ulong address, ulong size, _) in kept)
        {
            w.UInt64(address).UInt32((uint)size).UInt32(position);
            places[address] = (size, position);
            position += (int)size;
        }

        foreach ((_, ulong size, ulong from) in kept)
        {
            w.Bytes(dump.AsSpan((int)from, (int)size));
        }

        w.Patch(memory, MemoryListStream);
        w.Patch(memory + 4, (uint)(sizeof(uint) + kept.Count * RangeSize));
        w.Patch(memory + 8, (uint)at);
        PlaceStacks(w, dump, (int)UInt32(dump, entries[ThreadListStream] + 8), places);
        return w.ToArray();
    }

    /// <summary>Lets each thread's entry name where its stack is now.</summary>
    private static void PlaceStacks(ByteWriter w, byte[] dump, int threads, Dictionary<ulong, (ulong Size, int Position)> places)
    {
        for (int i = 0; i < UInt32(dump, threads); i++)
        {
            int entry = threads + sizeof(uint) + i * ThreadSize + ThreadStack;
            ulong start = UInt64(dump, entry);
            foreach ((ulong address, (ulong size, int position)) in places.Where(p => start >= p.Key && start < p.Key + p.Value.Size))
            {
                w.Patch(entry + 8, (uint)(address + size - start));
                w.Patch(entry + 12, (uint)(position + (int)(start - address)));
            }
        }
    }

    private static (ulong Begin, ulong End)[] Modules(byte[] dump, int list, uint tail) =>
        [.. Enumerable.Range(0, (int)UInt32(dump, list)).Select(i => list + sizeof(uint) + i * ModuleSize)
            .Select(at => (UInt64(dump, at), UInt64(dump, at) + UInt32(dump, at + 8) - tail))];

    private static IEnumerable<(ulong Address, ulong Size, ulong Position)> Ranges(byte[] dump, int list) =>
        Enumerable.Range(0, (int)UInt32(dump, list)).Select(i => list + sizeof(uint) + i * RangeSize)
            .Select(at => (UInt64(dump, at), (ulong)UInt32(dump, at + 8), (ulong)UInt32(dump, at + 12)));

    private static IEnumerable<(ulong Address, ulong Size, ulong Position)> Ranges64(byte[] dump, int list)
    {
        ulong position = UInt64(dump, list + 8);
        for (int i = 0; i < (int)UInt64(dump, list); i++)
        {
            int at = list + RangeSize + i * RangeSize;
            ulong size = UInt64(dump, at + 8);
            yield return (UInt64(dump, at), size, position);
            position += size;
        }
    }

    /// <summary>The parts of a range that no module covers.</summary>
    private static IEnumerable<(ulong Address, ulong Size, ulong Position)> Outside((ulong Address, ulong Size, ulong Position) range,
        (ulong Begin, ulong End)[] modules)
    {
        List<(ulong Begin, ulong End)> parts = [(range.Address, range.Address + range.Size)];
        foreach ((ulong begin, ulong end) in modules)
        {
            parts = [.. parts.SelectMany(p => new[] { (p.Begin, End: Math.Min(p.End, begin)), (Begin: Math.Max(p.Begin, end), p.End) })
                .Where(p => p.Item1 < p.Item2)];
        }

        return parts.Distinct().Select(p => (p.Begin, p.End - p.Begin, range.Position + (p.Begin - range.Address)));
    }

    private static uint UInt32(byte[] bytes, int at) => BinaryPrimitives.ReadUInt32LittleEndian(bytes.AsSpan(at));

    private static ulong UInt64(byte[] bytes, int at) => BinaryPrimitives.ReadUInt64LittleEndian(bytes.AsSpan(at));
}
