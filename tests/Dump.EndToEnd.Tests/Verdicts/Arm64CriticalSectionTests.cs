using Dump.Model.Facts;
using Dump.Model.Process;
using Dump.Model.Verdicts;
using Dump.Model.Waits;
using Dump.Testing.Synthetic;

namespace Dump.EndToEnd.Tests.Verdicts;

/// <summary>
/// Hangs of ARM64 processes, on minidumps made by hand. What is read of them rests on documentation alone, so no verdict is more than likely.
/// </summary>
public sealed class Arm64CriticalSectionTests
{
    private const uint A = 0x20;
    private const uint B = 0x24;
    private const uint C = 0x28;

    // An authentication code as signed code stores it: in bits that no user address has.
    private const ulong Signature = 0x00A5_8000_0000_0000;

    [Theory]
    [InlineData(LockTrace.Argument)]
    [InlineData(LockTrace.WaitWord)]
    [InlineData(LockTrace.Register)]
    public void Cycle_of_two_is_likely(LockTrace trace)
    {
        Verdict verdict = Assert.Single(SyntheticAnalysis.Of(Cycle(trace).Process).Verdicts);
        Assert.Equal(("DUMP1002", Confidence.Likely), (verdict.DetectorId, verdict.Confidence));
        Assert.Equal([A, B], verdict.Threads.ToArray());
        Assert.Equal(
            [
                "2 threads wait for each other and none can go on, a deadlock: thread 0 (0x20), thread 1 (0x24).",
                "Thread 0 (0x20) waits for critical section 0x406028, held by thread 1 (0x24).",
                "Thread 1 (0x24) waits for critical section 0x406000, held by thread 0 (0x20).",
            ],
            SyntheticAnalysis.Sentences(verdict));
        Assert.All(verdict.Chain, l => Assert.Contains(l.Evidence, e => e.Text.Contains("no real ARM64 dump", StringComparison.Ordinal)));
    }

    [Fact]
    public void Healthy_twin_has_no_verdict()
    {
        CriticalSectionScene scene = Scene();
        ulong only = scene.Section(A, 1);
        scene.Sleeper(A);
        scene.Waiter(B, only, LockTrace.Argument);
        AnalysisResult result = SyntheticAnalysis.Of(scene.Process);
        SyntheticAnalysis.LacksOnlyALaterMoment(result);
    }

    [Fact]
    public void Section_that_nothing_points_to_leaves_the_question_open()
    {
        AnalysisResult result = SyntheticAnalysis.Of(Cycle(LockTrace.None).Process);
        Assert.True(SyntheticAnalysis.IsUndecidable(result));
    }

    [Fact]
    public void Frames_of_every_kind_of_prolog_are_named_and_found_by_unwind_information()
    {
        CriticalSectionScene scene = Scene();
        FakeFunction[] below = [.. Program(scene)];
        scene.Waiter(A, scene.Section(B, 1), LockTrace.Register, below);
        scene.Sleeper(B);
        ThreadSnapshot thread = SyntheticAnalysis.Read(scene.Process).Threads[0];
        Assert.Equal(
            ["NtWaitForAlertByThreadId", null, null, null, null, "RtlEnterCriticalSection", null, null, null, "BaseThreadInitThunk", "RtlUserThreadStart"],
            thread.Stack.Frames.Select(f => f.Function));
        Assert.Equal(below.Select(f => (ulong?)f.Start), thread.Stack.Frames.Skip(6).Take(3).Select(f => f.FunctionStart));
        Assert.All(thread.Stack.Frames.Skip(1), f => Assert.Equal(FrameTrust.UnwindInfo, f.Trust));
    }

    [Fact]
    public void Authentication_codes_are_taken_off_return_addresses()
    {
        CriticalSectionScene scene = Scene();
        scene.Waiter(A, scene.Section(B, 1), LockTrace.Register, [.. Program(scene)]);
        FakeThread[] plain = [.. scene.Process.Threads];
        scene.Process.Threads.Clear();
        scene.Process.Threads.AddRange(plain.Select(t => t with { Signature = Signature }));
        ThreadSnapshot thread = SyntheticAnalysis.Read(scene.Process).Threads[0];
        Assert.Equal(plain[0].Frames.Select(f => f.Address), thread.Stack.Frames.Select(f => f.InstructionPointer));
        Assert.All(thread.Stack.Frames.Skip(1), f => Assert.Equal(FrameTrust.UnwindInfo, f.Trust));
    }

    [Fact]
    public void Loader_lock_on_which_a_thread_waits_by_its_TEB_is_likely_at_best()
    {
        CriticalSectionScene scene = Scene();
        scene.Process.LoaderLock = FakeProcess.Section(scene.Ntdll, 0x200, B, 1);
        scene.Waiter(A, scene.Process.LoaderLock, LockTrace.None, waitsOnLoaderLock: true);
        scene.Waiter(B, scene.Section(A, 1), LockTrace.Argument);
        Verdict verdict = Assert.Single(SyntheticAnalysis.Of(scene.Process).Verdicts);
        Assert.Equal(("DUMP1001", Confidence.Likely), (verdict.DetectorId, verdict.Confidence));
    }

    /// <summary>Handles in X0 are expected to stand there; no real dump has shown it.</summary>
    [Fact]
    public void Waits_for_handles_in_registers_are_not_proven_and_say_why()
    {
        CriticalSectionScene scene = Scene();
        FakeFunction work = scene.Process.Images[0].Function("waits", exported: false);
        FakeFunction wait = scene.Ntdll.Stub("NtWaitForSingleObject");
        scene.Thread(A, [wait, work], argument: 0x50);
        scene.Thread(B, [wait, work], argument: 0x54);
        scene.Thread(C, [scene.Ntdll.Stub("NtReadFile"), work], argument: 0x58);
        scene.Process.Handles = [FakeHandle.Mutex(0x50, B), FakeHandle.Mutex(0x54, A), new FakeHandle(0x58, "File")];
        AnalysisResult result = SyntheticAnalysis.Of(scene.Process);
        ProcessSnapshot snapshot = SyntheticAnalysis.Read(scene.Process);
        Assert.Equal([(A, 0x50UL, Grade.Derived), (B, 0x54UL, Grade.Derived), (C, 0x58UL, Grade.Derived)],
            snapshot.Waits.Select(w => (w.ThreadId, w.Resource.Identity, w.Grade)));
        Assert.All(snapshot.Waits, w => Assert.Contains(w.Evidence, e => e.Text.Contains("no real ARM64 dump", StringComparison.Ordinal)));

        // The caller's code, which would show that the waits have no limit, is not read on ARM64.
        Assert.Equal(("DUMP1002", Confidence.Suspected), (Assert.Single(result.Verdicts).DetectorId, result.Verdicts[0].Confidence));
    }

    private static CriticalSectionScene Scene() => new(isWindows7: false, (10, 0, 26100), isArm64: true);

    private static CriticalSectionScene Cycle(LockTrace trace)
    {
        CriticalSectionScene scene = Scene();
        ulong first = scene.Section(A, 1);
        ulong second = scene.Section(B, 1);
        scene.Waiter(A, second, trace);
        scene.Waiter(B, first, trace);
        scene.Sleeper(C);
        return scene;
    }

    private static IEnumerable<FakeFunction> Program(CriticalSectionScene scene)
    {
        FakeImage app = scene.Process.Images[0];
        return [app.Function("full", FakeArm64Prolog.Full), app.Function("keeping", FakeArm64Prolog.Keeping), app.Function("plain", FakeArm64Prolog.Plain)];
    }
}
