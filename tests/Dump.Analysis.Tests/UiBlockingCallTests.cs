using Dump.Model.Facts;
using Dump.Model.Process;
using Dump.Model.Verdicts;
using Dump.Model.Waits;
using static Dump.Analysis.Tests.UiDetections;

namespace Dump.Analysis.Tests;

/// <summary>DUMP4003: calls that a handler blocks in.</summary>
public sealed class UiBlockingCallTests
{
    public static TheoryData<ResourceKind, string> Calls => new()
    {
        { ResourceKind.Event, "event" }, { ResourceKind.Process, "process" }, { ResourceKind.InputOutput, "input or output" },
            { ResourceKind.RemoteCall, "another process" },
        { ResourceKind.ManagedSignal, "signal" }, { ResourceKind.ConditionVariable, "condition" },
    };

    [Theory]
    [MemberData(nameof(Calls))]
    public void Wait_in_a_handler_is_suspected_and_says_for_what(ResourceKind kind, string words)
    {
        Verdict? verdict = Only(Handler(UiThreadStacks.EventWait).Wait(1, new Resource(kind, 0x58), WaitTimeout.Unknown));
        Is("DUMP4003", Confidence.Suspected, verdict);
        Assert.Contains(words, verdict!.Claims[1].Text, StringComparison.Ordinal);
    }

    [Fact]
    public void Wait_in_a_hung_window_is_likely() => Is("DUMP4003", Confidence.Likely, Only(Handler(UiThreadStacks.EventWait, Hung).Wait(1, Event)));

    /// <summary>What Windows says of a thread, and what its stack shows: a measurement over 5 s is Likely, a late answer alone is Suspected.</summary>
    [Theory]
    [InlineData(true, Confidence.Likely, "Windows says that the thread has taken no message for 5 s")]
    [InlineData(false, Confidence.Suspected, "did not answer within 1 s: a long operation looks the same as a hang")]
    public void Window_that_did_not_answer_is_said_with_its_source(bool isHung, Confidence expected, string words)
    {
        Verdict? verdict = Only(Handler(UiThreadStacks.EventWait).With(t => t with { UnansweredWindow = Unanswered(isHung) }).Wait(1, Event));
        Is("DUMP4003", expected, verdict);
        Claim claim = Assert.Single(verdict!.Claims, c => c.Text.Contains(words, StringComparison.Ordinal));
        Assert.StartsWith("Window 0x10038 of thread 0 (0x1) ", claim.Text, StringComparison.Ordinal);
        Assert.Equal((expected, EvidenceSource.System), (claim.Confidence, Assert.Single(claim.Evidence).Source));
    }

    /// <summary>Where the loop is only inferred, Windows alone says which thread it is.</summary>
    [Fact]
    public void Hung_window_above_an_inferred_loop_is_suspected() => Is("DUMP4003", Confidence.Suspected, Only(
        new SnapshotBuilder().Thread(1, frames: UiThreadStacks.NoNames(UiThreadStacks.EventWait)).With(t => t with { UnansweredWindow = Unanswered(true) })
            .Wait(1, Event)));

    [Theory]
    [InlineData(250L, null)]
    [InlineData(4_999L, null)]
    [InlineData(5_000L, "DUMP4003")]
    [InlineData(null, "DUMP4003")]
    public void Wait_that_ends_within_a_moment_is_none(long? milliseconds, string? expected)
    {
        Verdict? verdict = Only(Handler(UiThreadStacks.EventWait).Wait(1, Event, WaitTimeout.Finite, milliseconds: milliseconds));
        Assert.Equal(expected, verdict?.DetectorId);
        Assert.True(verdict is null or { Confidence: Confidence.Suspected });
    }

    [Fact]
    public void Sleep_without_end_is_likely() => Is("DUMP4003", Confidence.Likely,
        Only(Handler(["ntdll!NtDelayExecution", "kernelbase!SleepEx"]).Wait(1, Sleep)));

    [Fact]
    public void Join_of_a_thread_that_sends_to_a_window_is_suspected_and_no_deadlock()
    {
        Verdict? verdict = Only(Handler(UiThreadStacks.EventWait).Wait(1, new Resource(ResourceKind.Thread, 2)).Own(new Resource(ResourceKind.Thread, 2), 2)
            .Thread(2, frames: ["win32u!NtUserMessageCall", "user32!SendMessageW", "app!Report"]).Wait(2, Message, WaitTimeout.Unknown));
        Is("DUMP4003", Confidence.Suspected, verdict);
        Assert.Contains(verdict!.Claims, c => c.Text.Contains("is one of thread 0 (0x1), neither", StringComparison.Ordinal));
        Assert.DoesNotContain(verdict.Claims, c => c.Text.Contains("deadlock", StringComparison.Ordinal));
    }

