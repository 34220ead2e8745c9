using Dump.Model.Facts;
using Dump.Model.Verdicts;
using Dump.Model.Waits;
using Dump.Testing.Synthetic;

namespace Dump.EndToEnd.Tests.Verdicts;

/// <summary>
/// Forms of Windows 10 that Wine does not have, on minidumps made by hand. They show that the rules do what they say, not that Windows behaves so.
/// </summary>
public sealed class SyntheticWindows10Tests
{
    private static AnalysisResult Analyse(FakeProcess process) => SyntheticAnalysis.Of(process);

    [Fact]
    public void Load_ownership_deadlock_is_likely_and_names_both_threads()
    {
        AnalysisResult result = Analyse(new LoadOwnershipScene().Build());
        Verdict verdict = Assert.Single(result.Verdicts);
        Assert.Equal(("DUMP1001", Confidence.Likely), (verdict.DetectorId, verdict.Confidence));
        Assert.Equal(new[] { LoadOwnershipScene.A, LoadOwnershipScene.B }, verdict.Threads.ToArray());
        Assert.Equal("mkl_core.2.dll", verdict.Culprit?.Module);
        Assert.Contains(verdict.Chain, l => l.Resource.Kind == ResourceKind.LoadOwnership);
        Assert.Equal(Confidence.Confirmed, verdict.Claims[0].Confidence);
    }

    [Fact]
    public void Lock_word_with_the_owners_id_does_not_confirm_what_the_loader_edge_leaves_likely()
    {
        Verdict verdict = Assert.Single(Analyse(new LoadOwnershipScene { LockWord = LoadOwnershipScene.B }.Build()).Verdicts);
        Assert.Equal(Confidence.Likely, verdict.Confidence);
        Assert.Contains(verdict.Chain, l => l.Resource.Kind == ResourceKind.SpinLock && l.Grade == Grade.Proven);
    }

    [Theory]
    [InlineData(false, true)]
    [InlineData(true, false)]
    [InlineData(false, false)]
    public void Without_handles_or_times_it_stays_likely(bool handles, bool times)
    {
        Verdict verdict = Assert.Single(Analyse(new LoadOwnershipScene { HasHandles = handles, HasThreadTimes = times }.Build()).Verdicts);
        Assert.Equal(("DUMP1001", Confidence.Likely), (verdict.DetectorId, verdict.Confidence));
    }

    [Fact]
    public void Without_TEBs_no_deadlock_is_claimed_and_the_report_says_what_is_missing()
    {
        AnalysisResult result = Analyse(new LoadOwnershipScene { HasTebMemory = false }.Build());
        Assert.DoesNotContain(result.Verdicts, v => v.DetectorId is "DUMP1001" or "DUMP1003");
        Assert.Contains(result.Outcomes.Single(o => o.DetectorId == "DUMP9001").Missing, m => m.What.Contains("TEB", StringComparison.Ordinal));
    }

    [Fact]
    public void Two_load_owners_name_nobody() => Assert.DoesNotContain(
        Analyse(new LoadOwnershipScene { LoadOwners = [LoadOwnershipScene.A, 0x1C8], HasSecondCandidate = true }.Build()).Verdicts,
        v => v.DetectorId is "DUMP1001" or "DUMP1003");

    [Fact]
    public void No_load_owner_at_all_may_be_an_orphan_or_a_handover()
    {
        AnalysisResult result = Analyse(new LoadOwnershipScene { LoadOwners = [], LoaderLockOwner = 0 }.Build());
        Assert.Contains(result.Verdicts, v => v is { DetectorId: "DUMP1003", Confidence: Confidence.Suspected });
        Assert.DoesNotContain(result.Verdicts, v => v.DetectorId == "DUMP1001");
    }

    [Fact]
    public void A_loader_lock_held_by_a_thread_that_is_gone_is_no_deadlock_of_the_living()
    {
        AnalysisResult result = Analyse(new LoadOwnershipScene { LoadOwners = [], LoaderLockOwner = 0x9990 }.Build());
        Assert.DoesNotContain(result.Verdicts, v => v.DetectorId == "DUMP1001");
        Assert.Contains(result.Verdicts, v => v.DetectorId == "DUMP1003");
    }

    [Fact]
    public void An_event_that_is_not_the_loaders_makes_no_loader_wait() => Assert.DoesNotContain(
        Analyse(new LoadOwnershipScene { EventIsManualReset = true }.Build()).Verdicts, v => v.DetectorId is "DUMP1001" or "DUMP1003");

    [Fact]
    public void Two_candidates_for_the_spin_lock_leave_what_is_proven() => Assert.Equal(
        "DUMP2001", Assert.Single(Analyse(new LoadOwnershipScene { HasSecondCandidate = true }.Build()).Verdicts).DetectorId);

