using System.Collections.Immutable;
using Dump.Clr.Heap;
using Dump.Model.Managed;

namespace Dump.Clr.Tests;

/// <summary>The walk over heaps made by hand: sizes, allocation contexts, damage.</summary>
public sealed class HeapWalkTests
{
    private const ulong Start = 0x100000;

    private static (HeapWalkFacts Facts, ulong[] Seen) Walk(SyntheticHeap heap, int? workers = 1, params HeapSegment[] segments)
    {
        (HeapWalkFacts facts, ImmutableArray<Collector> visitors) = HeapWalk.Run(heap, segments, heap, () => new Collector(), null, CancellationToken.None,
            workers);
        return (facts, [.. visitors.SelectMany(v => v.Seen).Order()]);
    }

    private static (HeapWalkFacts Facts, ulong[] Seen) WalkOne(SyntheticHeap heap, ulong length, params AllocationContext[] contexts) =>
        Walk(heap, 1, new HeapSegment(Start, Start + length, contexts));

    private static (HeapWalkFacts Facts, ulong[] Seen) Walk(params ulong[] words)
    {
        SyntheticHeap heap = new();
        heap.Words(Start, words);
        return WalkOne(heap, (ulong)words.Length * 8);
    }

    private static string Reason(HeapWalkFacts facts) => Assert.Single(facts.Stops).Reason;

    [Fact]
    public void Sizes_follow_from_base_elements_and_alignment()
    {
        (HeapWalkFacts facts, ulong[] seen) = Walk(
            SyntheticHeap.Plain, 0, 0,
            SyntheticHeap.Numbers, 3, 0, 0, 0,
            SyntheticHeap.Text, 2, 0, 0,
            SyntheticHeap.Free, 16, 0, 0, 0,
            SyntheticHeap.Wanted, 0, 0);
        Assert.Empty(facts.Stops);
        Assert.Equal((5, 20 * 8L, 5), (facts.Objects, facts.Bytes, facts.Types));
        Assert.Equal([Start + 17 * 8], seen);
    }

    [Fact]
    public void Marks_of_the_collector_do_not_change_the_type() => Assert.Equal([Start], Walk(SyntheticHeap.Wanted | 3, 0, 0).Seen);

    [Fact]
    public void Type_is_looked_up_once_whatever_the_number_of_workers()
    {
        SyntheticHeap heap = new();
        HeapSegment[] segments = [.. Enumerable.Range(0, 20).Select(i => new HeapSegment(Start + (ulong)i * 0x1000, Start + (ulong)i * 0x1000 + 48, []))];
        foreach (HeapSegment segment in segments)
        {
            heap.Words(segment.Start, SyntheticHeap.Wanted, 0, 0, SyntheticHeap.Plain, 0, 0);
        }

        (HeapWalkFacts facts, ulong[] seen) = Walk(heap, 4, segments);
        Assert.Equal((40, 20, 20), (facts.Objects, seen.Length, facts.Segments));
        Assert.Equal((1, 1), (heap.Asked[SyntheticHeap.Wanted], heap.Asked[SyntheticHeap.Plain]));
    }

    [Fact]
    public void Allocation_contexts_are_jumped_over()
    {
        SyntheticHeap heap = new();
        heap.Words(Start, [SyntheticHeap.Plain, 0, 0, .. Enumerable.Repeat(0xDEADUL, 13), SyntheticHeap.Wanted, 0, 0]);
        (HeapWalkFacts facts, ulong[] seen) = WalkOne(heap, 19 * 8, new AllocationContext(Start + 24, Start + 13 * 8));
        Assert.Empty(facts.Stops);
        Assert.Equal((2, 0), (facts.Objects, facts.Gaps));
        Assert.Equal([Start + 16 * 8], seen);
    }

    [Fact]
    public void Context_at_the_first_object_and_one_that_nothing_leads_to_do_no_harm()
    {
        SyntheticHeap heap = new();
        heap.Words(Start, 0, 0, 0, SyntheticHeap.Wanted, 0, 0, SyntheticHeap.Wanted, 0, 0);
        (HeapWalkFacts facts, ulong[] seen) = WalkOne(heap, 72, new AllocationContext(Start, Start), new AllocationContext(Start + 32, Start + 40));
        Assert.Empty(facts.Stops);
        Assert.Equal([Start + 24, Start + 48], seen);
    }

    [Fact]
    public void Object_that_is_being_made_is_passed_by_its_context()
    {
        SyntheticHeap heap = new();
        heap.Words(Start, SyntheticHeap.Plain, 0, 0, 0, 0, 0, 0, 0, 0, 0, SyntheticHeap.Wanted, 0, 0);
        (HeapWalkFacts facts, ulong[] seen) = WalkOne(heap, 13 * 8, new AllocationContext(Start + 7 * 8, Start + 7 * 8));
        Assert.Empty(facts.Stops);
        Assert.Equal((2, 1), (facts.Objects, facts.Gaps));
        Assert.Equal([Start + 80], seen);
    }

