using Dump.Analysis.Looks;
using Dump.Analysis.Pairs;
using Dump.Model.Facts;
using Dump.Model.Process;
using Dump.Model.Verdicts;
using Dump.Model.Waits;

namespace Dump.Analysis.Tests;

/// <summary>Locks whose owner is idle: left held by a piece of work that has ended, or held by a server that waits for its next client.</summary>
public sealed class LeftHeldTests
{
    private static readonly Resource s_lock = SnapshotBuilder.Section(0x5000);
    private static readonly string[] s_worker = ["ntdll!NtWaitForWorkViaWorkerFactory", "ntdll!TppWorkerThread", "kernelbase!BaseThreadInitThunk",
        "ntdll!RtlUserThreadStart"];
    private static readonly string[] s_server = ["ntdll!NtRemoveIoCompletion", "kernelbase!GetQueuedCompletionStatus", "app!serve", "ntdll!RtlUserThreadStart"];

    [Theory]
    [InlineData(1)]
    [InlineData(2)]
    public void Lock_left_held_by_an_idle_worker_is_suspected_however_few_wait(int waiters)
    {
        Verdict verdict = Assert.Single(HangAnalysis.Run(Idle(s_worker, s_lock, waiters).Build()).Verdicts);
        Assert.Equal(("DUMP1005", Confidence.Suspected), (verdict.DetectorId, verdict.Confidence));
        Assert.Equal("It waits for new work or input while holding the lock.", verdict.Claims[1].Text);
        Assert.Contains("has most likely ended without releasing the lock", verdict.Claims[2].Text, StringComparison.Ordinal);
    }

    [Fact]
    public void Lock_left_held_by_a_thread_that_is_back_in_its_message_loop_is_suspected()
    {
        Verdict verdict = Assert.Single(HangAnalysis.Run(Idle(UiThreadStacks.IdleWin32, s_lock, 1).Build()).Verdicts);
        Assert.Equal(("DUMP1005", Confidence.Suspected), (verdict.DetectorId, verdict.Confidence));
        Assert.Contains("It is back in its message loop", verdict.Claims[2].Text, StringComparison.Ordinal);
    }

    /// <summary>
    /// Workers that take turns in waiting for clients look like that, and whoever comes next is served: nothing is found, and nothing excluded.
    /// </summary>
    [Fact]
    public void Server_that_waits_for_clients_under_a_lock_leaves_the_answer_open()
    {
        AnalysisResult result = HangAnalysis.Run(Idle(s_server, s_lock, 2).Build());
        Assert.Empty(result.Verdicts);
        Assert.True(Assert.Single(result.OpenWaits).LeavesUndecided && result.IsUndecidable);
    }

    /// <summary>The healthy twin: nobody waits for what it holds, or only for a moment.</summary>
    [Theory]
    [InlineData(0, WaitTimeout.Infinite)]
    [InlineData(2, WaitTimeout.Finite)]
    public void Idle_worker_for_whose_lock_nobody_waits_for_good_is_healthy(int waiters, WaitTimeout limit)
    {
        AnalysisResult result = HangAnalysis.Run(Idle(s_worker, s_lock, waiters, limit).Build());
        Assert.Empty(result.Verdicts);
        Assert.False(result.IsUndecidable);
    }

    /// <summary>Programs hold a mutex of the kernel for good, as a sign of life.</summary>
    [Theory]
    [InlineData(2, false)]
    [InlineData(3, true)]
    public void Mutex_of_the_kernel_takes_three_waiters(int waiters, bool found)
    {
        AnalysisResult result = HangAnalysis.Run(Idle(s_worker, new Resource(ResourceKind.Mutex, 0x40), waiters).Build());
        Assert.Equal(found, result.Verdicts.Length == 1);
        Assert.NotEqual(found, result.IsUndecidable);
    }

