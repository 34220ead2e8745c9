using Dump.Model.Facts;
using Dump.Model.Process;
using Dump.Model.Verdicts;
using Dump.Model.Waits;

namespace Dump.Analysis.Tests;

/// <summary>Waits of Windows programs that no verdict judges: of the thread that ends the process, and of the first thread for an answer.</summary>
public sealed class WindowsOpenWaitTests
{
    private static readonly string[] s_call = ["ntdll!NtRequestWaitReplyPort", "gdi32!CreateDCW", "app!PrintFile", "app!main"];
    private static readonly string[] s_join = ["ntdll!NtWaitForSingleObject", "kernelbase!WaitForSingleObjectEx", "app!shutdown", "app!main"];

    private static AnalysisResult Run(SnapshotBuilder builder) => HangAnalysis.Run(builder.Build() with { TriggerThread = 1 });

    /// <summary>What idle programs wait for on their first thread leaves nothing open.</summary>
    [Theory]
    [InlineData(ResourceKind.RemoteCall, WaitTimeout.Unknown, true)]
    [InlineData(ResourceKind.ComCall, WaitTimeout.Infinite, true)]
    [InlineData(ResourceKind.Mutex, WaitTimeout.Infinite, true)]
    [InlineData(ResourceKind.WindowMessage, WaitTimeout.Infinite, true)]
    [InlineData(ResourceKind.Mutex, WaitTimeout.Finite, false)]
    [InlineData(ResourceKind.Event, WaitTimeout.Infinite, false)]
    [InlineData(ResourceKind.InputOutput, WaitTimeout.Infinite, false)]
    public void First_thread_that_waits_for_an_answer_leaves_it_open(ResourceKind kind, WaitTimeout timeout, bool isOpen)
    {
        AnalysisResult result = Run(new SnapshotBuilder().Thread(1, frames: s_call).Wait(1, new Resource(kind, 0x44), timeout));
        Assert.Equal(isOpen, result.OpenWaits.Any(w => w is { Kind: OpenWaitKind.FirstThread, LeavesUndecided: true }));
        Assert.Equal(isOpen, result.IsUndecidable);
    }

    [Fact]
    public void Thread_that_serves_such_calls_is_idle() =>
        Assert.False(Run(new SnapshotBuilder().Thread(1, ThreadActivityKind.Idle, s_call).Wait(1, new Resource(ResourceKind.RemoteCall, 0x44))).IsUndecidable);

    /// <summary>A join is followed to the thread that waits in the end, which has a line of its own.</summary>
    [Theory]
    [InlineData(ResourceKind.ComCall, true)]
    [InlineData(ResourceKind.Event, false)]
    public void Join_is_followed_to_what_is_waited_for(ResourceKind kind, bool isOpen)
    {
        AnalysisResult result = Run(new SnapshotBuilder().Thread(1, frames: s_join).Thread(2, frames: ["win32u!NtUserMsgWaitForMultipleObjectsEx", "combase!CoUninitialize", "lib!Stop"])
            .Wait(1, new Resource(ResourceKind.Thread, 2), WaitTimeout.Infinite).Own(new Resource(ResourceKind.Thread, 2), 2)
            .Wait(2, new Resource(kind, 0, 2), WaitTimeout.Infinite));
        Assert.Equal([(1u, isOpen), (2u, isOpen)], result.OpenWaits.Select(w => (w.ThreadId!.Value, w.LeavesUndecided)));
        Assert.Equal(isOpen, result.IsUndecidable);
    }

    /// <summary>A handler of atexit that polls stands in no wait without an end: it is told all the same, as one that waits for a thread which computes is.</summary>
    [Theory]
    [InlineData("msvcrt!_cexit", ThreadActivityKind.Sleeping, true)]
    [InlineData("ucrtbase!exit", ThreadActivityKind.Sleeping, true)]
    [InlineData("app!exit", ThreadActivityKind.Sleeping, false)]
    public void Exit_of_the_runtime_that_polls_is_told(string function, ThreadActivityKind activity, bool isTold)
    {
        AnalysisResult result = Run(new SnapshotBuilder().Thread(1, activity, ["ntdll!NtDelayExecution", "kernelbase!Sleep", "app!at_exit", function, "app!main"])
            .Wait(1, new Resource(ResourceKind.Time, 0, 1), WaitTimeout.Finite, milliseconds: 50));
        Assert.Equal(isTold, result.OpenWaits.Any(w => w is { Kind: OpenWaitKind.ProcessExit, LeavesUndecided: false }));
        Assert.False(result.IsUndecidable);
    }

    /// <summary>An exit takes milliseconds: one that stands is told, with the module in whose detach it stands, unless its wait has a limit.</summary>
    [Theory]
    [InlineData(WaitTimeout.Unknown, true)]
    [InlineData(WaitTimeout.Finite, false)]
    public void Exit_that_stands_is_told(WaitTimeout timeout, bool isOpen)
    {
        AnalysisResult result = Run(new SnapshotBuilder().Thread(1, ThreadActivityKind.Sleeping, ["ntdll!NtDelayExecution", "kernelbase!SleepEx", "profiler!Shutdown",
            "profiler!DllMain", "ntdll!LdrShutdownProcess", "ntdll!RtlExitUserProcess", "app!main"]).Wait(1, new Resource(ResourceKind.Time, 0, 1), timeout));
        OpenWait wait = Assert.Single(result.OpenWaits);
        Assert.Equal((OpenWaitKind.ProcessExit, isOpen, "ends the process, whose last thread it is, is in the process detach of profiler.dll,"),
            (wait.Kind, wait.LeavesUndecided, wait.Role));
        Assert.Equal(isOpen, result.IsUndecidable);
    }

    [Fact]
    public void Exit_whose_only_thread_is_suspended_says_so()
    {
        ProcessSnapshot snapshot = new SnapshotBuilder().Thread(1, ThreadActivityKind.SystemCall, ["ntdll!NtTerminateProcess", "ntdll!RtlExitUserProcess", "app!main"]).Build();
        AnalysisResult result = HangAnalysis.Run(snapshot with { Threads = [snapshot.Threads[0] with { SuspendedAbove = 1 }] });
        Assert.EndsWith(", and is suspended (count 1 above what the dump's writer gives): it does not go on until somebody resumes it",
            Assert.Single(result.OpenWaits).Activity, StringComparison.Ordinal);
    }

    /// <summary>A guessed frame, and the same name in another module, tell of no exit.</summary>
    [Theory]
    [InlineData("ntdll!RtlExitUserProcess", FrameTrust.Scan)]
    [InlineData("app!RtlExitUserProcess", FrameTrust.UnwindInfo)]
    public void Otherwise_no_exit_is_told(string function, FrameTrust trust) => Assert.DoesNotContain(
        Run(new SnapshotBuilder().Thread(1, ThreadActivityKind.Sleeping, ["ntdll!NtDelayExecution", "kernelbase!SleepEx", function, "app!main"], trust: trust)
            .Wait(1, new Resource(ResourceKind.Time, 0, 1), WaitTimeout.Infinite)).OpenWaits, w => w.Kind == OpenWaitKind.ProcessExit);
}
