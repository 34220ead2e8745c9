using Dump.Model.Facts;
using Dump.Model.Process;
using Dump.Model.Verdicts;
using Dump.Model.Waits;
using static Dump.Analysis.Tests.SnapshotBuilder;

namespace Dump.Analysis.Tests;

/// <summary>Each detector: positive, near miss, insufficient data.</summary>
public sealed class DetectorTests
{
    private static readonly ThreadTimes s_busy = new(TimeSpan.FromSeconds(4), TimeSpan.FromSeconds(4), null, TimeSpan.FromSeconds(10));
    private static readonly ThreadTimes s_idle = new(TimeSpan.Zero, TimeSpan.FromMilliseconds(10), null, TimeSpan.FromSeconds(10));
    private static readonly string[] s_detach =
        ["ntdll!NtWaitForAlertByThreadId", "ntdll!RtlEnterCriticalSection", "plug", "ntdll", "ntdll!LdrShutdownThread", "ntdll!RtlExitUserThread"];

    private static AnalysisResult Run(SnapshotBuilder builder) => HangAnalysis.Run(builder.Build());

    private static SnapshotBuilder LoaderCycle() => new SnapshotBuilder()
        .Thread(1, frames: s_detach).Thread(2)
        .Own(LoaderLock, 1).Wait(1, Section(0xA)).Own(Section(0xA), 2).Wait(2, LoaderLock);

    [Fact]
    public void Loader_lock_in_the_cycle_is_DUMP1001_with_the_callback()
    {
        Verdict verdict = Assert.Single(Run(LoaderCycle()).Verdicts);
        Assert.Equal(("DUMP1001", Confidence.Confirmed), (verdict.DetectorId, verdict.Confidence));
        Assert.Equal(new Culprit("plug.dll", "DllMain or TLS callback (thread detach)", 1), verdict.Culprit);
    }

    [Theory]
    [InlineData(2, "Thread 1 (0x2) waits in the loader for")]
    [InlineData(3, "Thread 1 (0x2) and 1 other thread wait in the loader for")]
    [InlineData(4, "Thread 1 (0x2) and 2 other threads wait in the loader for")]
    public void Other_waiters_of_the_loader_lock_are_counted_as_waiters(uint last, string expected)
    {
        SnapshotBuilder builder = LoaderCycle();
        for (uint id = 3; id <= last; id++)
        {
            builder.Thread(id).Wait(id, LoaderLock);
        }

        Assert.Contains(Assert.Single(Run(builder).Verdicts).Claims, c => c.Text.StartsWith(expected, StringComparison.Ordinal));
    }

    [Theory]
    [InlineData("LdrShutdownThread", "FlsAlloc")]
    [InlineData("LdrInitializeThunk", "on first use")]
    [InlineData("LdrLoadDll", "on first use")]
    [InlineData("LdrUnloadDll", "before it unloads")]
    public void Advice_fits_what_the_callback_was_called_for(string loaderFunction, string expected)
    {
        string[] frames = [.. s_detach[..4], $"ntdll!{loaderFunction}"];
        Verdict verdict = Assert.Single(Run(new SnapshotBuilder().Thread(1, frames: frames).Thread(2)
            .Own(LoaderLock, 1).Wait(1, Section(0xA)).Own(Section(0xA), 2).Wait(2, LoaderLock)).Verdicts);
        Assert.Contains(expected, verdict.Remedies[0], StringComparison.Ordinal);
        Assert.Contains("in DllMain or a TLS callback", verdict.Remedies[0], StringComparison.Ordinal);
    }

    [Fact]
    public void Waiting_for_a_slow_holder_of_the_loader_lock_is_no_deadlock() => Assert.Equal(
        [("DUMP1009", Confidence.Suspected)],
        Run(new SnapshotBuilder().Thread(1, ThreadActivityKind.Sleeping, s_detach, s_idle).Thread(2, times: s_idle).Own(LoaderLock, 1).Wait(2, LoaderLock))
            .Verdicts.Select(v => (v.DetectorId, v.Confidence)));

    [Fact]
    public void Without_the_loader_locks_memory_DUMP1001_cannot_answer()
    {
        AnalysisResult result = Run(new SnapshotBuilder { Available = DataAvailability.All with { LoaderLock = false } }.Thread(1, times: s_idle));
        Assert.Equal(DetectorOutcomeKind.InsufficientData, result.Outcomes.Single(o => o.DetectorId == "DUMP1001").Kind);
        Assert.True(result.IsUndecidable);
        Assert.Contains("procdump", result.Outcomes.Single(o => o.DetectorId == "DUMP9001").Missing[0].CaptureAdvice, StringComparison.Ordinal);
    }

