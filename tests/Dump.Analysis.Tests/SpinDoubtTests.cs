using Dump.Analysis.Options;
using Dump.Analysis.Spinning;
using Dump.Model.Facts;
using Dump.Model.Process;
using Dump.Model.Waits;
using static Dump.Analysis.Tests.SnapshotBuilder;

namespace Dump.Analysis.Tests;

/// <summary>Sound programs that look like a thread spinning for a lock: none may be called a deadlock.</summary>
public sealed class SpinDoubtTests
{
    private static readonly ThreadTimes s_busy = new(TimeSpan.FromSeconds(8), TimeSpan.FromSeconds(1), null, TimeSpan.FromSeconds(10));
    private static readonly string[] s_yield = ["ntdll!NtYieldExecution", "kernelbase!SwitchToThread", "engine"];
    private static readonly SpinWord s_word = new(0x5000, 1, "engine.dll", FromInstruction: true);

    /// <summary>Thread 4 is in engine.dll and holds a section that thread 8, also in engine.dll, waits for.</summary>
    private static SnapshotBuilder Contention(string[] frames, ThreadActivityKind activity, ThreadTimes? times, params SpinWord[] words) =>
        new SnapshotBuilder()
        .Thread(4, activity, frames, times, words: words)
        .Thread(8, frames: ["ntdll!NtWaitForAlertByThreadId", "ntdll!RtlEnterCriticalSection", "engine", "app!work"])
        .Own(Section(0xA), 4).Wait(8, Section(0xA));

    private static Confidence? Deadlock(SnapshotBuilder scene) =>
        HangAnalysis.Run(scene.Build()).Verdicts.FirstOrDefault(v => v.DetectorId is "DUMP1001" or "DUMP1002")?.Confidence;

    [Fact]
    public void A_thread_that_computes_in_a_loop_and_holds_a_lock_is_no_deadlock() =>
        Assert.NotEqual(Confidence.Likely, Deadlock(Contention(["engine", "app!work"], ThreadActivityKind.Running, s_busy, s_word)));

    [Fact]
    public void A_yielding_thread_whose_loop_tests_a_word_is() =>
        Assert.Equal(Confidence.Likely, Deadlock(Contention(s_yield, ThreadActivityKind.Yielding, s_busy, s_word)));

    [Fact]
    public void A_register_that_points_to_something_is_no_lock_word() =>
        Assert.Equal(Confidence.Suspected, Deadlock(Contention(s_yield, ThreadActivityKind.Yielding, s_busy, s_word with { FromInstruction = false })));

    [Theory]
    [InlineData(ThreadActivityKind.Running)]
    [InlineData(ThreadActivityKind.SystemCall)]
    [InlineData(ThreadActivityKind.Idle)]
    public void A_third_thread_inside_the_library_may_hold_the_spin_lock(ThreadActivityKind activity) =>
        Assert.Equal(Confidence.Suspected, Deadlock(Contention(s_yield, ThreadActivityKind.Yielding, s_busy, s_word)
            .Thread(12, activity, ["ntdll", "engine"])));

    [Fact]
    public void A_third_thread_whose_stack_is_cut_may_hold_the_spin_lock() =>
        Assert.Equal(Confidence.Suspected, Deadlock(Contention(s_yield, ThreadActivityKind.Yielding, s_busy, s_word)
            .Thread(12, frames: ["ntdll"], end: StackEnd.MemoryMissing)));

    [Fact]
    public void A_word_that_names_another_living_thread_clears_the_candidate()
    {
        SnapshotBuilder scene = Contention(s_yield, ThreadActivityKind.Yielding, s_busy, s_word with { Value = 12 })
            .Thread(12, ThreadActivityKind.Running, ["other"]);
        Assert.Null(Deadlock(scene));
        Assert.Empty(SpinLockRule.Apply(scene.Build(), AnalysisOptions.Default).Ownerships);
    }

    [Fact]
    public void The_program_app_exe_is_not_the_library_app_dll() => Assert.Empty(SpinLockRule.Apply(
        new SnapshotBuilder()
            .Thread(4, ThreadActivityKind.Yielding, ["ntdll!NtYieldExecution", "kernelbase!SwitchToThread", "app.dll"], words: [s_word])
            .Thread(8, frames: ["ntdll!NtWaitForSingleObject", "app!main"]).Wait(8, new Resource(ResourceKind.Event, 0x44)).Build(),
        AnalysisOptions.Default).Ownerships);
}
