using Dump.Model.Contract;
using Dump.Model.Facts;
using Dump.Model.Process;
using Dump.Model.Verdicts;
using Dump.Model.Waits;

namespace Dump.Analysis.Tests;

/// <summary>DUMP8001: dumps that were written for a crash, told apart from those that somebody asked for.</summary>
public sealed class CrashTests
{
    private const int KernelFault = 1;
    private const int SentToThread = -6;
    private const uint Process = 4_711;

    private static readonly string[] s_own = ["shop!Cart.Add", "shop!main"];

    [Theory]
    [InlineData(0xC0000005u, "an access violation (0xc0000005) at shop!Cart.Add: it wrote to 0x18")]
    [InlineData(0xC00000FDu, "a stack overflow (0xc00000fd) at shop!Cart.Add")]
    [InlineData(0xE06D7363u, "a C++ exception (0xe06d7363) at shop!Cart.Add")]
    [InlineData(0xDEADBEEFu, "an exception 0xdeadbeef at shop!Cart.Add")]
    public void Exception_that_ends_the_process_is_a_crash_in_words(uint code, string words)
    {
        Verdict verdict = Assert.Single(Windows(new RecordedException(1)
        {
            Code = code,
            Access = MemoryAccess.Write,
            AccessedAddress = code == 0xC0000005 ? 0x18 : null,
            Stack = Stack(s_own),
        }).Verdicts);
        Assert.Equal(("DUMP8001", Confidence.Likely), (verdict.DetectorId, verdict.Confidence));
        Assert.Equal($"Thread 0 (0x1) raised {words}.", verdict.Claims[0].Text);
        Assert.Equal(["shop!Cart.Add"], verdict.LookAt.Select(p => p.Code));
        Assert.True(Assert.Single(verdict.Stacks).IsOfException);
    }

    /// <summary>Breakpoint, single step, debug output, a thread's name, Crashpad's and Breakpad's dumps on request.</summary>
    [Theory]
    [InlineData(0x80000003u)]
    [InlineData(0x4000001Fu)]
    [InlineData(0x80000004u)]
    [InlineData(0x40010006u)]
    [InlineData(0x406D1388u)]
    [InlineData(0x0517A7EDu)]
    [InlineData(0xC0000025u)]
    [InlineData(0xCFFFFFFFu)]
    [InlineData(0xC000013Au)]
    public void Request_for_a_stop_or_a_dump_is_no_crash(uint code) => Assert.Empty(Windows(new RecordedException(1) { Code = code, Stack = Stack(s_own) })
        .Verdicts);

    [Fact]
    public void Fast_fail_is_confirmed_with_its_reason()
    {
        Verdict verdict = Assert.Single(Windows(new RecordedException(1) { Code = 0xC0000409, Subcode = 7, Stack = Stack(s_own) }).Verdicts);
        Assert.Equal(Confidence.Confirmed, verdict.Confidence);
        Assert.EndsWith("the program ended itself, as abort does (subcode 7).", verdict.Claims[0].Text, StringComparison.Ordinal);
        Assert.Equal("0xc0000409 7", verdict.Failure);
    }

    /// <summary>The .NET runtime on Windows has its dump written without the exception; the exception object tells more than the fact that it does.</summary>
    [Theory]
    [InlineData(true, Confidence.Confirmed, "System.FormatException")]
    [InlineData(false, Confidence.Likely, "unknown .NET exception")]
    public void Dump_that_the_runtime_has_written_itself_is_of_a_crash(bool isRead, Confidence expected, string failure)
    {
        Verdict verdict = Assert.Single(Windows(new RecordedException(1)
        {
            IsRuntimeEnding = true,
            Thrown = isRead ? [new ThrownException("System.FormatException", "no number")] : [],
        }).Verdicts);
        Assert.Equal((expected, failure), (verdict.Confidence, verdict.Failure));
        Assert.Equal(
            ["Thread 0 (0x1) ends the process: the .NET runtime has this dump written on it.",
                .. isRead ? ["The exception is System.FormatException: \"no number\"."] : (string[])[]],
            verdict.Claims.Select(c => c.Text));
    }

    [Theory]
    [InlineData("*** Unhandled exception: C0000005.ACCESS_VIOLATION", Confidence.Confirmed)]
    [InlineData("*** First chance exception: C0000005.ACCESS_VIOLATION", null)]
    [InlineData(null, Confidence.Likely)]
    public void Comment_of_the_writer_tells_whether_something_may_handle_it(string? comment, Confidence? expected)
    {
        ProcessSnapshot snapshot = new SnapshotBuilder { Comment = comment }.Thread(1, ThreadActivityKind.Running, s_own).Build();
        AnalysisResult result = HangAnalysis.Run(snapshot with { Exception = new RecordedException(1) { Code = 0xC0000005, Stack = Stack(s_own) } });
        Assert.Equal(expected, result.Verdicts.SingleOrDefault()?.Confidence);
    }