    [Fact]
    public void A_suspected_cycle_is_never_called_a_deadlock()
    {
        Verdict verdict = Assert.Single(Run(new SnapshotBuilder().Thread(1).Thread(2)
            .Wait(1, Section(0xA), grade: Grade.Suspected).Own(Section(0xA), 2).Wait(2, Section(0xB)).Own(Section(0xB), 1)).Verdicts);
        Assert.Equal(Confidence.Suspected, verdict.Confidence);
        Assert.DoesNotContain("deadlock", verdict.Title + string.Concat(verdict.Claims.Select(c => c.Text)), StringComparison.OrdinalIgnoreCase);
    }

    [Theory]
    [InlineData(ResourceKind.SlimReaderWriterLock, true)]
    [InlineData(ResourceKind.KernelObject, true)]
    [InlineData(ResourceKind.Event, false)]
    public void A_wait_for_a_lock_without_known_owner_is_undecidable_and_one_for_an_event_is_not(ResourceKind kind, bool expected)
    {
        Resource resource = new(kind, kind == ResourceKind.KernelObject ? 0UL : 0x44, 1);
        AnalysisResult result = Run(new SnapshotBuilder().Thread(1, times: s_idle).Wait(1, resource));
        Assert.Empty(result.Verdicts);
        Assert.Equal(expected, result.IsUndecidable);
    }

    [Fact]
    public void A_thread_whose_innermost_function_is_unknown_makes_the_dump_undecidable() =>
        Assert.True(Run(new SnapshotBuilder().Thread(1, ThreadActivityKind.Unknown, times: s_idle)).IsUndecidable);

    [Fact]
    public void A_join_under_the_loader_is_DUMP1004_and_not_DUMP1001()
    {
        Resource end = new(ResourceKind.Thread, 2);
        Verdict verdict = Assert.Single(Run(new SnapshotBuilder().Thread(1, frames: s_detach).Thread(2)
            .Own(LoaderLock, 1).Wait(1, end).Own(end, 2).Wait(2, LoaderLock)).Verdicts);
        Assert.Equal("DUMP1004", verdict.DetectorId);
    }

    [Fact]
    public void A_join_with_a_time_limit_is_a_callback_that_waits_and_no_deadlock()
    {
        Resource end = new(ResourceKind.Thread, 2);
        Verdict verdict = Assert.Single(Run(new SnapshotBuilder().Thread(1, frames: s_detach, times: s_idle).Thread(2, times: s_idle)
            .Own(LoaderLock, 1).Wait(1, end, WaitTimeout.Finite).Own(end, 2).Wait(2, LoaderLock)).Verdicts);
        Assert.Equal(("DUMP1009", Confidence.Suspected), (verdict.DetectorId, verdict.Confidence));
    }

    /// <summary>Which threads to leave out of a sentence only their order could say.</summary>
    [Theory]
    [InlineData(10, true)]
    [InlineData(11, false)]
    public void A_long_cycle_is_not_listed_in_the_conclusion(int threads, bool expected)
    {
        SnapshotBuilder builder = new();
        for (uint i = 0; i < threads; i++)
        {
            builder.Thread(i + 1).Own(Section(0x1000 + i), i + 1).Wait(i + 1, Section(0x1000 + ((i + 1) % (uint)threads)));
        }

        Verdict verdict = Assert.Single(Run(builder).Verdicts);
        Assert.Equal((threads, threads + 1), (verdict.Chain.Length, verdict.Claims.Length));
        Assert.Equal(expected, verdict.Claims[0].Text.Contains("thread 0 (0x1)", StringComparison.Ordinal));
    }

    [Theory]
    [InlineData(false, true)]
    [InlineData(true, false)]
    [InlineData(null, false)]
    public void Only_an_owner_known_to_be_gone_orphans_a_lock(bool? alive, bool expected) =>
        Assert.Equal(expected, Run(new SnapshotBuilder().Thread(1, times: s_idle).Wait(1, Section(0xA)).Own(Section(0xA), 99, alive))
            .Verdicts.Any(v => v.DetectorId == "DUMP1003"));

    [Fact]
    public void An_orphan_that_nobody_waits_for_is_no_verdict() =>
        Assert.Empty(Run(new SnapshotBuilder().Thread(1, times: s_idle).Own(Section(0xA), 99, alive: false)).Verdicts);

