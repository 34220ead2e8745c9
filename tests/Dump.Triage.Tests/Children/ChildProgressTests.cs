using Dump.Triage.Children;

namespace Dump.Triage.Tests.Children;

/// <summary>When a child counts as standing still: with an idle time of 100 s, looked at every 10 s.</summary>
public sealed class ChildProgressTests
{
    private const int Looks = 30;

    [Theory]
    [InlineData(0, 0, 11)]
    [InlineData(4, 0, 11)]
    [InlineData(60, 0, null)]
    [InlineData(0, 1, null)]
    public void Child_that_neither_computes_nor_writes_stands_still(int milliseconds, int bytes, int? expected) =>
        Assert.Equal(expected, StoppedAt(look => TimeSpan.FromMilliseconds(milliseconds * look), look => bytes * look));

    /// <summary>One of its processes has ended, and the sum is less than it was: that one did something.</summary>
    [Fact]
    public void Process_that_ended_is_progress() =>
        Assert.Equal(16, StoppedAt(look => TimeSpan.FromSeconds(look < 5 ? 9 : 1), _ => 0));

    [Fact]
    public void Time_that_is_not_known_is_no_sign_of_standing_still() => Assert.Null(StoppedAt(_ => null, _ => 0));

    [Fact]
    public void Without_the_limit_nothing_stands_still() =>
        Assert.False(new ChildProgress(new Group(() => TimeSpan.Zero), new ChildLimits(TimeSpan.MaxValue, 1)).HasStopped(TimeSpan.FromDays(1)));

    private static int? StoppedAt(Func<int, TimeSpan?> used, Func<int, long> written)
    {
        int look = 0;
        ChildLimits limits = new(TimeSpan.MaxValue, 1) { Idle = TimeSpan.FromSeconds(100), Written = () => written(look) };
        ChildProgress progress = new(new Group(() => used(look)), limits);
        for (look = 1; look <= Looks; look++)
        {
            if (progress.HasStopped(TimeSpan.FromSeconds(10 * look)))
            {
                return look;
            }
        }

        return null;
    }

    private sealed class Group(Func<TimeSpan?> used) : IProcessGroup
    {
        public long? Memory() => null;

        public TimeSpan? ProcessorTime() => used();

        public void End(bool hasHeadEnded)
        {
        }

        public void Dispose()
        {
        }
    }
}
