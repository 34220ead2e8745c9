using Dump.Capture.Watching;
using Dump.Capture.Watching.Conditions;
using Dump.Capture.Watching.Looks;

namespace Dump.Capture.Tests.Watching;

/// <summary>When a watch captures, over a simulated clock.</summary>
public sealed class ProcessWatchTests
{
    private static readonly TimeSpan s_hour = TimeSpan.FromHours(1);
    private static readonly BusyThreadRule s_busy = new(0.9, TimeSpan.FromSeconds(30));

    [Fact]
    public void Busy_server_is_left_alone_for_an_hour()
    {
        // Eight threads that share the work of four processors, and one that computes for 28 s of each 40.
        Func<TimeSpan, TimeSpan>[] used =
        [
            .. Enumerable.Range(0, 8).Select(_ => (Func<TimeSpan, TimeSpan>)(t => t / 2)),
            t => TimeSpan.FromSeconds((Math.Floor(t.TotalSeconds / 40) * 28) + Math.Min(28, t.TotalSeconds % 40)),
        ];
        WatchScript watch = new WatchScript(s_hour).With(new ScriptedProcess(100, "shop") { Used = used, Threads = t => 40 + ((int)t.TotalSeconds % 50) });
        watch.Run("shop", s_busy, new ManyThreadsRule(500), new NoAnswerRule("--no-answer", watch));
        Assert.Empty(watch.Taken);
        Assert.Equal(1800, watch.Looks);
    }

    [Fact]
    public void Thread_that_computes_without_a_pause_is_captured_when_its_time_is_over()
    {
        WatchScript watch = new WatchScript(TimeSpan.FromMinutes(4)).With(new ScriptedProcess(100, "shop")
        {
            Used = [_ => TimeSpan.Zero, t => t < TimeSpan.FromMinutes(1) ? TimeSpan.Zero : t - TimeSpan.FromMinutes(1)],
        });
        watch.Run("100", s_busy);
        (TimeSpan moment, int process, string condition, string reason) = Assert.Single(watch.Taken);
        Assert.Equal((100, "--cpu"), (process, condition));
        Assert.InRange(moment, TimeSpan.FromSeconds(90), TimeSpan.FromSeconds(96));
        Assert.StartsWith("thread 101 used 90 % of a processor and more for 3", reason, StringComparison.Ordinal);
    }

    [Fact]
    public void Watch_ends_when_there_is_nothing_left_to_watch_for()
    {
        WatchScript watch = new WatchScript(s_hour) { Enough = 2 }.With(new ScriptedProcess(100, "shop") { Used = [t => t] });
        watch.Run("shop", s_busy);
        Assert.Equal(2, watch.Taken.Count);
        Assert.True(watch.Now < s_hour);
    }

    [Fact]
    public void Threads_are_read_only_while_one_of_them_can_be_busy()
    {
        WatchScript watch = new WatchScript(s_hour).With(new ScriptedProcess(100, "shop")
        {
            Used = [t => t / 4, t => t / 4, t => t < TimeSpan.FromMinutes(30) ? t / 4 : t - TimeSpan.FromMinutes(22.5)],
        });
        watch.Run("shop", s_busy);
        Assert.InRange(watch.Taken[0].Moment, TimeSpan.FromMinutes(30.5), TimeSpan.FromMinutes(30.6));
        Assert.InRange(watch.ThreadReads, 10, 900);
    }

    [Fact]
    public void Two_threads_that_take_turns_are_none_that_computes_without_a_pause()
    {
        static TimeSpan Turns(TimeSpan t, bool isFirst) =>
            TimeSpan.FromSeconds((Math.Floor(t.TotalSeconds / 20) * 10) + Math.Clamp((t.TotalSeconds % 20) - (isFirst ? 0 : 10), 0, 10));
        WatchScript watch = new WatchScript(s_hour).With(new ScriptedProcess(100, "shop") { Used = [t => Turns(t, true), t => Turns(t, false)] });
        watch.Run("shop", s_busy);
        Assert.Empty(watch.Taken);
        Assert.True(watch.ThreadReads > 1000, $"{watch.ThreadReads}");
    }

