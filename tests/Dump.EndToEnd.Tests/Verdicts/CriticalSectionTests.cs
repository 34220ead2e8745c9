using Dump.Model.Facts;
using Dump.Model.Verdicts;
using Dump.Testing.Synthetic;

namespace Dump.EndToEnd.Tests.Verdicts;

/// <summary>Waits for critical sections in the forms of Windows 10 and Windows 7, on minidumps made by hand.</summary>
public sealed class CriticalSectionTests
{
    private const uint A = 0x20;
    private const uint B = 0x24;
    private const uint C = 0x28;
    private const uint Gone = 0x9990;

    /// <summary>A and B hold one section each and wait for the other's.</summary>
    private static CriticalSectionScene Cycle(LockTrace trace, bool isWindows7 = false, int recursion = 1) =>
        Cycle(new CriticalSectionScene(isWindows7), trace, recursion);

    private static CriticalSectionScene Cycle(CriticalSectionScene scene, LockTrace trace, int recursion = 1)
    {
        ulong first = scene.Section(A, 1, recursion);
        ulong second = scene.Section(B, 1);
        scene.Waiter(A, second, trace);
        scene.Waiter(B, first, trace);
        return scene;
    }

    [Theory]
    [InlineData(LockTrace.Argument, Confidence.Confirmed)]
    [InlineData(LockTrace.WaitWord, Confidence.Confirmed)]
    [InlineData(LockTrace.CallSite, Confidence.Confirmed)]
    [InlineData(LockTrace.Register, Confidence.Likely)]
    public void Cycle_of_two_is_as_sure_as_the_way_to_the_section(LockTrace trace, Confidence expected)
    {
        Verdict verdict = Assert.Single(SyntheticAnalysis.Of(Cycle(trace).Process).Verdicts);
        Assert.Equal(("DUMP1002", expected), (verdict.DetectorId, verdict.Confidence));
        Assert.Equal([A, B], verdict.Threads.ToArray());
        Assert.Equal(
            [
                "2 threads wait for each other and none can go on, a deadlock: thread 0 (0x20), thread 1 (0x24).",
                "Thread 0 (0x20) waits for critical section 0x406028, held by thread 1 (0x24).",
                "Thread 1 (0x24) waits for critical section 0x406000, held by thread 0 (0x20).",
            ],
            SyntheticAnalysis.Sentences(verdict));
    }

    /// <summary>
    /// Listings up to Windows 10 hand the address of LockCount to the alert wait, those of the 24H2 generation the section itself; 22631 is unclear. Both are
    /// read on every build.
    /// </summary>
    [Theory]
    [InlineData(14393u, LockTrace.Argument)]
    [InlineData(17763u, LockTrace.Argument)]
    [InlineData(19045u, LockTrace.Argument)]
    [InlineData(22631u, LockTrace.Argument)]
    [InlineData(22631u, LockTrace.ArgumentItself)]
    [InlineData(26100u, LockTrace.ArgumentItself)]
    [InlineData(26200u, LockTrace.ArgumentItself)]
    public void Cycle_of_two_is_confirmed_on_every_build(uint build, LockTrace trace)
    {
        CriticalSectionScene scene = Cycle(new CriticalSectionScene(isWindows7: false, (10u, 0u, build)), trace);
        Verdict verdict = Assert.Single(SyntheticAnalysis.Of(scene.Process).Verdicts);
        Assert.Equal(("DUMP1002", Confidence.Confirmed), (verdict.DetectorId, verdict.Confidence));
    }

    /// <summary>The healthy twin: A waits for B's section as above, and B, which holds it, sleeps.</summary>
    [Theory]
    [InlineData(14393u, LockTrace.Argument)]
    [InlineData(17763u, LockTrace.Argument)]
    [InlineData(19045u, LockTrace.Argument)]
    [InlineData(22631u, LockTrace.Argument)]
    [InlineData(26100u, LockTrace.ArgumentItself)]
    [InlineData(26200u, LockTrace.ArgumentItself)]
    public void Wait_for_an_owner_that_sleeps_is_no_deadlock_on_any_build(uint build, LockTrace trace)
    {
        CriticalSectionScene scene = new(isWindows7: false, (10u, 0u, build));
        scene.Waiter(A, scene.Section(B, 1), trace);
        scene.Sleeper(B);
        AnalysisResult result = SyntheticAnalysis.Of(scene.Process);
        SyntheticAnalysis.LacksOnlyALaterMoment(result);
    }

