using Dump.Model.Facts;
using Dump.Model.Process;
using Dump.Model.Verdicts;
using Dump.Model.Waits;
using Dump.Testing.Synthetic;

namespace Dump.EndToEnd.Tests.Verdicts;

/// <summary>The loader lock before Windows 10, where it is a critical section that every load takes, on minidumps made by hand.</summary>
public sealed class LoaderCriticalSectionTests
{
    private const uint A = 0x20;
    private const uint B = 0x24;
    private const uint C = 0x28;
    private const ulong Semaphore = 0x40;

    /// <summary>
    /// A runs DllMain under the loader lock and waits there for a section of <paramref name="sectionOwner"/>; B waits in LoadLibrary for the loader lock.
    /// </summary>
    private static CriticalSectionScene Deadlock(LockTrace trace, bool isMarked = false, uint sectionOwner = B, uint version = 6, ulong argument = Semaphore)
    {
        CriticalSectionScene scene = new(isWindows7: true, version == 6 ? (6u, 1u, 7601u) : (version, 0, 19045));
        FakeImage plugin = new(@"C:\app\plugin.dll", 0x180000000);
        FakeImage kernelBase = new(@"C:\Windows\System32\KERNELBASE.dll", 0x7FF910000000);
        scene.Process.Images.AddRange([plugin, kernelBase]);
        FakeFunction dllMain = plugin.Function("DllMain", exported: false);
        plugin.EntryPoint = dllMain;
        FakeFunction[] exit = [dllMain, scene.Ntdll.Function("LdrpCallInitRoutine", exported: false), scene.Ntdll.Function("LdrShutdownThread")];
        FakeFunction[] load = [scene.Ntdll.Function("LdrpLoadDll", exported: false), scene.Ntdll.Function("LdrLoadDll"), kernelBase.Function("LoadLibraryExW")];
        scene.Process.LoaderLock = FakeProcess.Section(scene.Ntdll, 0x200, A, 1, 1, Semaphore);
        scene.Waiter(A, scene.Section(sectionOwner, 1), LockTrace.WaitWord, exit);
        scene.Waiter(B, scene.Process.LoaderLock, trace, load, argument: argument, waitsOnLoaderLock: isMarked);
        scene.Sleeper(C);
        return scene;
    }

    [Theory]
    [InlineData(LockTrace.WaitWord, false, Confidence.Confirmed)]
    [InlineData(LockTrace.Register, false, Confidence.Likely)]
    [InlineData(LockTrace.Register, true, Confidence.Confirmed)]
    [InlineData(LockTrace.None, true, Confidence.Confirmed)]
    public void Lock_taken_in_DllMain_deadlocks_with_LoadLibrary_under_that_lock(LockTrace trace, bool isMarked, Confidence expected)
    {
        Verdict verdict = Assert.Single(SyntheticAnalysis.Of(Deadlock(trace, isMarked).Process).Verdicts);
        Assert.Equal(("DUMP1001", expected), (verdict.DetectorId, verdict.Confidence));
        Assert.Equal(new Culprit("plugin.dll", "DllMain (thread detach)", A), verdict.Culprit);
        Assert.Equal(
            [
                "Thread 0 (0x20) holds the loader lock (critical section 0x7ff930006200) and runs plugin.dll's DllMain (thread detach) under it.",
                "Thread 1 (0x24) waits in the loader for the loader lock (critical section 0x7ff930006200), held by thread 0 (0x20).",
                "Thread 0 (0x20) waits for critical section 0x406000, held by thread 1 (0x24): a deadlock.",
            ],
            SyntheticAnalysis.Sentences(verdict));
    }

    [Fact]
    public void Loader_wait_that_nothing_identifies_leaves_the_question_open() =>
        Assert.True(SyntheticAnalysis.IsUndecidable(SyntheticAnalysis.Of(Deadlock(LockTrace.None).Process)));

    /// <summary>A section whose waiters wait for a handle, as all did before Windows 8; the handle is in RCX, which only Windows 10 keeps.</summary>
    [Theory]
    [InlineData(10u, Semaphore, true)]
    [InlineData(10u, Semaphore + 4, false)]
    [InlineData(6u, Semaphore, false)]
    public void Loader_locks_handle_in_RCX_proves_the_wait_on_Windows_10(uint version, ulong argument, bool isProven)
    {
        AnalysisResult result = SyntheticAnalysis.Of(Deadlock(LockTrace.None, version: version, argument: argument).Process);
        Assert.Equal(isProven ? ("DUMP1001", Confidence.Confirmed) : default, result.Verdicts.Select(v => (v.DetectorId, v.Confidence)).SingleOrDefault());
        Assert.Equal(isProven, !SyntheticAnalysis.IsUndecidable(result));
    }

