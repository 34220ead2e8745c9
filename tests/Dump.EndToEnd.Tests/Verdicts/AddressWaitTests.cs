using Dump.Analysis;
using Dump.Model.Facts;
using Dump.Model.Process;
using Dump.Model.Verdicts;
using Dump.Model.Waits;
using Dump.Testing.Synthetic;

namespace Dump.EndToEnd.Tests.Verdicts;

/// <summary>
/// Waits by address other than for SRW locks, on minidumps made by hand: WaitOnAddress, condition variables, one-time initialisations, keyed events.
/// </summary>
public sealed class AddressWaitTests
{
    private const uint A = 0x20;
    private const uint B = 0x24;
    private const uint C = 0x28;
    private const int Word = 0x100;
    private const int Lock = 0x140;
    private const string ExecuteOnce = "RtlRunOnceExecuteOnce";

    private static WaitFact WaitOf(ProcessSnapshot snapshot, uint thread) => Assert.Single(snapshot.Waits, w => w.ThreadId == thread);

    [Theory]
    [InlineData(uint.MaxValue, WaitTimeout.Infinite, null)]
    [InlineData(250u, WaitTimeout.Finite, 250L)]
    public void WaitOnAddress_has_its_address_and_its_limit_from_the_callers_code(uint limit, WaitTimeout expected, long? milliseconds)
    {
        AddressWaitScene scene = new();
        ulong word = scene.Word(Word, 7);
        scene.Caller(A, "WaitOnAddress", "RtlWaitOnAddress", (uint)word, 0, 4, limit, argument: 0);
        WaitFact wait = WaitOf(SyntheticAnalysis.Read(scene.Process), A);
        Assert.Equal((new Resource(ResourceKind.Address, word), expected, milliseconds), (wait.Resource, wait.Timeout, wait.Milliseconds));
        Assert.Empty(HangAnalysis.Run(SyntheticAnalysis.Read(scene.Process)).Verdicts);
    }

    [Fact]
    public void An_unreadable_address_is_none()
    {
        AddressWaitScene scene = new();
        scene.Caller(A, "WaitOnAddress", "RtlWaitOnAddress", 0x666000, 0, 4, uint.MaxValue, argument: 0x667000);
        Assert.Equal(new Resource(ResourceKind.Address, 0, A), WaitOf(SyntheticAnalysis.Read(scene.Process), A).Resource);
    }

    private const ulong Waited = 0x5550_0060;

    /// <summary>The block of the first thread leads to that of the second, which lies in the same bucket.</summary>
    [Theory]
    [InlineData(A, 3, Waited, Waited)]
    [InlineData(0x9990u, 3, null, null)] // the first block names another thread
    [InlineData(A, 4, null, null)] // the block stands in a bucket into which its address does not belong
    public void The_systems_own_table_tells_addresses_where_its_blocks_prove_themselves(uint named, int bucket, ulong? first, ulong? second)
    {
        AddressWaitScene scene = new();
        FakeFunction[] frames = [scene.Ntdll.Stub("NtWaitForAlertByThreadId"), scene.Ntdll.Function("RtlWaitOnAddress"),
            scene.Ntdll.Function("RtlUserThreadStart")];
        scene.Process.Threads.Add(new FakeThread(A, frames) { WaitBlock = [Waited, named, FakeProcess.WaitBlockOf(1), 0] });
        scene.Process.Threads.Add(new FakeThread(B, frames) { WaitBlock = [Waited, B, 0, FakeProcess.WaitBlockOf(0)] });
        scene.Process.WaitBuckets[bucket] = FakeProcess.WaitBlockOf(0) | 1;
        ProcessSnapshot snapshot = SyntheticAnalysis.Read(scene.Process);
        Assert.Equal((first ?? 0, second ?? 0), (WaitOf(snapshot, A).Resource.Identity, WaitOf(snapshot, B).Resource.Identity));
    }

    /// <summary>What the fuzz tests damage is sound and full of finds, so that they damage something.</summary>
    [Fact]
    public void The_scene_of_all_kinds_has_all_kinds()
    {
        ProcessSnapshot snapshot = SyntheticAnalysis.Read(AddressWaitScene.OfAllKinds().Process);
        Assert.All(snapshot.Waits, w => Assert.NotEqual(0UL, w.Resource.Identity));
        Assert.Equal(
            [ResourceKind.CriticalSection, ResourceKind.SlimReaderWriterLock, ResourceKind.OneTimeInitialization, ResourceKind.Address],
            snapshot.Waits.Select(w => w.Resource.Kind).Distinct().Order());
        Assert.Equal([0x20u, 0x24u, 0x2Cu, 0x2Cu, 0x30u, 0x34u], snapshot.Ownerships.Select(o => o.OwnerThreadId).Order());
    }