    [Fact]
    public void Exception_object_is_told_with_its_causes()
    {
        Verdict verdict = Assert.Single(Windows(new RecordedException(1)
        {
            Code = 0xE0434352,
            Thrown = [new ThrownException("Shop.OrderException", "no order"), new ThrownException("System.FormatException", null)],
            Stack = Stack(s_own),
        }).Verdicts);
        Assert.Equal("The exception is Shop.OrderException: \"no order\", caused by System.FormatException.", verdict.Claims[1].Text);
        Assert.Equal("Shop.OrderException", verdict.Failure);
    }

    /// <summary>Behind many frames by which a runtime throws, the program's own are shown: they tell crashes apart.</summary>
    [Fact]
    public void Frames_of_the_program_are_shown_however_far_out()
    {
        Verdict verdict = Assert.Single(Windows(new RecordedException(1)
        {
            Code = 0xE0434352,
            Stack = Stack([.. Enumerable.Range(0, 20).Select(i => $"coreclr!throw{i}"), .. s_own]),
        }).Verdicts);
        Assert.Equal([0, 1, 2, 3, 4, 5, 20, 21], Assert.Single(verdict.Stacks).FrameIndexes.Take(8));
        Assert.Equal(["shop!Cart.Add"], verdict.LookAt.Select(p => p.Code));
    }

    /// <summary>.NET on Windows has its dump written without the exception.</summary>
    [Theory]
    [InlineData("system.private.corelib!System.Environment.FailFast", true)]
    [InlineData("shop!System.Environment.FailFast", false)]
    public void Program_that_ends_itself_is_known_by_its_stack(string function, bool expected)
    {
        ProcessSnapshot snapshot = new SnapshotBuilder().Thread(1).Thread(2, ThreadActivityKind.Waiting, ["coreclr", function, .. s_own]).Build();
        Verdict? verdict = HangAnalysis.Run(snapshot).Verdicts.SingleOrDefault();
        Assert.Equal(expected, verdict is not null);
        if (verdict is not null)
        {
            Assert.Equal(("DUMP8001", Confidence.Confirmed, "Environment.FailFast"), (verdict.DetectorId, verdict.Confidence, verdict.Failure));
            Assert.Equal("Thread 1 (0x2) ends the process: it called Environment.FailFast.", Assert.Single(verdict.Claims).Text);
            Assert.Equal(["shop!Cart.Add"], verdict.LookAt.Select(p => p.Code));
            Assert.False(Assert.Single(verdict.Stacks).IsOfException);
        }
    }

    /// <summary>A dump that was written meanwhile by somebody who recorded no exception; a search of the stack, and a program's own function, show nothing.</summary>
    [Theory]
    [InlineData("kernelbase!UnhandledExceptionFilter", FrameTrust.UnwindInfo, true)]
    [InlineData("kernelbase!UnhandledExceptionFilter", FrameTrust.Scan, false)]
    [InlineData("shop!UnhandledExceptionFilter", FrameTrust.UnwindInfo, false)]
    [InlineData("ntdll!RtlReportSilentProcessExit", FrameTrust.UnwindInfo, false)]
    public void Crash_that_is_being_handled_is_known_by_its_stack(string function, FrameTrust trust, bool expected)
    {
        ProcessSnapshot snapshot = new SnapshotBuilder().Thread(1)
            .Thread(2, ThreadActivityKind.Waiting, ["ntdll!NtWaitForMultipleObjects", function, "ntdll!KiUserExceptionDispatcher", .. s_own])
            .With(t => t with { Stack = t.Stack with { Frames = [.. t.Stack.Frames.Select((f, i) => i == 0 ? f : f with { Trust = trust })] } }).Build();
        Verdict? verdict = HangAnalysis.Run(snapshot).Verdicts.SingleOrDefault(v => v.DetectorId == DetectorIds.Crashed);
        Assert.Equal(expected, verdict is not null);
        if (verdict is not null)
        {
            Assert.Equal(Confidence.Likely, verdict.Confidence);
            Assert.Equal(
                $"Thread 1 (0x2) has crashed: {function} on its stack asks what to do with an exception that nothing handled.",
                Assert.Single(verdict.Claims).Text);
            Assert.Equal(["shop!Cart.Add"], verdict.LookAt.Select(p => p.Code));
        }
    }

    /// <summary>
    /// A signal of the kernel, the program's own abort, createdump's record of that; the same record without an exception, kill -ABRT, gcore's stop, a signal
    /// that is none of a crash.
    /// </summary>
    [Theory]
    [InlineData(11, KernelFault, null, false, true)]
    [InlineData(6, SentToThread, Process, false, true)]
    [InlineData(6, 0, 0u, true, true)]
    [InlineData(6, 0, 0u, false, false)]
    [InlineData(6, 0, 99u, true, false)]
    [InlineData(6, SentToThread, 99u, false, false)]
    [InlineData(11, 0, 99u, false, false)]
    [InlineData(19, 128, null, false, false)]
    [InlineData(3, KernelFault, null, false, false)]
    public void Signal_is_a_crash_where_the_thread_caused_it(int signal, int code, uint? sender, bool inFlight, bool expected)
    {
        ProcessSnapshot snapshot = new SnapshotBuilder().Thread(1, frames: ["libc", .. s_own]).Build();
        AnalysisResult result = HangAnalysis.Run(snapshot with
        {
            ProcessId = Process,
            System = snapshot.System with { Family = OperatingSystemFamily.Linux },
            Exception = new RecordedException(1)
            {
                Signal = signal,
                SignalCode = code,
                SenderProcessId = sender,
                Thrown = inFlight ? [new ThrownException("Shop.OrderException", null)] : [],
            },
        });
        Assert.Equal(expected, result.Verdicts.Any(v => v is { DetectorId: DetectorIds.Crashed, Confidence: Confidence.Confirmed }));
    }

