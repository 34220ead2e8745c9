using Dump.Analysis.Pairs;
using Dump.Analysis.Looks;
using Dump.Model.Facts;
using Dump.Model.Process;
using Dump.Model.Verdicts;
using Dump.Model.Waits;

namespace Dump.Analysis.Tests;

/// <summary>DUMP2003, and DUMP2001 and DUMP2002 on Linux cores, which record no processor times: what makes them speak, what keeps them silent.</summary>
public sealed class MutualSpinTests
{
    private const string Poll = "system.private.corelib.dll!System.Threading.SpinWait.SpinUntil";
    private static readonly Resource s_left = new(ResourceKind.SpinLock, 0x5000);
    private static readonly Resource s_right = new(ResourceKind.SpinLock, 0x6000);

    private static SnapshotBuilder Locks(WaitTimeout timeout = WaitTimeout.Infinite) => new SnapshotBuilder()
        .Thread(1, ThreadActivityKind.Yielding).Thread(2, ThreadActivityKind.Yielding)
        .Wait(1, s_right, timeout, Grade.Derived).Own(s_left, 1).Wait(2, s_left, timeout, Grade.Derived).Own(s_right, 2);

    private static AnalysisResult OnLinux(SnapshotBuilder builder, bool managed = true)
    {
        ProcessSnapshot snapshot = builder.Build();
        SymbolSource symbol = managed ? SymbolSource.Metadata : SymbolSource.Export;
        return HangAnalysis.Run(snapshot with
        {
            System = snapshot.System with { Family = OperatingSystemFamily.Linux },
            Available = snapshot.Available with { ThreadTimes = false },
            Threads = [.. snapshot.Threads.Select(t => t with { ManagedId = managed ? (int)t.Id : null, Stack =
                t.Stack with { Frames = [.. t.Stack.Frames.Select(f => f with { Symbol = symbol })] } })],
        });
    }

    private static SnapshotBuilder Polls() => new SnapshotBuilder().Thread(1, ThreadActivityKind.Yielding, [Poll, "app!Left"])
        .Thread(2, ThreadActivityKind.Running, [Poll, "app!Right"]);

    [Fact]
    public void Threads_that_spin_for_each_other_s_locks_are_deadlocked_and_reported_once()
    {
        Verdict verdict = Assert.Single(HangAnalysis.Run(Locks().Build()).Verdicts);
        Assert.Equal(("DUMP2003", Confidence.Likely), (verdict.DetectorId, verdict.Confidence));
        Assert.Equal(new uint[] { 1, 2 }, verdict.Threads.ToArray());
    }

    [Fact]
    public void Two_independent_cycles_are_two_verdicts()
    {
        Resource third = new(ResourceKind.SpinLock, 0x7000), fourth = new(ResourceKind.SpinLock, 0x8000);
        SnapshotBuilder builder = Locks().Thread(3, ThreadActivityKind.Yielding).Thread(4, ThreadActivityKind.Yielding)
            .Wait(3, fourth).Own(third, 3).Wait(4, third).Own(fourth, 4);
        Assert.Equal(["DUMP2003", "DUMP2003"], HangAnalysis.Run(builder.Build()).Verdicts.Select(v => v.DetectorId));
    }

    [Fact]
    public void Cycle_that_may_have_a_time_limit_is_only_suspected()
    {
        Verdict verdict = Assert.Single(HangAnalysis.Run(Locks(WaitTimeout.Unknown).Build()).Verdicts);
        Assert.Equal(("DUMP2003", Confidence.Suspected), (verdict.DetectorId, verdict.Confidence));
        Assert.DoesNotContain("deadlock", verdict.Title + string.Concat(verdict.Claims.Select(c => c.Text)), StringComparison.Ordinal);
    }

    [Fact]
    public void Cycle_with_a_limit_is_none() => Assert.Empty(HangAnalysis.Run(Locks(WaitTimeout.Finite).Build()).Verdicts);

