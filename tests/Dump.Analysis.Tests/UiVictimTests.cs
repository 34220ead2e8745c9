using Dump.Model.Facts;
using Dump.Model.Process;
using Dump.Model.Verdicts;
using Dump.Model.Waits;
using static Dump.Analysis.Tests.UiDetections;

namespace Dump.Analysis.Tests;

/// <summary>Verdicts of other kinds say which user-interface threads they hold up.</summary>
public sealed class UiVictimTests
{
    private static readonly Resource s_other = SnapshotBuilder.Section(0x5100);

    private static Claim? AboutWindows(Verdict? verdict) => verdict!.Claims.SingleOrDefault(c => c.Text.Contains("message handler", StringComparison.Ordinal));

    private static SnapshotBuilder Cycle(string[] first) =>
        new SnapshotBuilder().Thread(1, frames: first).Wait(1, Section).Own(Section, 2).Thread(2).Wait(2, s_other).Own(s_other, 1);

    [Fact]
    public void Deadlock_that_a_user_interface_thread_is_part_of_says_so()
    {
        Verdict? verdict = Only(Cycle(UiThreadStacks.Exports(UiThreadStacks.SectionWait)));
        Is("DUMP1002", Confidence.Confirmed, verdict);
        Claim? claim = AboutWindows(verdict);
        Assert.StartsWith("Thread 0 (0x1) pumps window messages (user32!DispatchMessageW) and is inside a message handler of app.exe!WndProc: until it returns",
            claim?.Text, StringComparison.Ordinal);
        Assert.Equal(Confidence.Confirmed, claim!.Confidence);
    }

    [Fact]
    public void Deadlock_that_one_waits_behind_says_so()
    {
        Verdict? verdict = Only(LockedOut().Thread(2).Wait(2, s_other).Own(s_other, 3).Thread(3).Wait(3, Section).Own(Section, 2));
        Is("DUMP1002", Confidence.Confirmed, verdict);
        Assert.Equal(Confidence.Confirmed, AboutWindows(verdict)?.Confidence);
        Assert.StartsWith("Thread 0 (0x1), behind it, pumps", AboutWindows(verdict)!.Text, StringComparison.Ordinal);
    }

    [Fact]
    public void Weak_wait_behind_a_deadlock_stays_weak()
    {
        SnapshotBuilder builder = Handler(UiThreadStacks.SectionWait).Wait(1, Section, grade: Grade.Derived).Own(Section, 2).Thread(2).Wait(2, s_other)
            .Own(s_other, 3).Thread(3).Wait(3, Section).Own(Section, 2);
        Assert.Equal(Confidence.Likely, AboutWindows(Only(builder))?.Confidence);
    }

    [Fact]
    public void Handler_that_is_only_guessed_stays_a_guess() =>
        Assert.Equal(Confidence.Suspected, AboutWindows(Only(Cycle(UiThreadStacks.NoNames(UiThreadStacks.SectionWait))))?.Confidence);

    [Fact]
    public void Deadlock_of_other_threads_beside_an_idle_loop_says_nothing() =>
        Assert.Null(AboutWindows(Only(Cycle(["app!Worker"]).Thread(3, ThreadActivityKind.Idle, UiThreadStacks.IdleWin32))));

    [Fact]
    public void Dialog_in_front_of_a_handler_takes_input() =>
        Assert.Null(AboutWindows(Only(Cycle(["app!Worker"]).Thread(3, ThreadActivityKind.Idle, UiThreadStacks.ModalDialog).Wait(3, Section))));
}