    [Fact]
    public void Load_ownership_without_owner_is_orphaned_only_when_every_flag_was_read()
    {
        Resource ownership = new(ResourceKind.LoadOwnership, 0);
        SnapshotBuilder known = new() { Loader = LoaderState.Unknown with { LoadOwnershipIsKnown = true } };
        Assert.Equal("DUMP1003", Assert.Single(Run(known.Thread(1, isLoadOwner: false).Wait(1, ownership, grade: Grade.Derived)).Verdicts).DetectorId);
        SnapshotBuilder unknown = new() { Loader = LoaderState.Unknown with { LoadOwnershipIsKnown = false } };
        Assert.Empty(Run(unknown.Thread(1).Wait(1, ownership, grade: Grade.Derived)).Verdicts);
    }

    [Theory]
    [InlineData(ThreadActivityKind.Running, true, Confidence.Suspected)]
    [InlineData(ThreadActivityKind.Running, false, Confidence.Suspected)]
    [InlineData(ThreadActivityKind.Running, null, Confidence.Suspected)]
    [InlineData(ThreadActivityKind.Sleeping, true, null)]
    [InlineData(ThreadActivityKind.Waiting, true, null)]
    public void A_spinning_owner_must_run_now_whatever_time_it_has_used(ThreadActivityKind activity, bool? busy, Confidence? expected)
    {
        ThreadTimes? times = busy switch { true => s_busy, false => s_idle, null => null };
        AnalysisResult result = Run(new SnapshotBuilder().Thread(1, activity, times: times).Thread(2, times: s_idle).Own(Section(0xA), 1)
            .Wait(2, Section(0xA)));
        Assert.Equal(expected, result.Verdicts.FirstOrDefault(v => v.DetectorId == "DUMP2001")?.Confidence);
    }

    [Fact]
    public void Without_processor_times_DUMP2001_cannot_answer() => Assert.Equal(
        DetectorOutcomeKind.InsufficientData,
        Run(new SnapshotBuilder { Available = DataAvailability.All with { ThreadTimes = false } }.Thread(1)).Outcomes.Single(o => o.DetectorId == "DUMP2001")
            .Kind);

    [Fact]
    public void A_runaway_that_only_computes_is_a_suspicion() =>
        Assert.Equal(Confidence.Suspected, Assert.Single(Run(new SnapshotBuilder().Thread(1, ThreadActivityKind.Running, times: s_busy)).Verdicts).Confidence);

    [Theory]
    [InlineData(2, 0)]
    [InlineData(3, 1)]
    public void A_stuck_owner_needs_three_waiters(int waiters, int expected)
    {
        SnapshotBuilder builder = new SnapshotBuilder().Thread(1).Own(Section(0xA), 1).Wait(1, new Resource(ResourceKind.Event, 0x44));
        for (uint i = 0; i < waiters; i++)
        {
            builder.Thread(10 + i).Wait(10 + i, Section(0xA));
        }

        Assert.Equal(expected, Run(builder).Verdicts.Count(v => v.DetectorId == "DUMP1005"));
    }

    [Theory]
    [InlineData(Grade.Proven, Confidence.Confirmed)]
    [InlineData(Grade.Derived, Confidence.Likely)]
    public void What_a_head_blocker_waits_for_is_as_sure_as_that_wait(Grade grade, Confidence expected)
    {
        SnapshotBuilder builder = new SnapshotBuilder().Thread(1).Own(Section(0xA), 1).Wait(1, new Resource(ResourceKind.Event, 0x44), grade: grade);
        for (uint i = 0; i < 3; i++)
        {
            builder.Thread(10 + i).Wait(10 + i, Section(0xA));
        }

        Claim claim = Assert.Single(Run(builder).Verdicts).Claims[1];
        Assert.Contains("event (handle 0x44)", claim.Text, StringComparison.Ordinal);
        Assert.Equal(expected, claim.Confidence);
    }

    [Fact]
    public void Order_of_threads_and_facts_changes_nothing()
    {
        SnapshotBuilder builder = LoaderCycle().Thread(3).Wait(3, LoaderLock).Thread(4).Wait(4, Section(0xF)).Own(Section(0xF), 99, alive: false);
        string Shape(bool reversed) => string.Join(';', HangAnalysis.Run(builder.Build(reversed))
            .Verdicts.Select(v => $"{v.DetectorId} {v.Confidence} {string.Join(',', v.Threads)}"));
        Assert.Equal(Shape(false), Shape(true));
        Assert.Equal("DUMP1001 Confirmed 1,2;DUMP1003 Confirmed 4", Shape(false));
    }
}