    [Fact]
    public void A_table_that_leads_in_circles_ends()
    {
        AddressWaitScene scene = new();
        FakeFunction[] frames = [scene.Ntdll.Stub("NtWaitForAlertByThreadId"), scene.Ntdll.Function("RtlWaitOnAddress"),
            scene.Ntdll.Function("RtlUserThreadStart")];
        scene.Process.Threads.Add(new FakeThread(A, frames) { WaitBlock = [Waited, A, FakeProcess.WaitBlockOf(0), FakeProcess.WaitBlockOf(0)] });
        scene.Process.WaitBuckets[3] = FakeProcess.WaitBlockOf(0);
        Assert.Equal(Waited, WaitOf(SyntheticAnalysis.Read(scene.Process), A).Resource.Identity);
    }

    /// <summary>The system call gets the address of the lock, which is held and has a wait block on this thread's stack: still no wait for a lock.</summary>
    [Fact]
    public void A_condition_variable_is_never_taken_for_its_lock()
    {
        AddressWaitScene scene = new();
        ulong condition = scene.Word(Word, 0);
        ulong held = scene.Contended(Lock, waiter: 0);
        scene.Caller(A, "SleepConditionVariableSRW", "RtlSleepConditionVariableSRW", (uint)condition, (uint)held, 5000, 0, argument: held);
        scene.Sleeper(B, keeps: held);
        ProcessSnapshot snapshot = SyntheticAnalysis.Read(scene.Process);
        WaitFact wait = WaitOf(snapshot, A);
        Assert.Equal((new Resource(ResourceKind.ConditionVariable, condition), WaitTimeout.Finite, (long?)5000),
            (wait.Resource, wait.Timeout, wait.Milliseconds));
        Assert.Empty(snapshot.Ownerships);
    }

    [Fact]
    public void A_keyed_event_without_a_lock_function_has_its_key()
    {
        AddressWaitScene scene = new(isWindows7: true);
        ulong key = scene.Word(Word, 1);
        scene.Process.Threads.Add(new FakeThread(A, [scene.Ntdll.ShortStub("NtWaitForKeyedEvent"), scene.Process.Images[0]
            .CallWith("wait", 0x44, (uint)key, 0, 0),
            scene.Ntdll.Function("RtlUserThreadStart")]));
        WaitFact wait = WaitOf(SyntheticAnalysis.Read(scene.Process), A);
        Assert.Equal((new Resource(ResourceKind.KeyedEvent, key), WaitTimeout.Infinite), (wait.Resource, wait.Timeout));
    }

    /// <summary>The initialiser wants a critical section whose owner waits for the initialisation.</summary>
    private static AddressWaitScene Initialisation(ulong state, bool hasSecondRunner = false)
    {
        AddressWaitScene scene = new();
        ulong once = scene.Word(Word, state);
        ulong section = scene.Section(Lock, B, 1);
        scene.Entering(A, section, scene.Initialising(once));
        scene.Waiter(B, ExecuteOnce, once);
        if (hasSecondRunner)
        {
            scene.Entering(C, section, scene.Initialising(once));
        }

        return scene;
    }

    [Fact]
    public void An_initialiser_that_wants_its_waiters_lock_is_a_likely_deadlock()
    {
        Verdict verdict = Assert.Single(SyntheticAnalysis.Of(Initialisation(state: 1).Process).Verdicts);
        Assert.Equal(("DUMP1002", Confidence.Likely), (verdict.DetectorId, verdict.Confidence));
        Assert.Equal(new[] { A, B }, verdict.Threads.ToArray());
        Assert.Contains("Thread 1 (0x24) waits for one-time initialisation 0x406100, most likely run by thread 0 (0x20).",
            SyntheticAnalysis.Sentences(verdict));
    }

    [Theory]
    [InlineData(0UL, false)] // not begun
    [InlineData(2UL, false)] // done
    [InlineData(1UL, true)] // two threads run an initialiser with this argument
    public void Without_exactly_one_that_runs_it_an_initialisation_has_no_owner(ulong state, bool hasSecondRunner)
    {
        AnalysisResult result = SyntheticAnalysis.Of(Initialisation(state, hasSecondRunner).Process);
        Assert.Empty(result.Verdicts);
        Assert.Contains(result.Outcomes.SelectMany(o => o.Missing), m => m.What.Contains("one-time initialisation", StringComparison.Ordinal));
    }

    [Fact]
    public void An_initialiser_that_begins_itself_again_waits_for_itself()
    {
        AddressWaitScene scene = new();
        ulong once = scene.Word(Word, 1);
        scene.Waiter(A, ExecuteOnce, once, inner: ["RtlpRunOnceWaitForInit"], outer: scene.Initialising(once));
        Verdict verdict = Assert.Single(SyntheticAnalysis.Of(scene.Process).Verdicts);
        Assert.Equal(("DUMP1002", Confidence.Likely, "Thread 0 (0x20) waits for itself: a deadlock."),
            (verdict.DetectorId, verdict.Confidence, verdict.Claims[0].Text));
    }
}