    [Fact]
    public void Sent_message_names_the_only_other_thread_in_a_handler()
    {
        SnapshotBuilder builder = Handler(["win32u!NtUserMessageCall", "user32!SendMessageWorker", "user32!SendMessageW"])
            .Wait(1, new Resource(ResourceKind.WindowMessage, 0, 1), WaitTimeout.Unknown)
            .Thread(2, frames: UiThreadStacks.Exports(UiThreadStacks.EventWait)).Wait(2, Event);
        Verdict verdict = HangAnalysis.Run(builder.Build()).Verdicts.Single(v => v.Threads[0] == 1);
        Is("DUMP4003", Confidence.Suspected, verdict);
        Assert.Contains(verdict.Claims, c => c.Text.StartsWith("The window may belong to thread 1 (0x2)", StringComparison.Ordinal)
            && c.Confidence == Confidence.Suspected);
    }

    [Fact]
    public void Call_to_another_apartment_blocks_although_the_thread_pumps()
    {
        Verdict? verdict = Only(new SnapshotBuilder().Thread(1, ThreadActivityKind.Idle, UiThreadStacks.Mfc(UiThreadStacks.ComCall)));
        Is("DUMP4003", Confidence.Suspected, verdict);
        Assert.Contains("COM call", verdict!.Claims[1].Text, StringComparison.Ordinal);
    }

    [Fact]
    public void What_the_program_asked_for_is_said()
    {
        Verdict? verdict = Only(Handler([.. UiThreadStacks.EventWait, "rpcrt4!NdrClientCall3", "winspool", "winspool!OpenPrinterW"]).Wait(1, Event));
        Assert.Contains(verdict!.Claims, c => c.Text.Contains("print spooler", StringComparison.Ordinal)
            && c.Text.Contains("OpenPrinterW", StringComparison.Ordinal));
    }

    public static TheoryData<string> OtherCalls =>
        ["win32u!NtGdiDdDDIEscape", "win32u!NtUserSetWindowPos", "ntdll!NtOpenKeyEx", "win32u!NtUserPostMessage", "win32u!NtUserCallNextHookEx", "nvwgf2umx"];

    /// <summary>Whatever the call is: a handler that stands in it at the moment of the dump.</summary>
    [Theory]
    [MemberData(nameof(OtherCalls))]
    public void Handler_in_a_call_of_no_table_is_suspected_and_likely_in_a_hung_window(string call)
    {
        string[] innermost = [call, "d3d11", "app!Render"];
        Verdict? verdict = Only(Handler(innermost, activity: ThreadActivityKind.SystemCall));
        Is("DUMP4003", Confidence.Suspected, verdict);
        Assert.Contains("NtTest on behalf of app.exe!Render", verdict!.Claims[1].Text, StringComparison.Ordinal);
        Assert.Equal("app.exe", verdict.Culprit?.Module);
        Is("DUMP4003", Confidence.Likely, Only(Handler(innermost, Hung, ThreadActivityKind.SystemCall)));
    }

    /// <summary>What user32 does between two messages is no handler, and without a known call nothing is said.</summary>
    [Theory]
    [InlineData(ThreadActivityKind.Idle, "win32u!NtUserGetMessage", "user32!GetMessageW")]
    [InlineData(ThreadActivityKind.SystemCall, "win32u!NtUserPeekMessage", "user32!PeekMessageW")]
    [InlineData(ThreadActivityKind.SystemCall, "win32u!NtUserTranslateMessage", "user32!TranslateMessage")]
    public void Pump_is_no_handler(ThreadActivityKind activity, params string[] frames) =>
        Assert.Null(Only(new SnapshotBuilder().Thread(1, activity, [.. frames, "app!Loop", "kernel32!BaseThreadInitThunk"])));

    [Fact]
    public void Handler_of_which_nothing_is_known_has_no_verdict_and_the_answer_is_open()
    {
        ProcessSnapshot snapshot = Handler(["app!Render"], activity: ThreadActivityKind.Unknown).Build();
        AnalysisResult result = HangAnalysis.Run(snapshot);
        Assert.Empty(result.Verdicts);
        Assert.True(result.IsUndecidable);
    }

    /// <summary>Without user32's names the loop is a guess, unless the comment says that a window has hung and no other thread can be the window's.</summary>
    [Fact]
    public void Only_candidate_for_a_hung_window_is_likely()
    {
        string[] unnamed = ["win32u!NtGdiDdDDIEscape", "app!Render", "user32", "user32", "app!Loop"];
        SnapshotBuilder With(string? comment) => new SnapshotBuilder { Comment = comment }.Thread(1, ThreadActivityKind.SystemCall, unnamed);
        Is("DUMP4003", Confidence.Suspected, Only(With(null)));
        Is("DUMP4003", Confidence.Likely, Only(With(Hung)));
        Assert.All(HangAnalysis.Run(With(Hung).Thread(2, ThreadActivityKind.SystemCall, unnamed).Build()).Verdicts, v =>
            Assert.Equal(Confidence.Suspected, v.Confidence));
        Is("DUMP4003", Confidence.Suspected, Only(With(Hung).Thread(2, frames: ["app!Work"], end: StackEnd.MemoryMissing)));
    }
}