    [Fact]
    public void Stack_that_ends_too_early_may_hide_the_code_that_releases_the_lock()
    {
        AnalysisResult result = HangAnalysis.Run(Idle(s_worker, s_lock, 1, end: StackEnd.MemoryMissing).Build());
        Assert.Empty(result.Verdicts);
        Assert.True(result.IsUndecidable);
    }

    /// <summary>Two dumps: the worker had no work in between, and the waiter none.</summary>
    [Theory]
    [InlineData(true, Confidence.Likely)]
    [InlineData(false, Confidence.Suspected)]
    public void Two_dumps_accuse_a_worker_that_stood(bool stood, Confidence expected)
    {
        Verdict verdict = Assert.Single(Pair(Idle(s_worker, s_lock, 1, id: stood ? 1u : 7u), Idle(s_worker, s_lock, 1)).Verdicts);
        Assert.Equal(("DUMP1005", expected), (verdict.DetectorId, verdict.Confidence));
    }

    /// <summary>
    /// An owner that polls under the lock uses processor time and moves: the same lock for the same waiter is a suspicion in two dumps, a new one is nothing.
    /// </summary>
    [Theory]
    [InlineData("stands", true, false)]
    [InlineData("another owner", false, false)]
    [InlineData("served", false, false)]
    public void Second_dump_decides_on_an_owner_that_polls(string what, bool found, bool open)
    {
        SnapshotBuilder Polls(uint owner, uint waiter, double used) => new SnapshotBuilder()
            .Thread(owner, ThreadActivityKind.Sleeping, times: Times(used))
                .Wait(owner, new Resource(ResourceKind.Time, 0, owner), WaitTimeout.Finite, milliseconds: 10)
            .Own(s_lock, owner).Thread(waiter, times: Times(0)).Wait(waiter, s_lock);
        SnapshotBuilder before = what switch { "stands" => Polls(1, 2, 0), "another owner" => Polls(2, 1, 0), _ => Polls(1, 3, 0)
            .Thread(2, ThreadActivityKind.Running, times: Times(0)) };
        SnapshotBuilder after = what == "served" ? Polls(1, 2, 0.3).Thread(3, ThreadActivityKind.Running, times: Times(0.1)) : Polls(1, 2, 0.3);
        AnalysisResult result = Pair(before, after);
        Assert.Equal(found ? ["DUMP1005 Suspected"] : [], result.Verdicts.Select(v => $"{v.DetectorId} {v.Confidence}"));
        Assert.Equal(open, result.OpenWaits.Any(w => w.LeavesUndecided));
        Assert.True(HangAnalysis.Run(after.Build()).IsUndecidable);
    }

    private static SnapshotBuilder Idle(
        string[] frames, Resource held, int waiters, WaitTimeout limit = WaitTimeout.Infinite, StackEnd end = StackEnd.Complete, uint id = 1)
    {
        SnapshotBuilder builder = new SnapshotBuilder().Thread(id, ThreadActivityKind.Idle, frames, Times(0), end: end).Own(held, id);
        for (uint waiter = 10; waiter < 10 + waiters; waiter++)
        {
            builder.Thread(waiter, times: Times(0)).Wait(waiter, held, limit);
        }

        return builder;
    }

    private static AnalysisResult Pair(SnapshotBuilder before, SnapshotBuilder after)
    {
        static ProcessSnapshot At(SnapshotBuilder builder, int seconds)
        {
            ProcessSnapshot snapshot = builder.Build();
            return snapshot with { ProcessId = 7, Source = snapshot.Source with { Captured = new DateTime(2026, 1, 2, 3, 4, seconds, DateTimeKind.Utc) } };
        }

        return PairAnalysis.Run(SnapshotPair.Create(At(before, 0), At(after, 9), out _)!).Result;
    }

    private static ThreadTimes Times(double seconds) => new(TimeSpan.Zero, TimeSpan.FromSeconds(seconds), null, TimeSpan.FromSeconds(86_400));
}