    [Fact]
    public void Idle_thread_is_not_busy_however_small_the_share()
    {
        WatchScript watch = new WatchScript(s_hour).With(new ScriptedProcess(100, "shop") { Used = [_ => TimeSpan.Zero, t => t / 1000] });
        watch.Run("shop", new BusyThreadRule(0.01, TimeSpan.FromSeconds(1)));
        Assert.Empty(watch.Taken);
    }

    [Fact]
    public void Process_that_starts_again_is_watched_again_and_begins_anew()
    {
        // Each of the two computes for 20 s at its end or beginning: together 40 s, but not one process.
        WatchScript watch = new WatchScript(TimeSpan.FromMinutes(5))
            .With(new ScriptedProcess(100, "shop")
            {
                Until = TimeSpan.FromSeconds(60), Used = [t => TimeSpan.FromSeconds(Math.Max(0, t.TotalSeconds - 40))],
            })
            .With(new ScriptedProcess(100, "shop")
            {
                From = TimeSpan.FromSeconds(62), Used = [t => TimeSpan.FromSeconds(Math.Min(20, t.TotalSeconds - 62))],
            });
        watch.Run("shop", s_busy);
        Assert.Empty(watch.Taken);
        Assert.Equal(["watches process 100 (shop)", "process 100 (shop) has ended", "watches process 100 (shop)"], watch.Log);
    }

    [Fact]
    public void Watch_of_ids_ends_with_their_processes()
    {
        WatchScript watch = new WatchScript(s_hour)
            .With(new ScriptedProcess(100, "shop") { Until = TimeSpan.FromMinutes(1) })
            .With(new ScriptedProcess(200, "store") { Until = TimeSpan.FromMinutes(2) })
            .With(new ScriptedProcess(100, "another") { From = TimeSpan.FromSeconds(80), Threads = _ => 600 });
        watch.Run(["100", "200"], [new ManyThreadsRule(500)]);
        Assert.InRange(watch.Now, TimeSpan.FromMinutes(2), TimeSpan.FromMinutes(2.1));
        Assert.Empty(watch.Taken);
    }

    [Fact]
    public void Name_waits_for_its_process()
    {
        WatchScript watch = new WatchScript(s_hour).With(new ScriptedProcess(100, "shop") { From = TimeSpan.FromMinutes(30), Threads = _ => 600 });
        watch.Run(["shop", "other"], [new ManyThreadsRule(500)]);
        Assert.InRange(watch.Taken[0].Moment, TimeSpan.FromMinutes(30), TimeSpan.FromMinutes(30.3));
        Assert.Equal("it has 600 threads", watch.Taken[0].Reason);
    }

    [Theory]
    [InlineData(CaptureOutcome.New, new[] { 0, 330, 660, 990 })]
    [InlineData(CaptureOutcome.Known, new[] { 0, 330, 960, 2190 })]
    [InlineData(CaptureOutcome.Failed, new[] { 0, 330, 960, 2190 })]
    public void Condition_rests_after_a_capture_and_longer_while_nothing_new_comes_of_it(CaptureOutcome outcome, int[] seconds)
    {
        WatchScript watch = new(TimeSpan.FromMinutes(60)) { Outcome = _ => outcome };
        watch.With(new ScriptedProcess(100, "shop") { Threads = _ => 600 }).Run("shop", new ManyThreadsRule(500));
        Assert.Equal(seconds, watch.Taken.Take(4).Select(t => (int)t.Moment.TotalSeconds));
        Assert.Equal(watch.Taken.Count, watch.Restarts);
    }

    [Fact]
    public void One_condition_that_rests_does_not_keep_another_one_from_counting()
    {
        WatchScript watch = new(TimeSpan.FromMinutes(3)) { Fails = t => t > TimeSpan.FromMinutes(1) };
        watch.With(new ScriptedProcess(100, "shop") { Threads = _ => 600 }).Run("shop", new ManyThreadsRule(500), new NoAnswerRule("--no-answer", watch));
        Assert.Equal(["--threads", "--no-answer"], watch.Taken.Select(t => t.Condition));
    }

