using Dump.Fetching.Missing;

namespace Dump.Fetching.Tests.Missing;

/// <summary>A run asks for so many files and counts the rest; in its further rounds too.</summary>
public sealed class RunQuotaTests
{
    [Fact]
    public void First_ones_are_taken_and_the_rest_is_counted()
    {
        RunQuota quota = new(3);
        int leftOut = 0;
        Assert.Equal(["a", "b"], quota.Take(["a", "b"], f => f, ref leftOut));
        Assert.Equal(0, leftOut);

        // The first has come; what was asked for before keeps its place, and of the new ones one has room.
        Assert.Equal(["c", "b"], quota.Take(["c", "d", "b", "e"], f => f, ref leftOut));
        Assert.Equal(2, leftOut);
    }
}