    [Theory]
    [InlineData(LockTrace.WaitWord, Confidence.Confirmed)]
    [InlineData(LockTrace.CallSite, Confidence.Confirmed)]
    [InlineData(LockTrace.Register, Confidence.Likely)]
    public void Cycle_of_two_on_Windows_7(LockTrace trace, Confidence expected)
    {
        Verdict verdict = Assert.Single(SyntheticAnalysis.Of(Cycle(trace, isWindows7: true).Process).Verdicts);
        Assert.Equal(("DUMP1002", expected), (verdict.DetectorId, verdict.Confidence));
    }

    [Theory]
    [InlineData(false)]
    [InlineData(true)]
    public void Section_that_nothing_points_to_leaves_the_question_open(bool isWindows7)
    {
        AnalysisResult result = SyntheticAnalysis.Of(Cycle(LockTrace.None, isWindows7).Process);
        Assert.True(SyntheticAnalysis.IsUndecidable(result));
        Assert.Contains(result.Outcomes.Single(o => o.DetectorId == "DUMP9001").Missing, m =>
            m.What.Contains("locks that threads wait for", StringComparison.Ordinal));
    }

    [Theory]
    [InlineData(LockTrace.Register, false)]
    [InlineData(LockTrace.WaitWord, true)]
    [InlineData(LockTrace.CallSite, true)]
    [InlineData(LockTrace.Argument, true)]
    public void Of_two_sections_that_qualify_none_is_picked_without_a_reason(LockTrace trace, bool isKnown)
    {
        CriticalSectionScene scene = new();
        ulong first = scene.Section(A, 1);
        ulong second = scene.Section(B, 1);
        ulong third = scene.Section(C, 1);
        scene.Waiter(A, second, trace, alsoKept: third);
        scene.Waiter(B, first, LockTrace.Argument);
        scene.Waiter(C, first, LockTrace.Argument);
        AnalysisResult result = SyntheticAnalysis.Of(scene.Process);
        Assert.Equal(isKnown ? "DUMP1002" : null, result.Verdicts.SingleOrDefault()?.DetectorId);
        Assert.Equal(isKnown, !SyntheticAnalysis.IsUndecidable(result));
    }

    /// <summary>
    /// A waits for another section than the one its frames keep: RCX says which, but its memory is not in the dump, or shows it at the moment in which it
    /// changes hands.
    /// </summary>
    [Theory]
    [InlineData(LockTrace.Register, false)]
    [InlineData(LockTrace.Register, true)]
    [InlineData(LockTrace.WaitWord, false)]
    [InlineData(LockTrace.WaitWord, true)]
    public void Section_that_the_system_call_does_not_name_is_not_waited_for(LockTrace trace, bool isReadable)
    {
        CriticalSectionScene scene = new();
        ulong first = scene.Section(A, 1);
        ulong kept = scene.Section(B, 1);
        ulong named = isReadable ? scene.Section(0, 0) : 0x20000000;
        if (isReadable)
        {
            scene.SetLockCount(named, -2);
        }

        scene.Waiter(A, kept, trace, argument: named + 8);
        scene.Waiter(B, first, LockTrace.Argument);
        Assert.True(SyntheticAnalysis.IsUndecidable(SyntheticAnalysis.Of(scene.Process)));
    }

    [Fact]
    public void Section_entered_three_times_is_held_like_any_other()
    {
        Verdict verdict = Assert.Single(SyntheticAnalysis.Of(Cycle(LockTrace.Argument, recursion: 3).Process).Verdicts);
        Assert.Equal(("DUMP1002", Confidence.Confirmed), (verdict.DetectorId, verdict.Confidence));
        Assert.Contains(verdict.Chain.SelectMany(l => l.Evidence), e => e.Text.Contains("RecursionCount 3", StringComparison.Ordinal));
    }

    [Theory]
    [InlineData(LockTrace.Argument)]
    [InlineData(LockTrace.Register)]
    public void Thread_that_holds_the_recursive_section_itself_does_not_wait_for_itself(LockTrace trace)
    {
        CriticalSectionScene scene = new();
        scene.Waiter(A, scene.Section(A, 1, recursion: 2), trace);
        Assert.DoesNotContain(SyntheticAnalysis.Of(scene.Process).Verdicts, v => v.Confidence > Confidence.Suspected);
    }

