using Dump.Model.Facts;
using Dump.Model.Process;
using Dump.Model.Verdicts;
using Dump.Model.Waits;
using static Dump.Analysis.Tests.UiDetections;

namespace Dump.Analysis.Tests;

/// <summary>DUMP4001: what makes it speak, how sure it is, and what keeps it silent.</summary>
public sealed class UiBlockedOnLockTests
{
    [Fact]
    public void Lock_whose_owner_sleeps_without_end_is_likely_a_hang()
    {
        Verdict? verdict = Only(LockedOut().Thread(2, ThreadActivityKind.Sleeping).Wait(2, Sleep));
        Is("DUMP4001", Confidence.Likely, verdict);
        Assert.Equal([1u, 2u], verdict!.Threads.AsEnumerable());
        Assert.Equal(new Culprit("app.exe", "message handler WndProc", 1), verdict.Culprit);
        Assert.DoesNotContain(verdict.Claims, c => c.Text.Contains("deadlock", StringComparison.Ordinal));
    }

    [Fact]
    public void The_whole_chain_is_followed_to_the_thread_that_must_act()
    {
        Resource monitor = new(ResourceKind.Monitor, 0x7000);
        Verdict? verdict = Only(LockedOut().Thread(2).Wait(2, monitor).Own(monitor, 3).Thread(3).Wait(3, Event));
        Is("DUMP4001", Confidence.Likely, verdict);
        Assert.Equal([1u, 2u, 3u], verdict!.Threads.AsEnumerable());
        Assert.Equal([Section, monitor, Event], verdict.Chain.Select(l => l.Resource));
    }

    [Fact]
    public void Lock_whose_owner_runs_is_only_suspected() => Is("DUMP4001", Confidence.Suspected, Only(LockedOut().Thread(2, ThreadActivityKind.Running)));

    [Fact]
    public void Lock_whose_owner_waits_with_a_limit_is_only_suspected() =>
        Is("DUMP4001", Confidence.Suspected, Only(LockedOut().Thread(2).Wait(2, Event, WaitTimeout.Finite, milliseconds: 60_000)));

    [Fact]
    public void Lock_whose_owner_waits_for_input_or_output_is_only_suspected() =>
        Is("DUMP4001", Confidence.Suspected, Only(LockedOut().Thread(2).Wait(2, new Resource(ResourceKind.InputOutput, 0, 2))));

    [Fact]
    public void Lock_whose_owner_waits_for_a_task_is_only_suspected() =>
        Is("DUMP4001", Confidence.Suspected, Only(LockedOut().Thread(2).Wait(2, PendingTask)));

    [Fact]
    public void Lock_whose_owner_waits_for_a_socket_s_event_is_only_suspected() =>
        Is("DUMP4001", Confidence.Suspected, Only(LockedOut().Thread(2, frames: [.. UiThreadStacks.EventWait, "mswsock", "ws2_32!recv", "app!Read"])
            .Wait(2, Event)));

    [Fact]
    public void Weak_edge_makes_no_stuck_thread() => Is(
        "DUMP4001", Confidence.Suspected, Only(Handler(UiThreadStacks.SectionWait).Wait(1, Section).Own(Section, 2, grade: Grade.Suspected).Thread(2)
            .Wait(2, Event)));

    [Fact]
    public void Weak_second_edge_makes_none_either()
    {
        Resource other = SnapshotBuilder.Section(0x5100);
        Is("DUMP4001", Confidence.Suspected, Only(LockedOut().Thread(2).Wait(2, other).Own(other, 3, grade: Grade.Suspected).Thread(3).Wait(3, Event)));
    }

    [Fact]
    public void Lock_without_a_known_owner_is_only_suspected() =>
        Is("DUMP4001", Confidence.Suspected, Only(Handler(UiThreadStacks.SectionWait)
            .Wait(1, new Resource(ResourceKind.SlimReaderWriterLock, 0x5000), grade: Grade.Derived)));

