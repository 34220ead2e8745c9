using Dump.Clr.Collections;
using Dump.Model.Collections;

namespace Dump.Clr.Tests;

/// <summary>The check of hash-table chains, on tables made by hand.</summary>
public sealed class HashChainCheckTests
{
    /// <summary>Entries 0 to 4 with hash codes 0, 3, 6, 1, 4 in five buckets: 0, 3 -> 2 (6 and 1 belong to bucket 1), 1, 4.</summary>
    private static ArrayHashChains Sound(int[]? buckets = null, int count = 5, int bucketBase = 1) =>
        new(buckets ?? [1, 4, 0, 2, 5], [-1, -1, -1, 2, -1], [0, 3, 6, 1, 4])
    {
        Count = count,
        FreeList = -1,
        FreeCount = 0,
        BucketBase = bucketBase,
        FreeIsEncoded = bucketBase == 1,
    };

    /// <summary>Entry 0 is used, 1 and 2 are free.</summary>
    private static ArrayHashChains WithFree(int[] next, int freeList = 2, int freeCount = 2, bool isEncoded = true, int count = 3) =>
        new([1, 0, 0], next, [0, 0, 0])
    {
        Count = count,
        FreeList = freeList,
        FreeCount = freeCount,
        BucketBase = 1,
        FreeIsEncoded = isEncoded,
    };

    private static CollectionFaultKind[] Kinds(HashChains table) => [.. HashChainCheck.Check(table).Select(f => f.Kind)];

    private static void IsHalfDone(CollectionFaultKind kind, HashChains table)
    {
        CollectionFault fault = Assert.Single(HashChainCheck.Check(table));
        Assert.Equal((kind, true), (fault.Kind, fault.MayBeHalfDone));
    }

    [Fact]
    public void A_sound_table_has_no_fault() => Assert.Empty(HashChainCheck.Check(Sound()));

    [Fact]
    public void The_old_layout_begins_at_zero() => Assert.Empty(HashChainCheck.Check(Sound([0, 3, -1, 1, 4], bucketBase: 0)));

    [Fact]
    public void A_cycle_is_shown_with_its_entries()
    {
        ArrayHashChains table = Sound();
        table.NextOf[2] = 3;
        CollectionFault fault = Assert.Single(HashChainCheck.Check(table));
        Assert.Equal((CollectionFaultKind.BucketCycle, false), (fault.Kind, fault.MayBeHalfDone));
        Assert.Equal([3, 2, 3], fault.Path.ToArray());
        Assert.Equal("bucket 1: entries[3].next -> 2 -> 3", fault.Text);
    }

    [Fact]
    public void An_entry_that_names_itself_is_a_cycle()
    {
        ArrayHashChains table = Sound();
        table.NextOf[4] = 4;
        CollectionFault fault = Assert.Single(HashChainCheck.Check(table));
        Assert.Equal("bucket 4: entries[4].next -> 4", fault.Text);
    }

    [Fact]
    public void A_long_way_into_a_cycle_is_cut()
    {
        const int Length = 200;
        ArrayHashChains table = new([1, .. new int[Length - 1]], [.. Enumerable.Range(1, Length - 1), Length - 2], new uint[Length])
        {
            Count = Length, FreeList = -1, FreeCount = 0, BucketBase = 1, FreeIsEncoded = true,
        };
        CollectionFault fault = HashChainCheck.Check(table)[0];
        Assert.Equal(CollectionFaultKind.BucketCycle, fault.Kind);
        Assert.Equal(64, fault.Path.Length);
        Assert.EndsWith(" -> 197 -> 198 -> 199 -> 198", fault.Text, StringComparison.Ordinal);
        Assert.StartsWith("bucket 0: ... -> entries[", fault.Text, StringComparison.Ordinal);
    }

    [Theory]
    [InlineData(5)]
    [InlineData(-2)]
    [InlineData(int.MaxValue)]
    public void A_link_to_no_entry_is_out_of_range(int next)
    {
        ArrayHashChains table = Sound();
        table.NextOf[0] = next;
        Assert.Equal(CollectionFaultKind.IndexOutOfRange, HashChainCheck.Check(table)[0].Kind);
        Assert.False(HashChainCheck.Check(table)[0].MayBeHalfDone);
    }

    [Fact]
    public void An_entry_in_the_bucket_of_another_hash_code_is_found()
    {
        ArrayHashChains table = Sound();
        table.HashCodes[1] = 5;
        IsHalfDone(CollectionFaultKind.WrongBucket, table);
    }

