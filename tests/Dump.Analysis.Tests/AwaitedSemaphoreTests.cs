using Dump.Model.Facts;
using Dump.Model.Managed;
using Dump.Model.Process;
using Dump.Model.Verdicts;
using Dump.Model.Waits;

namespace Dump.Analysis.Tests;

/// <summary>
/// Semaphores that async methods wait for: a suspicion where only the waiters have one, an open question where many wait, and no word of an idle queue.
/// </summary>
public sealed class AwaitedSemaphoreTests
{
    private static readonly Resource s_semaphore = new(ResourceKind.ManagedSignal, 0x5000);

    private static AwaitedSemaphore Semaphore(int waiters, SemaphoreUsers users, int? unlimited = null) => new(0x5000)
    {
        Waiters = waiters, Unlimited = unlimited ?? waiters, Users = users, Methods = [new AwaitingMethod("App.Load", waiters)],
    };

    private static AnalysisResult Run(SnapshotBuilder builder, params AwaitedSemaphore[] semaphores)
    {
        ProcessSnapshot snapshot = builder.Build();
        return HangAnalysis.Run(snapshot with { AsyncWaits = new AsyncWaits { Semaphores = [.. semaphores] }, System =
            snapshot.System with { Family = OperatingSystemFamily.Linux } });
    }

    private static SnapshotBuilder Idle() => new SnapshotBuilder().Thread(1, ThreadActivityKind.Idle, ["libc"]).With(t => t with { ManagedId = 1 });

    private static SnapshotBuilder Running(string method) =>
        Idle().Thread(2, ThreadActivityKind.Running, [$"app!{method}"]).With(t => t with { ManagedId = 2 });

    [Theory]
    [InlineData(HeapLookGap.Absent, false, "is not in the dump")]
    [InlineData(HeapLookGap.BeingCollected, false, "just being collected")]
    [InlineData(HeapLookGap.BrokenOff, true, "broke off")]
    public void Heap_that_was_not_seen_is_told(HeapLookGap gap, bool leavesOpen, string words)
    {
        AnalysisResult result = HangAnalysis.Run(Idle().Build() with { AsyncWaits = new AsyncWaits { Gap = gap } });
        Assert.Empty(result.Verdicts);
        Assert.Equal(leavesOpen, result.Outcomes.Any(o => o.Missing.Any(m => m.What.Contains(words, StringComparison.Ordinal))));
        Assert.Equal(!leavesOpen, result.OpenWaits.Any(w => w.Activity.Contains(words, StringComparison.Ordinal)));
    }

    [Fact]
    public void Semaphore_that_only_its_waiters_have_is_suspected_without_an_owner()
    {
        Verdict verdict = Assert.Single(Run(Idle(), Semaphore(3, SemaphoreUsers.OnlyWaiters)).Verdicts);
        Assert.Equal(("DUMP5001", Confidence.Suspected, "All users of a semaphore wait for it"), (verdict.DetectorId, verdict.Confidence, verdict.Title));
        Assert.Equal("3 async methods wait for SemaphoreSlim 0x5000 (count 0), without a time limit or a cancellation token: App.Load (3).", verdict.Claims[0]
            .Text);
        Assert.Empty(verdict.Chain);
        Assert.Empty(Run(Idle(), Semaphore(3, SemaphoreUsers.OnlyWaiters)).OpenWaits);
    }

    [Fact]
    public void Thread_that_waits_for_it_takes_part()
    {
        SnapshotBuilder builder = Idle().Thread(2, frames: ["app!main"]).Wait(2, s_semaphore);
        Verdict verdict = Assert.Single(Run(builder, Semaphore(1, SemaphoreUsers.OnlyWaiters) with { Blocked = 1, Threads = [2] }).Verdicts);
        Assert.Equal<uint>([2], verdict.Threads);
        Assert.StartsWith("1 async method and 1 thread wait for", verdict.Claims[0].Text, StringComparison.Ordinal);
    }

