using Dump.Clr.Collections;
using Dump.Model;

namespace Dump.Clr.Tests;

/// <summary>The check of hash-table chains, on tables made by hand.</summary>
public sealed class HashChainCheckTests
{
    /// <summary>Entries 0 to 4 with hash codes 0, 3, 6, 1, 4 in three buckets: 2 -> 1 -> 0, and 4 -> 3.</summary>
    private static HashChains Sound() => new([3, 5, 0], [-1, 0, 1, -1, 3], [0, 3, 6, 1, 4], 5, -1, 0, 1, true);

    private static CollectionFaultKind[] Kinds(HashChains table) => [.. HashChainCheck.Check(table).Select(f => f.Kind)];

    [Fact]
    public void A_sound_table_has_no_fault() => Assert.Empty(HashChainCheck.Check(Sound()));

    [Fact]
    public void The_old_layout_begins_at_zero() =>
        Assert.Empty(HashChainCheck.Check(Sound() with { Buckets = [2, 4, -1], BucketBase = 0, FreeIsEncoded = false }));

    [Fact]
    public void A_cycle_is_shown_with_its_entries()
    {
        HashChains table = Sound();
        table.Next[0] = 2;
        CollectionFault fault = HashChainCheck.Check(table)[0];
        Assert.Equal(CollectionFaultKind.BucketCycle, fault.Kind);
        Assert.Equal(new[] { 2, 1, 0, 2 }, fault.Path.ToArray());
    }

    [Fact]
    public void An_entry_that_names_itself_is_a_cycle()
    {
        HashChains table = Sound();
        table.Next[3] = 3;
        Assert.Equal(CollectionFaultKind.BucketCycle, Kinds(table)[0]);
    }

    [Theory]
    [InlineData(5)]
    [InlineData(-2)]
    [InlineData(int.MaxValue)]
    public void A_link_to_no_entry_is_out_of_range(int next)
    {
        HashChains table = Sound();
        table.Next[0] = next;
        Assert.Contains(CollectionFaultKind.IndexOutOfRange, Kinds(table));
    }

    [Fact]
    public void An_entry_in_the_bucket_of_another_hash_code_is_found()
    {
        HashChains table = Sound();
        table.HashCodes[1] = 5;
        Assert.Equal([CollectionFaultKind.WrongBucket], Kinds(table));
    }

    [Fact]
    public void Free_entries_are_followed_in_both_encodings()
    {
        HashChains encoded = new([1, 0, 0], [-1, -2, -4], [0, 0, 0], 3, 2, 2, 1, true);
        Assert.Empty(HashChainCheck.Check(encoded));
        Assert.Empty(HashChainCheck.Check(encoded with { Next = [-1, -1, 1], FreeIsEncoded = false }));
    }

    [Fact]
    public void A_free_list_that_leads_back_is_found() =>
        Assert.Equal([CollectionFaultKind.FreeListCycle], Kinds(new([1, 0, 0], [-1, -5, -4], [0, 0, 0], 3, 2, 2, 1, true)));

    [Fact]
    public void A_used_entry_on_the_free_list_is_found() =>
        Assert.Equal([CollectionFaultKind.FreeListCycle], Kinds(new([1, 0, 0], [-1, -2, -4], [0, 0, 0], 3, 0, 2, 1, true)));

    [Fact]
    public void Entries_that_no_bucket_reaches_are_counted() =>
        Assert.Equal([CollectionFaultKind.CountMismatch], Kinds(Sound() with { Buckets = [3, 0, 0] }));

    [Theory]
    [InlineData(6)]
    [InlineData(-1)]
    public void An_impossible_count_ends_the_check(int count) => Assert.Equal([CollectionFaultKind.CountMismatch], Kinds(Sound() with { Count = count }));
}
