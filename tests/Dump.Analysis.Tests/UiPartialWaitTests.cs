using Dump.Analysis.UserInterface;
using Dump.Model.Facts;
using Dump.Model.Process;
using Dump.Model.Verdicts;
using Dump.Model.Waits;
using static Dump.Analysis.Tests.UiDetections;

namespace Dump.Analysis.Tests;

/// <summary>
/// Waits that take some messages and leave others, by the wake mask that the program gave; and entries of user32 that only the caller's code names.
/// </summary>
public sealed class UiPartialWaitTests
{
    private static readonly string[] s_messageWait = ["win32u!NtUserMsgWaitForMultipleObjectsEx", "user32!MsgWaitForMultipleObjects"];

    private static SnapshotBuilder Waiting(uint mask, string[]? frames = null) => new SnapshotBuilder()
        .Thread(1, frames: frames ?? UiThreadStacks.Exports(s_messageWait))
        .With(t => t with { MessageWait = new MessageWait("MsgWaitForMultipleObjects", mask, [new Evidence(EvidenceSource.Code, "by hand")]) });

    [Theory]
    [InlineData(0x40u, "QS_SENDMESSAGE", "Messages that other threads send still reach it; input, timers, painting, posted messages and COM calls")]
    [InlineData(0x48u, "QS_POSTMESSAGE | QS_SENDMESSAGE", "COM calls and messages that other threads send still reach it")]
    [InlineData(0x10u, "QS_TIMER", "Until it returns there")]
    [InlineData(0x0u, "no messages", "Until it returns there")]
    [InlineData(0x80000u, "0x80000", "Until it returns there")]
    public void Wait_in_a_handler_that_no_input_ends_is_a_blockage(uint mask, string names, string consequence)
    {
        Verdict? verdict = Only(Waiting(mask).Wait(1, Event, grade: Grade.Derived));
        Is("DUMP4003", Confidence.Suspected, verdict);
        Assert.Contains($"MsgWaitForMultipleObjects ({names}) for event", verdict!.Claims[1].Text, StringComparison.Ordinal);
        Assert.StartsWith(consequence, verdict.Claims[^1].Text, StringComparison.Ordinal);
    }

    [Theory]
    [InlineData(0x4FFu)]
    [InlineData(0x1u)]
    [InlineData(0x2u)]
    [InlineData(0x400u)]
    public void Wait_that_input_ends_is_a_loop(uint mask) => Assert.Null(Only(Waiting(mask)));

    [Fact]
    public void Wait_whose_mask_is_unknown_counts_as_a_loop() => Assert.Null(
        Only(new SnapshotBuilder().Thread(1, ThreadActivityKind.Idle, UiThreadStacks.Exports(s_messageWait))));

    [Fact]
    public void Wait_outside_of_any_handler_is_the_thread_s_own_business() =>
        Assert.Null(Only(Waiting(0x40, [.. s_messageWait, "app!Worker", "kernel32!BaseThreadInitThunk"])));

    [Theory]
    [InlineData(0x2u, true)]
    [InlineData(null, true)]
    [InlineData(0x18u, false)]
    public void Wait_of_com_that_handles_window_messages_is_a_loop(uint? flags, bool isBlocked)
    {
        SnapshotBuilder builder = new SnapshotBuilder().Thread(1, frames: UiThreadStacks.Wpf(UiThreadStacks.StaWait)).With(t => t with { ComWaitFlags = flags })
            .Wait(1, Event);
        Assert.Equal(isBlocked ? "DUMP4003" : null, Only(builder)?.DetectorId);
    }

    private static UiThread? Entered(string? function) => Assert.Single(UiThreads.Find(
        new SnapshotBuilder().Thread(1, frames: UiThreadStacks.NoNames(UiThreadStacks.EventWait)).With(t => t with
        {
            Stack = t.Stack with { Frames = [.. t.Stack.Frames.Select((f, i) => f.ModuleStem == "user32" && t.Stack.Frames[i + 1].ModuleStem != "user32"
                ? f with { EnteredAs = function } : f)] },
        }).Build()));

    [Fact]
    public void Frames_without_names_that_were_entered_as_DispatchMessage_prove_the_loop()
    {
        Assert.Equal((UiThreadState.Handling, Grade.Proven), (Entered("DispatchMessageW")!.State, Entered("DispatchMessageW")!.Grade));
        Assert.Equal(Grade.Suspected, Entered(null)!.Grade);
        Assert.Equal(Grade.Suspected, Entered("CallWindowProcW")!.Grade);
    }

    [Fact]
    public void Thread_that_never_called_the_window_manager_has_no_loop_for_certain()
    {
        UiThread Found(bool? isGui) => Assert.Single(UiThreads.Find(
            new SnapshotBuilder().Thread(1, frames: UiThreadStacks.Exports(UiThreadStacks.EventWait)).With(t => t with { IsGuiThread = isGui }).Build()));
        Assert.Equal([Grade.Proven, Grade.Proven, Grade.Suspected], new bool?[] { null, true, false }.Select(g => Found(g).Grade));
    }

    [Theory]
    [InlineData(null, DetectorOutcomeKind.InsufficientData)]
    [InlineData(true, DetectorOutcomeKind.InsufficientData)]
    [InlineData(false, DetectorOutcomeKind.NotDetected)]
    public void Stack_with_more_frames_than_are_walked_leaves_the_question_open(bool? isGui, DetectorOutcomeKind expected)
    {
        ProcessSnapshot snapshot = new SnapshotBuilder().Thread(1, frames: ["app!Recurse"], end: StackEnd.Limit).With(t => t with { IsGuiThread = isGui })
            .Build();
        Assert.Equal(expected, HangAnalysis.Run(snapshot).Outcomes.Single(o => o.DetectorId == "DUMP4003").Kind);
    }
}
