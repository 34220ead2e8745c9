namespace Dump.Triage.Tests;

/// <summary>Parts of a folder: each dump falls to exactly one.</summary>
public sealed class ShardTests
{
    [Theory]
    [InlineData("1/1", 1, 1)]
    [InlineData("2/16", 2, 16)]
    public void Part_is_read(string text, int index, int count)
    {
        Assert.True(Shard.TryParse(text, out Shard? shard));
        Assert.Equal(new Shard(index, count), shard);
    }

    [Theory]
    [InlineData("0/4")]
    [InlineData("5/4")]
    [InlineData("1/0")]
    [InlineData("1")]
    [InlineData("1/2/3")]
    [InlineData("-1/4")]
    [InlineData("1/100001")]
    [InlineData("a/b")]
    public void Other_text_is_none(string text) => Assert.False(Shard.TryParse(text, out _));

    [Fact]
    public void Each_identity_falls_to_one_part_and_all_parts_get_some()
    {
        Shard[] shards = [.. Enumerable.Range(1, 4).Select(i => new Shard(i, 4))];
        int[] counts = new int[4];
        for (int i = 0; i < 400; i++)
        {
            string identity = Convert.ToHexStringLower(System.Security.Cryptography.SHA256.HashData(BitConverter.GetBytes(i)));
            int only = Array.IndexOf(shards, Assert.Single(shards, s => s.Holds(identity)));
            counts[only]++;
        }

        Assert.All(counts, c => Assert.InRange(c, 60, 140));
    }
}
