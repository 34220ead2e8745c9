using Dump.Readers.Minidump;
using Dump.Testing.Synthetic;

namespace Dump.Readers.Tests.Minidump;

/// <summary>Of two saved ranges that hold the same address the one listed first counts, whichever begins first.</summary>
public sealed class OverlappingMemoryTests
{
    private static readonly (ulong Address, int Size, byte Fill) s_low = (0x1000, 0x10, 0xAA);
    private static readonly (ulong Address, int Size, byte Fill) s_high = (0x1008, 0x10, 0xBB);
    private static readonly (ulong Address, int Size, byte Fill) s_wide = (0x1000, 0x30, 0xCC);

    [Fact]
    public void The_lower_range_counts_when_it_is_listed_first() =>
        AssertMemory(List(s_low, s_high), 1, 0x1008, (0x10, 0xAA), (0x08, 0xBB));

    [Fact]
    public void The_higher_range_counts_when_it_is_listed_first() =>
        AssertMemory(List(s_high, s_low), 1, 0x1008, (0x08, 0xAA), (0x10, 0xBB));

    [Fact]
    public void A_range_within_another_counts_when_it_is_listed_first() =>
        AssertMemory(List(s_high, s_wide), 1, 0x1008, (0x08, 0xCC), (0x10, 0xBB), (0x18, 0xCC));

    [Fact]
    public void A_range_within_another_that_is_listed_first_does_not_count() =>
        AssertMemory(List(s_wide, s_high), 1, 0x1008, (0x30, 0xCC));

    [Fact]
    public void Three_ranges_are_resolved_piece_by_piece() =>
        AssertMemory(List(s_high, s_low, s_wide), 2, 0x1000, (0x08, 0xAA), (0x10, 0xBB), (0x18, 0xCC));

    [Fact]
    public void The_list_of_full_memory_comes_before_the_other()
    {
        RawMinidump file = new();
        int small = file.Data([.. Enumerable.Repeat(s_low.Fill, s_low.Size)]);
        int full = file.Data([.. Enumerable.Repeat(s_high.Fill, s_high.Size)]);
        file.Stream(5, new ByteWriter().UInt32(1).UInt64(s_low.Address).UInt32(s_low.Size).UInt32(small).ToArray());
        file.Stream(9, new ByteWriter().UInt64(1).UInt64((ulong)full).UInt64(s_high.Address).UInt64((ulong)s_high.Size).ToArray());
        AssertMemory(file, 1, 0x1008, (0x08, 0xAA), (0x10, 0xBB));
    }

    [Fact]
    public void Neighbours_do_not_overlap() =>
        AssertMemory(List((0x1010, 0x10, 2), (0x1000, 0x10, 1)), 0, 0x1000, (0x10, 1), (0x10, 2));

    [Fact]
    public void A_range_that_reaches_over_the_address_space_is_cut_at_its_end()
    {
        RawMinidump file = List((ulong.MaxValue - 0xF, 0x20, 7)).System().Thread();
        using MinidumpFile dump = MinidumpFile.FromBytes(file.ToArray());
        Assert.Equal(0xF, dump.Read(ulong.MaxValue - 0xF, new byte[0x20]));
        Assert.Equal(0, dump.Read(0, new byte[1]));
        Assert.Contains("not wholly in the file", Assert.Single(dump.Problems).Message, StringComparison.Ordinal);
    }

    private static RawMinidump List(params (ulong Address, int Size, byte Fill)[] ranges)
    {
        RawMinidump file = new();
        ByteWriter list = new ByteWriter().UInt32(ranges.Length);
        foreach ((ulong address, int size, byte fill) in ranges)
        {
            list.UInt64(address).UInt32(size).UInt32(file.Data([.. Enumerable.Repeat(fill, size)]));
        }

        return file.Stream(5, list.ToArray());
    }

    /// <summary>One read over all pieces, the first at 0x1000, gives the expected bytes and ends where they end.</summary>
    private static void AssertMemory(RawMinidump file, int overlaps, ulong firstOverlap, params (int Count, byte Fill)[] pieces)
    {
        byte[] expected = [];
        foreach ((int count, byte fill) in pieces)
        {
            expected = [.. expected, .. Enumerable.Repeat(fill, count)];
        }

        using MinidumpFile dump = MinidumpFile.FromBytes(file.System().Thread().ToArray());
        byte[] memory = new byte[expected.Length + 1];
        Assert.Equal(expected.Length, dump.Read(0x1000, memory));
        Assert.Equal(expected, memory[..^1]);
        Assert.Equal(
            overlaps == 0 ? [] : [$"ranges that overlap others: {overlaps}, the first at 0x{firstOverlap:x}; of two, the one listed first counts"],
            dump.Problems.Select(p => p.Message));
    }
}