    /// <summary>Native loops around Sleep(0): they may wait for each other, or for nothing in particular, so that one dump never says more.</summary>
    [Theory]
    [InlineData("poll", "DUMP2003")]
    [InlineData("one works", null)]
    [InlineData("one has waiters", "DUMP2001")]
    [InlineData("one is alone", null)]
    public void Threads_that_sleep_for_no_time_are_suspected_of_polling(string what, string? expected)
    {
        string[] sleep = ["ntdll!NtDelayExecution", "kernelbase!SleepEx", "app!wait_for_flag"];
        ThreadTimes idle = new(TimeSpan.Zero, TimeSpan.FromMilliseconds(10), null, TimeSpan.FromSeconds(40));
        SnapshotBuilder builder = new();
        for (uint id = 1; id <= (what == "one is alone" ? 1u : 2u); id++)
        {
            builder.Thread(id, ThreadActivityKind.Yielding, sleep, idle).With(t => t with { Activity = t.Activity with { SystemCall = "NtDelayExecution" } });
        }

        builder.Thread(3, what == "one works" ? ThreadActivityKind.Running : ThreadActivityKind.Waiting, times: idle);
        if (what == "one has waiters")
        {
            builder.Own(SnapshotBuilder.Section(0xA), 1).Wait(3, SnapshotBuilder.Section(0xA));
        }

        Verdict? verdict = HangAnalysis.Run(builder.Build()).Verdicts.SingleOrDefault();
        Assert.Equal((expected, expected is null ? null : (Confidence?)Confidence.Suspected), (verdict?.DetectorId, verdict?.Confidence));
    }

    [Fact]
    public void Cycle_through_another_kind_of_lock_is_a_lock_cycle()
    {
        Resource monitor = new(ResourceKind.Monitor, 0x9000);
        SnapshotBuilder builder = new SnapshotBuilder().Thread(1, ThreadActivityKind.Yielding).Thread(2)
            .Wait(1, s_right).Own(monitor, 1).Wait(2, monitor).Own(s_right, 2);
        Assert.Equal("DUMP1002", Assert.Single(HangAnalysis.Run(builder.Build()).Verdicts).DetectorId);
    }

    [Fact]
    public void Threads_that_poll_while_nobody_works_are_suspected()
    {
        Verdict verdict = Assert.Single(OnLinux(Polls().Thread(3)).Verdicts);
        Assert.Equal(("DUMP2003", Confidence.Suspected), (verdict.DetectorId, verdict.Confidence));
        Assert.Equal(new uint[] { 1, 2 }, verdict.Threads.ToArray());
    }

    [Fact]
    public void Threads_that_poll_while_another_one_works_are_not() =>
        Assert.DoesNotContain(OnLinux(Polls().Thread(3, ThreadActivityKind.Running, ["app!Work"])).Verdicts, v => v.DetectorId == "DUMP2003");

    [Fact]
    public void One_thread_that_polls_is_not() =>
        Assert.DoesNotContain(OnLinux(new SnapshotBuilder().Thread(1, ThreadActivityKind.Yielding, [Poll]).Thread(2)).Verdicts, v =>
            v.DetectorId == "DUMP2003");

    [Fact]
    public void Frames_of_another_module_with_that_name_are_no_poll() => Assert.DoesNotContain(
        OnLinux(new SnapshotBuilder().Thread(1, ThreadActivityKind.Yielding, ["other.dll!System.Threading.SpinWait.SpinUntil"])
            .Thread(2, ThreadActivityKind.Yielding, [Poll])).Verdicts,
        v => v.DetectorId == "DUMP2003");

    /// <summary>The class library polls for a moment before it blocks: that is a wait.</summary>
    [Theory]
    [InlineData("system.private.corelib.dll!System.Threading.Tasks.Task.SpinWait", false)]
    [InlineData("system.private.corelib.dll!System.Threading.SpinLock.ContinueTryEnter", true)]
    [InlineData("app.dll!App.Poll", true)]
    public void Poll_at_the_beginning_of_a_wait_is_none(string caller, bool isFound)
    {
        string[] stack = ["system.private.corelib.dll!System.Threading.SpinWait.SpinOnceCore", caller];
        Assert.Equal(isFound, OnLinux(new SnapshotBuilder().Thread(1, ThreadActivityKind.Yielding, stack).Thread(2, ThreadActivityKind.Yielding, stack)).Verdicts
            .Any(v => v.DetectorId == "DUMP2003"));
    }