    /// <summary>Room that a thread has used up, and an object that is being made, lie between others without a context that tells of them.</summary>
    [Theory]
    [InlineData(2, 0ul, false)]
    [InlineData(3, 0ul, true)]
    [InlineData(2, 0x0800_0000_0000_0000ul, true)]
    [InlineData(1, 0x0800_0000_0000_0000ul, false)]
    [InlineData(2, 0x6666_6660ul, true)]
    [InlineData(31, 0ul, true)]
    [InlineData(32, 0ul, true)]
    [InlineData(33, 0ul, false)]
    public void Few_zeroes_in_front_of_an_object_are_passed(int zeroes, ulong header, bool isPassed)
    {
        ulong[] headers = header == 0 ? [] : [header];
        ulong[] words = [SyntheticHeap.Plain, 0, 0, .. new ulong[zeroes], .. headers, SyntheticHeap.Wanted, 0, 0];
        (HeapWalkFacts facts, ulong[] seen) = Walk(words);
        Assert.Equal((isPassed ? 0 : 1, isPassed ? 1 : 0), (facts.Stops.Length, facts.Gaps));
        Assert.Equal(isPassed ? [Start + ((ulong)words.Length - 3) * 8] : [], seen);
    }

    [Fact]
    public void Zeroes_without_context_end_the_segment()
    {
        (HeapWalkFacts facts, _) = Walk(SyntheticHeap.Plain, 0, 0, 0, 0, 0);
        HeapStop stop = Assert.Single(facts.Stops);
        Assert.Equal((Start, Start + 24, 24L, 1), (stop.SegmentStart, stop.Address, stop.BytesLeft, (int)facts.Objects));
    }

    [Fact]
    public void Unknown_type_ends_only_its_segment()
    {
        SyntheticHeap heap = new();
        heap.Words(Start, 0x6666_6660, 0, 0, SyntheticHeap.Wanted, 0, 0);
        heap.Words(Start + 0x1000, SyntheticHeap.Wanted, 0, 0);
        (HeapWalkFacts facts, ulong[] seen) = Walk(heap, 1, new HeapSegment(Start, Start + 48, []), new HeapSegment(Start + 0x1000, Start + 0x1018, []));
        Assert.Contains("no type", Reason(facts), StringComparison.Ordinal);
        Assert.Equal([Start + 0x1000], seen);
    }

    [Theory]
    [InlineData(SyntheticHeap.Numbers, 0xFFFF_FFFFUL)]
    [InlineData(SyntheticHeap.Numbers, 7UL)]
    [InlineData(SyntheticHeap.Free, ulong.MaxValue)]
    [InlineData(SyntheticHeap.Free, 0xFFFF_FFFF_FFFF_FFE8UL)]
    [InlineData(SyntheticHeap.Free, 1UL << 47)]
    public void Length_that_leaves_the_segment_ends_it(ulong type, ulong length)
    {
        (HeapWalkFacts facts, ulong[] seen) = Walk(type, length, 0, SyntheticHeap.Wanted, 0, 0);
        Assert.Contains("longer", Reason(facts), StringComparison.Ordinal);
        Assert.Empty(seen);
    }

    [Theory]
    [InlineData(0u)]
    [InlineData(8u)]
    [InlineData(uint.MaxValue)]
    public void Impossible_base_size_is_no_type(uint size)
    {
        SyntheticHeap heap = new();
        heap.Type(SyntheticHeap.Plain, 0, size);
        heap.Words(Start, SyntheticHeap.Plain, 0, 0);
        Assert.Contains("no type", Reason(WalkOne(heap, 24).Facts), StringComparison.Ordinal);
    }

    [Fact]
    public void Memory_that_was_cut_off_ends_the_segment_there()
    {
        SyntheticHeap heap = new();
        heap.Words(Start, SyntheticHeap.Wanted, 0, 0);
        (HeapWalkFacts facts, ulong[] seen) = WalkOne(heap, 0x10000);
        Assert.Contains("not in the dump", Reason(facts), StringComparison.Ordinal);
        Assert.Equal([Start], seen);
    }

    [Fact]
    public void What_lies_inside_a_large_object_is_not_needed()
    {
        SyntheticHeap heap = new();
        heap.Words(Start, SyntheticHeap.Numbers, 1_000_000);
        heap.Words(Start + 4_000_024, SyntheticHeap.Wanted, 0, 0);
        Assert.Equal([Start + 4_000_024], WalkOne(heap, 4_000_048).Seen);
    }

    [Fact]
    public void Random_bytes_neither_throw_nor_hang()
    {
        Random random = new(20_240_607);
        for (int round = 0; round < 300; round++)
        {
            SyntheticHeap heap = new();
            byte[] bytes = new byte[4096];
            random.NextBytes(bytes);
            for (int at = 0; at + 16 <= bytes.Length; at += 8 * random.Next(1, 6))
            {
                BitConverter.TryWriteBytes(bytes.AsSpan(at), SyntheticHeap.Plain + 0x100UL * (ulong)random.Next(0, 6));
                BitConverter.TryWriteBytes(bytes.AsSpan(at + 8), random.NextInt64(0, 40));
            }

            heap.Bytes(Start, bytes);
            HeapWalkFacts facts = WalkOne(heap, (ulong)random.Next(24, 5000),
                new AllocationContext(Start + (ulong)random.Next(0, 600) * 8, Start + (ulong)random.Next(0, 600) * 8)).Facts;
            Assert.InRange(facts.Objects, 0, 4096 / 24);
        }
    }

    [Fact]
    public void Walk_that_is_cancelled_ends()
    {
        SyntheticHeap heap = new();
        heap.Words(Start, SyntheticHeap.Plain, 0, 0);
        Assert.ThrowsAny<OperationCanceledException>(() => HeapWalk.Run(
            heap, [new HeapSegment(Start, Start + 24, [])], heap, () => new Collector(), null, new CancellationToken(canceled: true)));
    }

    private sealed class Collector : IHeapVisitor
    {
        public List<ulong> Seen { get; } = [];

        public void Visit(ulong address, HeapType type)
        {
            Assert.Equal("wanted", type.Tag);
            Seen.Add(address);
        }
    }
}
