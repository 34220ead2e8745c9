namespace Dump.Readers.Tests;

public sealed class SortedSearchTests
{
    [Theory]
    [InlineData(0, 0, 0)]
    [InlineData(10, 0, 1)]
    [InlineData(11, 1, 1)]
    [InlineData(20, 1, 3)]
    [InlineData(21, 3, 3)]
    [InlineData(ulong.MaxValue - 1, 3, 3)]
    [InlineData(ulong.MaxValue, 3, 4)]
    public void Items_below_and_up_to_a_key_are_counted(ulong key, int below, int upTo)
    {
        ulong[] items = [10, 20, 20, ulong.MaxValue];

        Assert.Equal(below, SortedSearch.CountBelow<ulong>(items, key, i => i));
        Assert.Equal(upTo, SortedSearch.CountUpTo<ulong>(items, key, i => i));
    }

    [Fact]
    public void Counts_equal_those_of_a_plain_loop()
    {
        Random random = new(5);
        for (int size = 0; size < 40; size++)
        {
            ulong[] items = [.. Enumerable.Range(0, size).Select(_ => (ulong)random.Next(30)).Order()];
            for (ulong key = 0; key <= 31; key++)
            {
                Assert.Equal(items.Count(i => i < key), SortedSearch.CountBelow<ulong>(items, key, i => i));
                Assert.Equal(items.Count(i => i <= key), SortedSearch.CountUpTo<ulong>(items, key, i => i));
            }
        }
    }

    [Fact]
    public void Nothing_is_found_among_no_items() => Assert.Equal(0, SortedSearch.CountUpTo<string>([], 7, s => (ulong)s.Length));
}
