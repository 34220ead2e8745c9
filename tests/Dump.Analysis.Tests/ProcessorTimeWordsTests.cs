using Dump.Model.Process;
using Dump.Model.Wording;

namespace Dump.Analysis.Tests;

/// <summary>A share of a processor that is too small for its words is not called none.</summary>
public sealed class ProcessorTimeWordsTests
{
    [Theory]
    [InlineData(0, "CPU time 0 s (user 0 s, kernel 0 s)")]
    [InlineData(3, "CPU time 3 s (user 3 s, kernel 0 s), less than 1 % of one processor in its life")]
    [InlineData(5, "CPU time 5 s (user 5 s, kernel 0 s), 1 % of one processor in its life")]
    [InlineData(990, "CPU time 16 min 30 s (user 16 min 30 s, kernel 0 s), 99 % of one processor in its life")]
    public void Small_share_is_no_share_of_zero(int seconds, string words) =>
        Assert.Equal(words, Naming.Times(new ThreadTimes(TimeSpan.Zero, TimeSpan.FromSeconds(seconds), null, TimeSpan.FromSeconds(1_000))));
}