    [Fact]
    public void Spinner_in_a_TLS_callback_and_a_blocked_module_of_its_family_deadlock()
    {
        FakeProcess process = new LoadOwnershipScene { HasTlsDirectory = true, Loading = ("mkl_intel_thread.2.dll", "") }.Build();
        Verdict verdict = Assert.Single(Analyse(process).Verdicts);
        Assert.Equal(("DUMP1001", Confidence.Likely), (verdict.DetectorId, verdict.Confidence));
        Assert.Equal(new Culprit("mkl_core.2.dll", "TLS callback (thread detach)", LoadOwnershipScene.A), verdict.Culprit);
        Assert.Equal(
            [
                "Thread 0 (0x1a0) holds the loader lock (critical section 0x7ff930006200) and load ownership (the loader's work queue)"
                    + " and runs mkl_core.2.dll's TLS callback (thread detach) under it.",
                "It spins in mkl_core.2.dll and has used 1 min 30 s of CPU time.",
                "Thread 1 (0x1b4) waits in the loader for load ownership (the loader's work queue), held by thread 0 (0x1a0).",
                "Thread 0 (0x1a0) spins for the spin lock at 0x180006100, most likely held by thread 1 (0x1b4): a deadlock.",
            ],
            SyntheticAnalysis.Sentences(verdict));
    }

    [Fact]
    public void Blocked_module_of_another_family_holds_no_lock_of_the_spinners() => Assert.Equal(
        "DUMP2001", Assert.Single(Analyse(new LoadOwnershipScene { Loading = ("other.dll", "") }.Build()).Verdicts).DetectorId);

    /// <summary>Two threads have frames of the family; the lock word names one of them, or nobody.</summary>
    [Theory]
    [InlineData(LoadOwnershipScene.B, "DUMP1001", Grade.Proven)]
    [InlineData(0x1C8u, "DUMP1001", Grade.Proven)]
    [InlineData(1u, "DUMP2001", null)]
    [InlineData(0x9990u, "DUMP2001", null)]
    public void Of_two_candidates_only_the_one_that_the_lock_word_names_is_the_owner(uint word, string expected, Grade? spinGrade)
    {
        LoadOwnershipScene scene = new() { LockWord = word, HasSecondCandidate = true, Loading = ("mkl_core.2.dll", "mkl_intel_thread.2.dll") };
        Verdict verdict = Assert.Single(Analyse(scene.Build()).Verdicts);
        Assert.Equal((expected, Confidence.Likely), (verdict.DetectorId, expected == "DUMP1001" ? verdict.Confidence : Confidence.Likely));
        ChainLink spin = Assert.Single(verdict.Chain, l => l.Resource.Kind == ResourceKind.SpinLock);
        Assert.Equal(spinGrade, spin.HolderThreadId is null ? null : spin.Grade);
        Assert.Equal(spinGrade is null ? null : word, spin.HolderThreadId);
    }

    [Fact]
    public void Free_spin_lock_is_no_deadlock() =>
        Assert.DoesNotContain(Analyse(new LoadOwnershipScene { LockWord = 0 }.Build()).Verdicts, v => v.DetectorId == "DUMP1001"
            && v.Confidence > Confidence.Suspected);

    [Theory]
    [InlineData(uint.MaxValue, "DUMP1002")]
    [InlineData(5000u, null)]
    public void Mutexes_deadlock_only_without_a_time_limit(uint milliseconds, string? expected)
    {
        FakeProcess process = Mutexes(milliseconds, secondOwner: 0x20);
        Assert.Equal(expected, Analyse(process).Verdicts.SingleOrDefault()?.DetectorId);
    }

    [Fact]
    public void Mutexes_of_one_owner_are_a_diamond() => Assert.Empty(Analyse(Mutexes(uint.MaxValue, secondOwner: 0x30)).Verdicts);

    /// <summary>Thread 0x20 waits for a mutex of thread 0x24, and 0x24 for one of <paramref name="secondOwner"/>.</summary>
    private static FakeProcess Mutexes(uint milliseconds, uint secondOwner)
    {
        FakeImage app = new(@"C:\app\app.exe", 0x140000000);
        FakeImage kernelBase = new(@"C:\Windows\System32\KERNELBASE.dll", 0x7FF910000000);
        FakeImage ntdll = new(@"C:\Windows\System32\ntdll.dll", 0x7FF930000000);
        FakeFunction first = app.CallWith("first", 0x50, milliseconds);
        FakeFunction second = app.CallWith("second", 0x54, milliseconds);
        FakeFunction wait = kernelBase.Function("WaitForSingleObjectEx");
        FakeFunction stub = ntdll.Stub("NtWaitForSingleObject");
        FakeFunction sleep = ntdll.Stub("NtDelayExecution");
        FakeFunction start = ntdll.Function("RtlUserThreadStart");
        return new FakeProcess
        {
            Images = { app, kernelBase, ntdll },
            LoaderLock = FakeProcess.Section(ntdll, 0x200, 0, 0),
            Handles = [FakeHandle.Mutex(0x50, 0x24), FakeHandle.Mutex(0x54, secondOwner)],
            Threads =
            {
                new FakeThread(0x20, [stub, wait, first, start], 0x50),
                new FakeThread(0x24, [stub, wait, second, start], 0x54),
                new FakeThread(0x30, [sleep, start]),
            },
        };
    }
}
