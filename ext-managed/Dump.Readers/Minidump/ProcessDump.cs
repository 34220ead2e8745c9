using System.Buffers.Binary;

namespace Dump.Readers.Minidump;

/// <summary>
/// Makes of a small dump that describes a process the dump with all memory that could have been written at the same moment: its streams as they are, without
/// the memory that it holds, and a Memory64List of all that its MemoryInfoList says can be read.
/// </summary>
internal static class ProcessDump
{
    private const int Alignment = 8;

    /// <summary>Lays the dump out.</summary>
    /// <param name="name">What the small dump is called in messages.</param>
    /// <param name="description">The small dump.</param>
    /// <param name="memory">Reads the process.</param>
    /// <param name="pages">What was read of it already.</param>
    /// <param name="limits">Limits on what it says.</param>
    /// <exception cref="InvalidDumpException">The small dump cannot be read, or does not say which memory there is.</exception>
    public static FileBytes Of(string name, byte[] description, IMemory memory, ProcessPages pages, ReadLimits limits)
    {
        using MinidumpFile small = MinidumpReader.Read(FileBytes.Wrap(description), name, limits);
        MinidumpStream[] streams = [.. small.Streams.Where(s => s.Type is not (MinidumpLayout.MemoryListStream or MinidumpLayout.Memory64ListStream))];
        MinidumpMemoryRegion[] regions = [.. (small.MemoryRegions ?? []).Where(IsReadable)];
        if (regions.Length == 0)
        {
            throw new InvalidDumpException($"{name}: this description of a process does not say which memory the process has; give the command again with -full");
        }

        int list = Aligned(description.Length);
        int directory = list + MinidumpLayout.Memory64HeaderSize + regions.Length * MinidumpLayout.MemoryDescriptorSize;
        int end = Aligned(directory + (streams.Length + 1) * MinidumpLayout.DirectoryEntrySize);
        byte[] head = new byte[end];
        description.CopyTo(head, 0);
        WriteHeader(head, streams.Length + 1, directory);
        WriteDirectory(head.AsSpan(directory), [.. streams, new(MinidumpLayout.Memory64ListStream, new FileRange(list, directory - list))]);
        return new ProcessBytes(head, WriteMemoryList(head.AsSpan(list), regions, end, name), memory, pages);
    }

    /// <summary>What the writer of a dump with all memory would have written.</summary>
    private static bool IsReadable(MinidumpMemoryRegion region) =>
        region.State == MinidumpLayout.MemoryStateCommit && region.Size > 0
        && (region.Protect & (MinidumpLayout.MemoryProtectNoAccess | MinidumpLayout.MemoryProtectGuard)) == 0
        && region.Address % ProcessPages.PageSize == 0 && region.Size % ProcessPages.PageSize == 0 && region.Size - 1 <= ulong.MaxValue - region.Address;

    private static int Aligned(int length) => (length + Alignment - 1) / Alignment * Alignment;

    private static void WriteHeader(Span<byte> head, int streams, int directory)
    {
        BinaryPrimitives.WriteInt32LittleEndian(head[MinidumpLayout.HeaderStreamCount..], streams);
        BinaryPrimitives.WriteInt32LittleEndian(head[MinidumpLayout.HeaderDirectory..], directory);
        Span<byte> flags = head[MinidumpLayout.HeaderFlags..];
        BinaryPrimitives.WriteUInt64LittleEndian(flags, BinaryPrimitives.ReadUInt64LittleEndian(flags) | MinidumpLayout.FlagFullMemory);
    }

    private static void WriteDirectory(Span<byte> directory, MinidumpStream[] streams)
    {
        foreach (MinidumpStream stream in streams)
        {
            BinaryPrimitives.WriteUInt32LittleEndian(directory, stream.Type);
            BinaryPrimitives.WriteUInt32LittleEndian(directory[MinidumpLayout.DirectorySize..], (uint)stream.Range.Size);
            BinaryPrimitives.WriteUInt32LittleEndian(directory[MinidumpLayout.DirectoryRva..], (uint)stream.Range.Offset);
            directory = directory[MinidumpLayout.DirectoryEntrySize..];
        }
    }