    [Theory]
    [InlineData(SemaphoreUsers.Others)]
    [InlineData(SemaphoreUsers.Unknown)]
    public void Semaphore_that_somebody_may_release_accuses_nobody(SemaphoreUsers users)
    {
        AnalysisResult result = Run(Idle(), Semaphore(9, users));
        Assert.Empty(result.Verdicts);
        Assert.Empty(result.OpenWaits);
        Assert.False(result.IsUndecidable);
    }

    [Fact]
    public void Thread_that_executes_code_may_release_it()
    {
        AnalysisResult result = Run(Running("App.Work"), Semaphore(3, SemaphoreUsers.OnlyWaiters));
        Assert.Empty(result.Verdicts);
        Assert.True(result.IsUndecidable);
        Assert.False(Run(Running("App.Work"), Semaphore(3, SemaphoreUsers.Others)).IsUndecidable);
    }

    /// <summary>A handful are consumers of a queue; ten and more are told; a hundred without a limit leave the answer open.</summary>
    [Theory]
    [InlineData(9, 9, 0, false)]
    [InlineData(10, 10, 1, false)]
    [InlineData(99, 99, 1, false)]
    [InlineData(100, 100, 1, true)]
    [InlineData(5_000, 99, 1, false)]
    public void Many_waiters_leave_the_answer_open(int waiters, int unlimited, int lines, bool isUndecidable)
    {
        AnalysisResult result = Run(Idle(), Semaphore(waiters, SemaphoreUsers.Others, unlimited));
        Assert.Equal((lines, isUndecidable), (result.OpenWaits.Length, result.IsUndecidable));
        Assert.All(result.OpenWaits, w => Assert.Equal((null, isUndecidable), (w.ThreadId, w.LeavesUndecided)));
    }

    /// <summary>
    /// Ten requests that cannot be answered before are no consumers of a queue; where some have a limit, or another call has got further, the answer stands.
    /// </summary>
    [Theory]
    [InlineData(30, 30, 30, 0, true)]
    [InlineData(10, 10, 10, 0, true)]
    [InlineData(10, 10, 9, 0, false)]
    [InlineData(30, 9, 30, 0, false)]
    [InlineData(30, 30, 30, 1, false)]
    [InlineData(30, 30, 0, 0, false)]
    public void Requests_at_one_semaphore_leave_the_answer_open(int waiters, int unlimited, int requests, int further, bool isUndecidable)
    {
        AnalysisResult result = Run(Idle(), Semaphore(waiters, SemaphoreUsers.Others, unlimited) with { Requests = requests, Further = further });
        OpenWait wait = Assert.Single(result.OpenWaits);
        Assert.Equal((isUndecidable, isUndecidable), (wait.LeavesUndecided, result.IsUndecidable));
        Assert.Equal(requests > 0, wait.Activity.Contains($" {requests} requests to this server cannot be answered before.", StringComparison.Ordinal));
        Assert.False(Run(Running("App.Load"), Semaphore(waiters, SemaphoreUsers.Others, unlimited) with { Requests = requests, Further = further }).IsUndecidable);
    }

    /// <summary>
    /// A busy server has threads that execute something all the time: only one in a method of the waiting calls may have entered the semaphore.
    /// </summary>
    [Theory]
    [InlineData("App.Other", true)]
    [InlineData("App.Loader", true)]
    [InlineData("App.Load", false)]
    [InlineData("App.Load[[System.__Canon, System.Private.CoreLib]]", false)]
    [InlineData("App.Handle", false)]
    public void Thread_that_executes_a_waiting_method_may_be_inside(string method, bool isUndecidable)
    {
        AnalysisResult result = Run(Running(method), Semaphore(100, SemaphoreUsers.Others) with { Stopped = ["App.Handle", "App.Load"] });
        Assert.Equal(isUndecidable, Assert.Single(result.OpenWaits).LeavesUndecided);
        Assert.Equal(isUndecidable, result.IsUndecidable);
    }

    [Fact]
    public void Call_that_has_got_further_may_release_it()
    {
        AnalysisResult result = Run(Idle(), Semaphore(200, SemaphoreUsers.Others) with { Further = 1 });
        Assert.EndsWith(" 1 other call of their methods does not, and may release it. Look at App.Load (200).", Assert.Single(result.OpenWaits).Activity,
            StringComparison.Ordinal);
        Assert.False(result.IsUndecidable);
    }