    [Fact]
    public void Two_chains_with_a_common_end_are_no_cycle()
    {
        ArrayHashChains table = Sound();
        table.NextOf[4] = 2;
        Assert.DoesNotContain(CollectionFaultKind.BucketCycle, Kinds(table));
        Assert.Contains(CollectionFaultKind.WrongBucket, Kinds(table));
    }

    [Fact]
    public void Free_entries_are_followed_in_both_encodings()
    {
        Assert.Empty(HashChainCheck.Check(WithFree([-1, -2, -4])));
        Assert.Empty(HashChainCheck.Check(WithFree([-1, -1, 1], isEncoded: false)));
    }

    [Theory]
    [InlineData(-5)]
    [InlineData(-4)]
    public void A_free_list_that_leads_back_is_found(int next) => Assert.Equal([CollectionFaultKind.FreeListCycle], Kinds(WithFree([-1, next, -4])));

    [Fact]
    public void A_used_entry_on_the_free_list_is_found() => Assert.Equal([CollectionFaultKind.FreeListCycle], Kinds(WithFree([-1, -2, -4], freeList: 0)));

    [Theory]
    [InlineData(1, 2)]
    [InlineData(2, 1)]
    public void A_free_list_that_is_longer_or_shorter_than_counted_may_be_a_writer_at_work(int freeList, int freeCount) =>
        IsHalfDone(CollectionFaultKind.CountMismatch, freeCount == 2 ? WithFree([-1, -2, -2], freeList, freeCount)
            : WithFree([-1, -2, -4], freeList, freeCount));

    [Fact]
    public void A_free_list_of_a_table_that_is_being_cleared_is_no_fault_of_its_own()
    {
        ArrayHashChains cleared = new([0, 0, 0], [-1, -2, -4], [0, 0, 0]) { Count = 0, FreeList = 2, FreeCount = 2, BucketBase = 1, FreeIsEncoded = true };
        IsHalfDone(CollectionFaultKind.IndexOutOfRange, cleared);
    }

    [Fact]
    public void Entries_that_no_bucket_reaches_may_be_half_inserted() => IsHalfDone(CollectionFaultKind.CountMismatch, Sound([1, 0, 0, 2, 5]));

    [Fact]
    public void Buckets_of_another_size_than_the_entries_may_be_a_resize() => IsHalfDone(CollectionFaultKind.CountMismatch, Sound([1, 4, 0, 2, 5, 0, 0]));

    [Fact]
    public void A_cycle_is_found_in_the_middle_of_a_resize_too()
    {
        ArrayHashChains table = Sound([1, 4, 0, 2, 5, 0, 0]);
        table.NextOf[2] = 3;
        Assert.Equal(CollectionFaultKind.BucketCycle, HashChainCheck.Check(table)[0].Kind);
    }

    [Fact]
    public void Zeroed_entries_of_an_old_set_may_be_its_clear()
    {
        ArrayHashChains Cleared(bool entriesFirst) => new([1], [0], [0]) { Count = 1, FreeList = -1, FreeCount = 0, BucketBase = 1, FreeIsEncoded = false,
            ClearsEntriesFirst = entriesFirst };
        Assert.True(HashChainCheck.Check(Cleared(true))[0].MayBeHalfDone);
        Assert.False(HashChainCheck.Check(Cleared(false))[0].MayBeHalfDone);
    }

    [Theory]
    [InlineData(6)]
    [InlineData(-1)]
    public void An_impossible_count_ends_the_check(int count) => IsHalfDone(CollectionFaultKind.CountMismatch, Sound(count: count));

    [Fact]
    public void A_table_that_is_broken_everywhere_has_a_limited_number_of_faults()
    {
        const int Length = 100_000;
        ArrayHashChains table = new([.. Enumerable.Repeat(Length, Length)], [.. Enumerable.Range(-1, Length)], new uint[Length])
        {
            Count = Length, FreeList = -1, FreeCount = 0, BucketBase = 1, FreeIsEncoded = true,
        };
        Assert.InRange(HashChainCheck.Check(table).Length, 1, 17);
    }

    [Fact]
    public void Steps_are_told_before_they_are_made() =>
        Assert.Throws<MissingMemoryException>(() => HashChainCheck.Check(Sound(), new StepBudget(5).Take));
}