    private static MinidumpMemoryRange[] WriteMemoryList(Span<byte> list, MinidumpMemoryRegion[] regions, long start, string name)
    {
        BinaryPrimitives.WriteInt64LittleEndian(list, regions.Length);
        BinaryPrimitives.WriteInt64LittleEndian(list[MinidumpLayout.Memory64BaseRva..], start);
        list = list[MinidumpLayout.Memory64HeaderSize..];
        MinidumpMemoryRange[] ranges = new MinidumpMemoryRange[regions.Length];
        for (int i = 0; i < regions.Length; i++)
        {
            if (regions[i].Size > (ulong)(long.MaxValue - start))
            {
                throw new InvalidDumpException($"{name}: this description of a process claims more memory than there can be");
            }

            BinaryPrimitives.WriteUInt64LittleEndian(list, regions[i].Address);
            BinaryPrimitives.WriteUInt64LittleEndian(list[MinidumpLayout.Memory64Size..], regions[i].Size);
            list = list[MinidumpLayout.MemoryDescriptorSize..];
            ranges[i] = new MinidumpMemoryRange(regions[i].Address, new FileRange(start, (long)regions[i].Size));
            start += (long)regions[i].Size;
        }

        return ranges;
    }
}

/// <summary>
/// The bytes of a dump that nobody has written: a head, and behind it memory that is read from a process when it is asked for. Safe for concurrent use.
/// </summary>
/// <param name="head">The bytes before the memory.</param>
/// <param name="ranges">The memory, whole pages, one range behind the other.</param>
/// <param name="memory">Reads the process, which must stand still.</param>
/// <param name="pages">What was read of it already.</param>
internal sealed class ProcessBytes(byte[] head, MinidumpMemoryRange[] ranges, IMemory memory, ProcessPages pages) : FileBytes
{
    // Systems divide memory where its protection changes; it may be read across.
    private readonly (ulong First, ulong End)[] _runs = Runs(ranges);

    public override long Length { get; } = ranges.Length == 0 ? head.Length : ranges[^1].Bytes.Offset + ranges[^1].Bytes.Size;

    public override int Read(long offset, Span<byte> destination)
    {
        if (offset < 0 || offset >= Length)
        {
            return 0;
        }

        int done = 0;
        if (offset < head.Length)
        {
            done = (int)Math.Min(destination.Length, head.Length - offset);
            head.AsSpan((int)offset, done).CopyTo(destination);
        }

        while (done < destination.Length && offset + done < Length)
        {
            int index = Find(offset + done);
            MinidumpMemoryRange range = ranges[index];
            long skip = offset + done - range.Bytes.Offset;
            int wanted = (int)Math.Min(destination.Length - done, range.Bytes.Size - skip);
            int count = pages.Read(_runs[index], range.Address + (ulong)skip, destination.Slice(done, wanted), memory);
            done += count;
            if (count < wanted)
            {
                break;
            }
        }

        return done;
    }

    /// <summary>The memory without a gap in which each range lies.</summary>
    private static (ulong First, ulong End)[] Runs(MinidumpMemoryRange[] ranges)
    {
        (ulong First, ulong End)[] runs = new (ulong, ulong)[ranges.Length];
        for (int start = 0, next; start < ranges.Length; start = next)
        {
            next = start + 1;
            while (next < ranges.Length && ranges[next].Address == ranges[next - 1].Address + (ulong)ranges[next - 1].Bytes.Size)
            {
                next++;
            }

            ulong first = ranges[start].Address / ProcessPages.PageSize;
            runs.AsSpan(start, next - start).Fill((first, first + (ulong)ranges[start..next].Sum(r => r.Bytes.Size) / ProcessPages.PageSize));
        }

        return runs;
    }

    /// <summary>Index of the range that holds an offset.</summary>
    private int Find(long offset) => Math.Max(SortedSearch.CountUpTo<MinidumpMemoryRange>(ranges, (ulong)offset, r => (ulong)r.Bytes.Offset) - 1, 0);
}