    /// <summary>A native program has no managed half to look at.</summary>
    [Theory]
    [InlineData(false, "gdb PROGRAM CORE: bt")]
    [InlineData(true, "dotnet-dump analyze: clrthreads, pe, clrstack; gdb: bt")]
    public void Advice_on_a_signal_names_tools_that_help(bool isManaged, string tools)
    {
        ProcessSnapshot snapshot = new SnapshotBuilder().Thread(1, frames: ["libc", .. s_own]).Build();
        Verdict verdict = Assert.Single(HangAnalysis.Run(snapshot with
        {
            System = snapshot.System with { Family = OperatingSystemFamily.Linux },
            Exception = new RecordedException(1)
            {
                Signal = 11,
                SignalCode = KernelFault,
                Thrown = isManaged ? [new ThrownException("System.NullReferenceException", null)] : [],
            },
        }).Verdicts, v => v.DetectorId == DetectorIds.Crashed);
        Assert.Contains($"({tools})", Assert.Single(verdict.Remedies), StringComparison.Ordinal);
    }

    /// <summary>What hangs is told first where it is likely, and both are told.</summary>
    [Fact]
    public void Hang_that_is_sure_goes_before_the_crash()
    {
        ProcessSnapshot snapshot = new SnapshotBuilder()
            .Thread(1).Thread(2).Thread(3, ThreadActivityKind.Running, s_own)
            .Own(SnapshotBuilder.Section(0x100), 1).Own(SnapshotBuilder.Section(0x200), 2)
            .Wait(1, SnapshotBuilder.Section(0x200)).Wait(2, SnapshotBuilder.Section(0x100)).Build();
        AnalysisResult result = HangAnalysis.Run(snapshot with { Exception =
            new RecordedException(3) { Code = 0xC0000409, Subcode = 7, Stack = Stack(s_own) } });
        Assert.Equal(["DUMP1002", "DUMP8001"], result.Verdicts.Select(v => v.DetectorId));
    }

    /// <summary>While Windows reports the crash of a window's thread, it waits in a handler and its window takes no message; that is no hang.</summary>
    [Theory]
    [InlineData(0xC0000005u, new[] { "DUMP8001" })]
    [InlineData(0x80000003u, new[] { "DUMP4003" })]
    public void Thread_that_crashed_has_no_verdict_on_a_hang(uint code, string[] expected)
    {
        ProcessSnapshot snapshot = UiDetections.Handler(UiThreadStacks.EventWait).Wait(1, UiDetections.Event).Build();
        AnalysisResult result = HangAnalysis.Run(snapshot with { Exception = new RecordedException(1) { Code = code, Stack = Stack(s_own) } });
        Assert.Equal(expected, result.Verdicts.Select(v => v.DetectorId));
        Assert.Equal(code == 0x80000003 ? DetectorOutcomeKind.Detected : DetectorOutcomeKind.NotDetected,
            Assert.Single(result.Outcomes, o => o.DetectorId == "DUMP4003").Kind);
    }

    [Fact]
    public void Recursion_without_end_names_its_function()
    {
        Verdict verdict = Assert.Single(Windows(new RecordedException(1) { Code = 0xC00000FD, Stack = Stack([.. Enumerable.Repeat("shop!Walk", 300)]) })
            .Verdicts);
        Assert.Contains(verdict.Claims, c => c.Text == "shop!Walk stands 300 times on its stack: it calls itself without end.");
    }

    [Fact]
    public void Stack_without_frames_leaves_the_exception_told()
    {
        ProcessSnapshot snapshot = new SnapshotBuilder().Thread(1, ThreadActivityKind.Running).With(t => t with { Stack = ThreadStack.None }).Build();
        Verdict verdict = Assert.Single(HangAnalysis.Run(snapshot with { Exception = new RecordedException(1) { Code = 0xC00000FD } }).Verdicts);
        Assert.Equal("Thread 0 (0x1) raised a stack overflow (0xc00000fd).", verdict.Claims[0].Text);
        Assert.Empty(verdict.Stacks);
    }

    [Fact]
    public void Without_a_recorded_exception_nothing_is_said() => Assert.Empty(Windows(null).Verdicts);

    private static AnalysisResult Windows(RecordedException? exception)
    {
        ProcessSnapshot snapshot = new SnapshotBuilder().Thread(1, ThreadActivityKind.Running, s_own).Build();
        return HangAnalysis.Run(snapshot with { Exception = exception });
    }

    private static ThreadStack Stack(string[] frames) => new SnapshotBuilder().Thread(1, ThreadActivityKind.Running, frames).Build().Threads[0].Stack;
}