    [Fact]
    public void Heap_that_was_left_out_is_told_with_the_command_and_leaves_nothing_open()
    {
        AnalysisResult result = HangAnalysis.Run(Idle().Build() with { AsyncWaits = new AsyncWaits { HeapLeftOut = 3L << 30 } });
        Assert.Equal(
            "Async methods were not looked at: the managed heap has 3,072 MiB. dumpanalyze tasks shows what they wait for.", Assert.Single(result.OpenWaits)
                .Activity);
        Assert.False(result.IsUndecidable);
    }

    private static SemaphoreHolder Holder(string method, params ulong[] behind) => new(new AwaitingMethod(method, 1)) { Behind = [.. behind] };

    private static AwaitedSemaphore Turn(ulong address, string waiter, params SemaphoreHolder[] holders) =>
        new(address) { Waiters = 1, Unlimited = 1, Users = SemaphoreUsers.Others, Methods = [new AwaitingMethod(waiter, 1)], Holders = [.. holders] };

    [Fact]
    public void Semaphore_taken_again_by_the_call_that_holds_it_is_a_deadlock()
    {
        Verdict verdict = Assert.Single(Run(Idle(), Turn(0x5000, "App.Total", Holder("App.Add", 0x5000))).Verdicts);
        Assert.Equal(("DUMP1002", Confidence.Suspected), (verdict.DetectorId, verdict.Confidence));
        Assert.Equal<string>(["App.Add", "App.Total"], verdict.AsyncMethods);
        Assert.Equal(Confidence.Likely, verdict.Claims[0].Confidence);
        Assert.StartsWith("1 call of App.Add holds SemaphoreSlim 0x5000", verdict.Claims[0].Text, StringComparison.Ordinal);
    }

    [Fact]
    public void Semaphores_taken_in_opposite_order_are_one_deadlock()
    {
        Verdict verdict = Assert.Single(Run(
            Idle(), Turn(0x5000, "App.Move", Holder("App.Copy", 0x6000)), Turn(0x6000, "App.Copy", Holder("App.Move", 0x5000))).Verdicts);
        Assert.Equal(("DUMP1002", 5), (verdict.DetectorId, verdict.Claims.Length));
    }

    /// <summary>What waits behind such a cycle is no part of it, at whichever address it lies.</summary>
    [Theory]
    [InlineData(0x4000)]
    [InlineData(0x6000)]
    public void Semaphore_whose_holder_waits_behind_a_cycle_is_no_part_of_it(ulong behind)
    {
        Verdict verdict = Assert.Single(Run(
            Idle(), Turn(behind, "App.Print", Holder("App.Save", 0x5000)), Turn(0x5000, "App.Total", Holder("App.Add", 0x5000))).Verdicts);
        Assert.Equal<string>(["App.Add", "App.Total"], verdict.AsyncMethods);
    }

    [Fact]
    public void Semaphore_of_which_one_holder_may_go_on_is_no_deadlock()
    {
        Assert.Empty(Run(Idle(), Turn(0x5000, "App.Total", Holder("App.Add", 0x5000), Holder("App.Save"))).Verdicts);
        Assert.Empty(Run(Idle(), Turn(0x5000, "App.Total", Holder("App.Add", 0x6000)), Turn(0x6000, "App.Add", Holder("App.Save"))).Verdicts);
        Assert.Empty(Run(Idle(), Turn(0x5000, "App.Total")).Verdicts);
    }

    [Fact]
    public void Semaphore_whose_waiters_have_a_limit_or_whose_methods_run_is_no_deadlock()
    {
        Assert.Empty(Run(Idle(), Turn(0x5000, "App.Total", Holder("App.Add", 0x5000)) with { Unlimited = 0 }).Verdicts);
        Assert.Empty(Run(Running("App.Add"), Turn(0x5000, "App.Total", Holder("App.Add", 0x5000))).Verdicts);
        Assert.Single(Run(Running("App.Other"), Turn(0x5000, "App.Total", Holder("App.Add", 0x5000))).Verdicts);
    }
}
