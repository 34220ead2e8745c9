using Dump.Capture.Proc;
using Dump.Model.Process;

namespace Dump.Capture.Tests;

/// <summary>What a thread did between two samples.</summary>
public sealed class ProcessSampleTests
{
    [Theory]
    [InlineData('R', 5L, 'R', 5L, true)]
    [InlineData('R', 5L, 'R', 6L, false)]
    [InlineData('S', 5L, 'R', 5L, false)]
    [InlineData('R', 5L, 'S', 5L, false)]
    public void Ready_all_the_time_is_who_was_ready_twice_and_never_waited(char before, long switchesBefore, char after, long switchesAfter, bool expected)
    {
        ProcessorUse use = Sample(10, Thread(1, before, 100, switchesBefore)).Use(Sample(11, Thread(1, after, 150, switchesAfter)))!;
        Assert.Equal(expected, use.WasAlwaysReady);
        Assert.Equal(switchesAfter - switchesBefore, use.Pauses);
        Assert.Equal((TimeSpan.FromSeconds(0.5), TimeSpan.FromSeconds(1), 0.5), (use.Used, use.Over, use.Load));
    }

    [Fact]
    public void Uncounted_switches_leave_it_open()
    {
        ProcessorUse use = Sample(10, Thread(1, 'R', 100, null)).Use(Sample(11, Thread(1, 'R', 150, 5)))!;
        Assert.Null(use.WasAlwaysReady);
        Assert.Null(use.Pauses);
    }

    [Theory]
    [InlineData('t', 6L, true)] // Being stopped is one.
    [InlineData('t', 5L, true)] // It is counted a moment later.
    [InlineData('t', 7L, false)] // It had begun to wait.
    [InlineData('D', 6L, null)] // It waits and could not be stopped.
    [InlineData('t', null, null)]
    public void Who_ran_until_it_was_stopped_gave_up_the_processor_once(char state, long? switches, bool? expected) => Assert.Equal(
        expected, Sample(11, Thread(1, 'R', 150, 5)).UseSince(Sample(10, Thread(1, 'R', 100, 5)), 1,
            Sample(11, Thread(1, state, 150, switches)))!.RanUntilStopped);

    [Fact]
    public void Whether_it_ran_on_is_open_where_it_is_not_stopped() => Assert.Null(Sample(10, Thread(1, 'R', 100, 5))
        .Use(Sample(11, Thread(1, 'R', 150, 5)))!.RanUntilStopped);

    [Theory]
    [InlineData(7L, 1, false)] // Back into its wait, and out of it by the next stop.
    [InlineData(8L, 1, true)]
    [InlineData(8L, 9, false)] // Another thread with its id.
    [InlineData(null, 1, false)]
    public void Who_has_run_between_two_stops_gave_up_the_processor_more_often_than_who_stands(long? switches, int started, bool expected) => Assert.Equal(
        expected, Sample(11, Thread(1, 't', 100, switches, started)).HasRunBetweenStops(Sample(10, Thread(1, 't', 100, 5)), 1));

    [Fact]
    public void Thread_id_that_was_used_again_and_time_that_runs_backwards_give_nothing()
    {
        Assert.Null(Sample(10, Thread(1, 'R', 100, 5)).Use(Sample(11, Thread(1, 'R', 150, 5, started: 9))));
        Assert.Null(Sample(10, Thread(1, 'R', 100, 5)).Use(Sample(11, Thread(1, 'R', 50, 5))));
        Assert.Null(Sample(10, Thread(2, 'R', 100, 5)).Use(Sample(11, Thread(1, 'R', 150, 5))));
    }

    [Fact]
    public void Age_is_from_the_threads_start()
    {
        ThreadTimes times = Sample(10, Thread(1, 'R', 300, 5, started: 4)).TimesOf(1)!;
        Assert.Equal((TimeSpan.FromSeconds(3), TimeSpan.FromSeconds(6), 0.5), (times.Total, times.Elapsed, times.Load));
        Assert.Null(Sample(10, Thread(1, 'R', 300, 5)).TimesOf(2));
    }

    private static TaskSample Thread(uint id, char state, int ticks, long? switches, int started = 1) =>
        new(id, id, new TaskStat("t", state, TimeSpan.FromMilliseconds(ticks * 10), TimeSpan.Zero, TimeSpan.FromSeconds(started), 0, 0, 0), switches);

    private static ProcessSample Sample(int second, TaskSample thread) =>
        new(TimeSpan.FromSeconds(second), TimeSpan.FromSeconds(second), thread.Stat, [thread]);
}

/// <summary>Reads samples in the order of time.</summary>
internal static class ProcessSampleExtensions
{
    public static ProcessorUse? Use(this ProcessSample earlier, ProcessSample later) => later.UseSince(earlier, 1);
}