    [Fact]
    public void Window_that_procdump_found_hung_is_likely_this_thread_s()
    {
        Verdict? verdict = Only(LockedOut(Hung).Thread(2, ThreadActivityKind.Running));
        Is("DUMP4001", Confidence.Likely, verdict);
        Assert.Contains(verdict!.Claims, c => c.Text.Contains("0x140aa0", StringComparison.Ordinal));
    }

    [Theory]
    [InlineData("*** procdump -ma 1\n*** Manual dump")]
    [InlineData("Hung window detected: 140aa0")]
    [InlineData("*** Hung window detected: soon")]
    public void Other_comments_say_nothing(string comment) => Is("DUMP4001", Confidence.Suspected,
        Only(LockedOut(comment).Thread(2, ThreadActivityKind.Running)));

    [Fact]
    public void Hung_window_of_one_of_two_stuck_threads_is_nobody_s()
    {
        SnapshotBuilder builder = LockedOut(Hung).Thread(2, ThreadActivityKind.Running).Thread(3, frames: UiThreadStacks.Exports(UiThreadStacks.EventWait))
            .Wait(3, Event);
        Assert.All(HangAnalysis.Run(builder.Build()).Verdicts, v => Assert.Equal(Confidence.Suspected, v.Confidence));
    }

    [Fact]
    public void Handler_known_only_by_unnamed_frames_is_only_suspected() => Is("DUMP4001", Confidence.Suspected, Only(
        new SnapshotBuilder().Thread(1, frames: UiThreadStacks.NoNames(UiThreadStacks.SectionWait)).Wait(1, Section).Own(Section, 2).Thread(2).Wait(2, Event)));

    [Fact]
    public void Deadlock_that_holds_up_the_thread_is_reported_once()
    {
        Resource other = SnapshotBuilder.Section(0x5100);
        Verdict? verdict = Only(LockedOut().Thread(2).Wait(2, other).Own(other, 3).Thread(3).Wait(3, Section).Own(Section, 2));
        Is("DUMP1002", Confidence.Confirmed, verdict);
        Assert.Contains(verdict!.Victims, g => g.ThreadIds.Contains(1u));
    }

    [Fact]
    public void Head_blocker_is_part_of_the_same_verdict()
    {
        SnapshotBuilder builder = LockedOut().Thread(2).Wait(2, Event);
        for (uint id = 10; id < 15; id++)
        {
            builder.Thread(id).Wait(id, Section);
        }

        Verdict? verdict = Only(builder);
        Is("DUMP4001", Confidence.Likely, verdict);
        Assert.Equal([10u, 11u, 12u, 13u, 14u], verdict!.Victims.SelectMany(g => g.ThreadIds));
    }

    [Fact]
    public void Managed_lock_in_a_wait_that_takes_com_calls_still_blocks_input()
    {
        Resource monitor = new(ResourceKind.Monitor, 0x7000);
        Verdict? verdict = Only(new SnapshotBuilder().Thread(1, frames: UiThreadStacks.Wpf(UiThreadStacks.StaWait)).Wait(1, monitor).Own(monitor, 2).Thread(2)
            .Wait(2, Event));
        Is("DUMP4001", Confidence.Likely, verdict);
        Assert.Contains("COM calls", verdict!.Claims[^1].Text, StringComparison.Ordinal);
        Assert.Equal(new Culprit("shop.dll", "message handler Shop.MainWindow.Save_Click", 1), verdict.Culprit);
    }

    [Fact]
    public void Of_several_waits_the_one_with_a_known_holder_counts()
    {
        Resource monitor = new(ResourceKind.Monitor, 0x7000);
        Verdict? verdict = Only(Handler(UiThreadStacks.EventWait).Wait(1, Event).Wait(1, monitor, grade: Grade.Derived).Own(monitor, 2)
            .Thread(2, ThreadActivityKind.Running));
        Is("DUMP4001", Confidence.Suspected, verdict);
        Assert.Equal([1u, 2u], verdict!.Threads.AsEnumerable());
    }
}