    /// <summary>-2 locked; each waiter takes 4 away; another 2 when one has been woken, which then competes for the lock again.</summary>
    [Theory]
    [InlineData(-6, "DUMP1002")]
    [InlineData(-8, "DUMP1002")]
    [InlineData(-10, "DUMP1002")]
    [InlineData(-2, null)]
    [InlineData(-7, null)]
    public void Lock_count_says_whether_a_section_is_held_and_waited_for(int lockCount, string? expected)
    {
        CriticalSectionScene scene = new();
        ulong first = scene.Section(A, 1);
        ulong second = scene.Section(lockCount % 2 == 0 ? B : 0, 1);
        scene.SetLockCount(second, lockCount);
        scene.Waiter(A, second, LockTrace.Argument);
        scene.Waiter(B, first, LockTrace.Argument);
        Assert.Equal(expected, SyntheticAnalysis.Of(scene.Process).Verdicts.SingleOrDefault()?.DetectorId);
    }

    [Fact]
    public void Released_section_whose_waiter_has_just_been_woken_is_known_to_have_no_owner()
    {
        CriticalSectionScene scene = new();
        ulong section = scene.Section(0, 1);
        scene.SetLockCount(section, -7);
        scene.Waiter(A, section, LockTrace.Argument);
        AnalysisResult result = SyntheticAnalysis.Of(scene.Process);
        Assert.Empty(result.Verdicts);
        Assert.False(SyntheticAnalysis.IsUndecidable(result));
    }

    [Theory]
    [InlineData(false)]
    [InlineData(true)]
    public void Section_of_a_thread_that_is_gone_is_orphaned(bool isWindows7)
    {
        CriticalSectionScene scene = new(isWindows7);
        ulong section = scene.Section(Gone, 2);
        scene.Waiter(A, section, LockTrace.WaitWord);
        scene.Waiter(B, section, LockTrace.WaitWord);
        Verdict verdict = Assert.Single(SyntheticAnalysis.Of(scene.Process).Verdicts);
        Assert.Equal(("DUMP1003", Confidence.Confirmed), (verdict.DetectorId, verdict.Confidence));
        Assert.Equal(["Critical section 0x406000 is held by thread 0x9990, which no longer exists; 2 threads wait."], SyntheticAnalysis.Sentences(verdict));
    }

    /// <summary>A and B wait for sections of C, which sleeps: two ways to one thread, but no way back.</summary>
    [Fact]
    public void Diamond_is_no_cycle()
    {
        CriticalSectionScene scene = new();
        ulong first = scene.Section(B, 1);
        ulong second = scene.Section(C, 2);
        scene.Waiter(A, first, LockTrace.Argument);
        scene.Waiter(B, second, LockTrace.Argument);
        scene.Waiter(0x30, second, LockTrace.Argument);
        scene.Sleeper(C);
        AnalysisResult result = SyntheticAnalysis.Of(scene.Process);
        SyntheticAnalysis.LacksOnlyALaterMoment(result);
    }

    [Theory]
    [InlineData(9, null)]
    [InlineData(10, "DUMP1005")]
    public void Slow_owner_is_suspected_only_with_a_long_queue(int waiters, string? expected)
    {
        CriticalSectionScene scene = new();
        ulong section = scene.Section(C, waiters);
        scene.Sleeper(C);
        for (uint i = 0; i < waiters; i++)
        {
            scene.Waiter(0x100 + i * 4, section, LockTrace.Argument);
        }

        Verdict? verdict = SyntheticAnalysis.Of(scene.Process).Verdicts.SingleOrDefault();
        Assert.Equal(expected, verdict?.DetectorId);
        Assert.Equal(expected is null ? null : Confidence.Suspected, verdict?.Confidence);
    }

    [Fact]
    public void Owner_that_computes_is_a_spinning_owner_and_no_deadlock()
    {
        CriticalSectionScene scene = new();
        scene.Waiter(A, scene.Section(C, 1), LockTrace.Argument);
        scene.Runner(C, processorSeconds: 90);
        Verdict verdict = Assert.Single(SyntheticAnalysis.Of(scene.Process).Verdicts);
        Assert.Equal("DUMP2001", verdict.DetectorId);
        Assert.DoesNotContain(SyntheticAnalysis.Sentences(verdict), s => s.Contains("deadlock", StringComparison.Ordinal));
    }
}