    [Fact]
    public void What_holds_for_all_processes_of_a_name_is_looked_for_in_each_of_them()
    {
        WatchScript watch = new(TimeSpan.FromMinutes(20)) { Fails = _ => true, Outcome = number => number % 3 == 1 ? CaptureOutcome.Known : CaptureOutcome.New };
        watch.With(new ScriptedProcess(100, "shop")).With(new ScriptedProcess(200, "shop")).With(new ScriptedProcess(300, "shop"));
        watch.Run("shop", new NoAnswerRule("--no-answer", watch));
        Assert.Equal([100, 200, 300], watch.Taken.Take(3).Select(t => t.Process));
        Assert.InRange(watch.Taken[2].Moment, TimeSpan.FromSeconds(60), TimeSpan.FromSeconds(80));
    }

    [Fact]
    public void Time_passes_for_each_process_of_a_name()
    {
        WatchScript watch = new WatchScript(TimeSpan.FromMinutes(25)).With(new ScriptedProcess(100, "shop")).With(new ScriptedProcess(200, "shop"));
        watch.Run("shop", new PeriodRule(TimeSpan.FromMinutes(10)));
        Assert.Equal([100, 200, 100, 200], watch.Taken.Select(t => t.Process));
    }

    [Fact]
    public void What_a_process_did_before_it_was_captured_and_while_it_stood_still_does_not_count_afterwards()
    {
        WatchScript watch = new WatchScript(TimeSpan.FromMinutes(15)).With(new ScriptedProcess(100, "shop")
        {
            Used = [t => TimeSpan.FromSeconds(Math.Clamp(t.TotalSeconds, 575, 640) - 575)],
        });
        watch.Run("shop", new PeriodRule(TimeSpan.FromMinutes(10)), s_busy);
        Assert.Equal("--every", Assert.Single(watch.Taken).Condition);
    }

    [Fact]
    public void Question_that_is_not_answered_is_a_reason()
    {
        WatchScript watch = new(TimeSpan.FromMinutes(5)) { Fails = t => t > TimeSpan.FromMinutes(4) };
        watch.With(new ScriptedProcess(100, "shop")).Run("shop", new NoAnswerRule("--no-answer", watch));
        Assert.Equal(("--no-answer", "it did not answer"), (watch.Taken.Single().Condition, watch.Taken.Single().Reason));
    }

    [Fact]
    public void Time_that_has_passed_is_a_reason()
    {
        WatchScript watch = new WatchScript(s_hour).With(new ScriptedProcess(100, "shop"));
        watch.Run("shop", new PeriodRule(TimeSpan.FromMinutes(10)));
        Assert.Equal(5, watch.Taken.Count);
    }

    [SkippableTheory]
    [InlineData("4711", "other", false)]
    [InlineData("shop", "shop", true)]
    [InlineData("shop", "shop.exe", true)]
    [InlineData("shop", "shop.dll", true)]
    [InlineData("shop.exe", "shop.exe", true)]
    [InlineData("shop", "Shop", false)]
    [InlineData("shop", "shopper", false)]
    [InlineData("shop", "shop.core.dll", false)]
    [InlineData("shop", "", false)]
    public void Names_are_those_of_files(string target, string name, bool expected)
    {
        Skip.If(OperatingSystem.IsWindows() && name == "Shop", "names of files do not differ in case there");
        Assert.Equal(expected, WatchTarget.Parse(target)!.Matches(null, name));
    }

    [Theory]
    [InlineData("")]
    [InlineData("0")]
    [InlineData("99999999999")]
    [InlineData("/usr/bin/shop")]
    [InlineData("a\\b")]
    public void What_is_no_process_is_none(string text) => Assert.Null(WatchTarget.Parse(text));
}