    [Fact]
    public void Without_stacks_the_question_is_open()
    {
        AnalysisResult result = HangAnalysis.Run(new SnapshotBuilder { Available = DataAvailability.All with { Stacks = false } }.Thread(1).Build());
        Assert.Equal(DetectorOutcomeKind.InsufficientData, result.Outcomes.Single(o => o.DetectorId == "DUMP2003").Kind);
    }

    private static SnapshotBuilder Owner(ThreadActivityKind activity)
    {
        Resource monitor = new(ResourceKind.Monitor, 0x9000);
        return new SnapshotBuilder().Thread(1, activity, ["app!Compute"]).Thread(2).Own(monitor, 1).Wait(2, monitor);
    }

    [Fact]
    public void Owner_that_executes_code_without_a_known_time_is_suspected()
    {
        Verdict verdict = Assert.Single(OnLinux(Owner(ThreadActivityKind.Running)).Verdicts);
        Assert.Equal(("DUMP2001", Confidence.Suspected), (verdict.DetectorId, verdict.Confidence));
        Assert.Contains("runs in Compute", verdict.Claims[1].Text, StringComparison.Ordinal);
    }

    [Fact]
    public void Owner_that_is_in_a_system_call_is_not() => Assert.Empty(OnLinux(Owner(ThreadActivityKind.SystemCall)).Verdicts);

    [Fact]
    public void Threads_that_execute_managed_code_are_one_suspicion_that_claims_no_time()
    {
        AnalysisResult result = OnLinux(new SnapshotBuilder().Thread(1, ThreadActivityKind.Running, ["app!First"])
            .Thread(2, ThreadActivityKind.Running, ["app!Second"]));
        Verdict verdict = Assert.Single(result.Verdicts);
        Assert.Equal(("DUMP2002", Confidence.Suspected), (verdict.DetectorId, verdict.Confidence));
        Assert.Equal(new uint[] { 1, 2 }, verdict.Threads.ToArray());
        Assert.Contains(result.Outcomes.Single(o => o.DetectorId == "DUMP2002").Missing, m => m.What.Contains("CPU times", StringComparison.Ordinal));
    }

    [Fact]
    public void Threads_that_execute_native_code_are_not_mentioned() =>
        Assert.Empty(OnLinux(new SnapshotBuilder().Thread(1, ThreadActivityKind.Running, ["app!First"]), managed: false).Verdicts);

    /// <summary>One thread that polls for a flag: a moment of it is nothing, but it is told, and where it polls there some seconds later the answer is open.</summary>
    [Theory]
    [InlineData("app!Enter", "app!Enter", true)]
    [InlineData("app!Other", "app!Enter", false)]
    public void Thread_that_polls_at_one_place_in_two_looks_leaves_the_answer_open(string before, string after, bool isOpen)
    {
        ProcessSnapshot At(int second, string own)
        {
            ProcessSnapshot snapshot = new SnapshotBuilder().Thread(1, ThreadActivityKind.Sleeping, [Poll, own]).Build();
            return snapshot with
            {
                ProcessId = 7, ProcessStart = 1, Source = snapshot.Source with { Captured = DateTime.UnixEpoch.AddSeconds(second) },
                System = snapshot.System with { Family = OperatingSystemFamily.Linux },
                Threads = [.. snapshot.Threads.Select(t => t with
                {
                    ManagedId = 1, Stack = t.Stack with { Frames = [.. t.Stack.Frames.Select(f => f with { Symbol = SymbolSource.Metadata })] },
                })],
            };
        }

        AnalysisResult one = HangAnalysis.Run(At(0, before)), both = PairAnalysis.Run(SnapshotPair.Create(At(0, before), At(10, after), out _)!).Result;
        Assert.Equal((false, true), (one.IsUndecidable, one.AsksForAnotherLook));
        Assert.Contains(one.OpenWaits, w => w.Activity == "polls with SpinWait");
        Assert.Equal(isOpen, both.IsUndecidable);
    }
}