    [Fact]
    public void Lock_of_a_third_thread_under_DllMain_makes_a_queue_and_no_deadlock()
    {
        AnalysisResult result = SyntheticAnalysis.Of(Deadlock(LockTrace.WaitWord, isMarked: true, sectionOwner: C).Process);
        SyntheticAnalysis.LacksOnlyALaterMoment(result);
    }

    /// <summary>Bit 12 of SameTebFlags means LoadOwner from Windows 10 on only.</summary>
    [Fact]
    public void Flag_of_Windows_10_in_a_TEB_of_Windows_7_owns_nothing()
    {
        FakeProcess process = Deadlock(LockTrace.WaitWord).Process;
        process.Threads[2] = process.Threads[2] with { IsLoadOwner = true };
        Assert.Equal("DUMP1001", Assert.Single(SyntheticAnalysis.Of(process).Verdicts).DetectorId);
        ProcessSnapshot snapshot = SyntheticAnalysis.Read(process);
        Assert.All(snapshot.Threads, t => Assert.Null(t.IsLoadOwner));
        Assert.DoesNotContain(snapshot.Ownerships, o => o.Resource.Kind == ResourceKind.LoadOwnership);
    }

    /// <summary>B waits for a section of A; its RCX still has the loader lock's event, as any register may.</summary>
    [Fact]
    public void Loader_locks_handle_in_RCX_proves_nothing_on_Windows_7()
    {
        CriticalSectionScene scene = new(isWindows7: true);
        scene.Process.LoaderLock = FakeProcess.Section(scene.Ntdll, 0x200, C, 1, 1, Semaphore);
        ulong first = scene.Section(A, 1);
        ulong second = scene.Section(B, 1);
        scene.Waiter(A, second, LockTrace.WaitWord);
        scene.Waiter(B, first, LockTrace.WaitWord, argument: Semaphore);
        scene.Sleeper(C);
        Assert.Equal("DUMP1002", Assert.Single(SyntheticAnalysis.Of(scene.Process).Verdicts).DetectorId);
    }

    /// <summary>Windows 7 has no load ownership: an event waited for in the loader is just an event.</summary>
    [Fact]
    public void Frames_like_those_of_the_work_queue_mean_nothing_on_Windows_7()
    {
        CriticalSectionScene scene = new(isWindows7: true);
        scene.Process.LoaderLock = FakeProcess.Section(scene.Ntdll, 0x200, C, 0);
        scene.Process.Handles = [FakeHandle.Event(0x44, manualReset: false, signaled: false)];
        FakeFunction[] load =
        [
            scene.Ntdll.ShortStub("NtWaitForSingleObject"), scene.Ntdll.Function("LdrpDrainWorkQueue", exported: false), scene.Ntdll.Function("LdrLoadDll"),
        ];
        scene.Thread(A, load, 0x44);
        scene.Sleeper(C);
        Assert.Empty(SyntheticAnalysis.Of(scene.Process).Verdicts);
        Assert.DoesNotContain(SyntheticAnalysis.Read(scene.Process).Waits, w => w.Resource.Kind == ResourceKind.LoadOwnership);
    }

    /// <summary>Windows 8.1 takes the loader lock by functions that only symbols can name; then the TEB alone tells what the thread waits for.</summary>
    [Theory]
    [InlineData(true, Confidence.Confirmed)]
    [InlineData(false, null)]
    public void Windows_8_loader_wait_is_known_by_the_TEB(bool isMarked, Confidence? expected)
    {
        CriticalSectionScene scene = new(isWindows7: true, (6, 3, 9600));
        scene.Process.LoaderLock = FakeProcess.Section(scene.Ntdll, 0x200, A, 1, 1, Semaphore);
        string[] names = ["RtlpWaitOnCriticalSection", "RtlpEnterCriticalSectionContended", "LdrpAcquireLoaderLock", "LdrpFindOrMapDll", "LdrpLoadDll"];
        FakeFunction[] load =
        [
            scene.Ntdll.ShortStub("ZwWaitForSingleObject"), .. names.Select(n => scene.Ntdll.Function(n, exported: false)), scene.Ntdll.Function("LdrLoadDll"),
        ];
        scene.Waiter(A, scene.Section(B, 1), LockTrace.WaitWord);
        scene.Thread(B, load, waitsOnLoaderLock: isMarked);
        Verdict? verdict = SyntheticAnalysis.Of(scene.Process).Verdicts.SingleOrDefault();
        Assert.Equal(expected is null ? null : "DUMP1001", verdict?.DetectorId);
        Assert.Equal(expected, verdict?.Confidence);
    }
}
