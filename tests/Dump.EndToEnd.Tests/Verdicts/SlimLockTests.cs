using Dump.Analysis;
using Dump.Model.Facts;
using Dump.Model.Process;
using Dump.Model.Verdicts;
using Dump.Model.Waits;
using Dump.Model.Wording;
using Dump.Readers.Minidump;
using Dump.Readers.Windows;
using Dump.Readers.Windows.Locks;
using Dump.Testing.Synthetic;

namespace Dump.EndToEnd.Tests.Verdicts;

/// <summary>
/// SRW locks of Windows, on minidumps made by hand: the lock is known by its word and its waiters' stacks, its holder never. Candidates are called so and prove
/// nothing. Wine's words differ; the samples show those.
/// </summary>
public sealed class SlimLockTests
{
    private const uint A = 0x20;
    private const uint B = 0x24;
    private const uint C = 0x28;
    private const int First = 0x100;
    private const int Second = 0x140;
    private const string Exclusive = "RtlAcquireSRWLockExclusive";

    /// <summary>A keeps the first lock and wants the second, B the other way round.</summary>
    internal static AddressWaitScene Crossed(ulong flags = AddressWaitScene.Locked | AddressWaitScene.Waiting)
    {
        AddressWaitScene scene = new();
        ulong first = scene.Contended(First, waiter: 1, flags);
        ulong second = scene.Contended(Second, waiter: 0, flags);
        scene.Waiter(A, Exclusive, second, keeps: first);
        scene.Waiter(B, Exclusive, first, keeps: second);
        return scene;
    }

    private static WaitFact WaitOf(ProcessSnapshot snapshot, uint thread) => Assert.Single(snapshot.Waits, w => w.ThreadId == thread);

    [Fact]
    public void Crossed_locks_with_one_candidate_each_are_suspected_and_nothing_more()
    {
        ProcessSnapshot snapshot = SyntheticAnalysis.Read(Crossed().Process);
        Assert.All(snapshot.Waits, w => Assert.Equal((ResourceKind.SlimReaderWriterLock, Grade.Proven, WaitTimeout.Infinite),
            (w.Resource.Kind, w.Grade, w.Timeout)));
        Assert.Equal([(A, Grade.Suspected), (B, Grade.Suspected)], snapshot.Ownerships.Select(o => (o.OwnerThreadId, o.Grade)).Order());
        AnalysisResult result = HangAnalysis.Run(snapshot);
        Verdict verdict = Assert.Single(result.Verdicts);
        Assert.Equal(("DUMP1002", "Threads that may wait for each other", Confidence.Suspected), (verdict.DetectorId, verdict.Title, verdict.Confidence));
        Assert.All(SyntheticAnalysis.Sentences(verdict), s => Assert.DoesNotContain("deadlock", s, StringComparison.Ordinal));
        Assert.Equal("Thread 0 (0x20) waits for SRW lock 0x406140 (held, 1 known waiter), possibly held by thread 1 (0x24).", verdict.Claims[1].Text);
        Assert.Contains(result.Outcomes.SelectMany(o => o.Missing), m => m.What.Contains("the owner of SRW locks", StringComparison.Ordinal));
    }

    [Fact]
    public void A_thread_that_executes_code_may_hold_a_lock_without_a_trace()
    {
        AddressWaitScene scene = Crossed();
        scene.Runner(C);
        ProcessSnapshot snapshot = SyntheticAnalysis.Read(scene.Process);
        Assert.Empty(snapshot.Ownerships);
        Assert.True(SyntheticAnalysis.IsUndecidable(HangAnalysis.Run(snapshot)));
    }

    [Fact]
    public void Of_two_candidates_none_is_the_holder_and_both_are_named()
    {
        AddressWaitScene scene = Crossed();
        scene.Sleeper(C, keeps: 0x400000 + 0x6000 + First);
        ProcessSnapshot snapshot = SyntheticAnalysis.Read(scene.Process);
        Assert.DoesNotContain(snapshot.Ownerships, o => o.OwnerThreadId != B);
        Assert.Contains(WaitOf(snapshot, B).Evidence, e => e.Text.Contains("candidates only", StringComparison.Ordinal)
            && e.Text.Contains("(0x20, 0x28)", StringComparison.Ordinal));
        Assert.Empty(HangAnalysis.Run(snapshot).Verdicts);
    }

    [Fact]
    public void Several_readers_have_no_single_holder()
    {
        ProcessSnapshot snapshot = SyntheticAnalysis.Read(Crossed(AddressWaitScene.Locked | AddressWaitScene.Waiting | AddressWaitScene.MultipleShared)
            .Process);
        Assert.Empty(snapshot.Ownerships);
        Assert.Equal("SRW lock 0x406140 (held by several readers, 1 known waiter)", new Naming(snapshot).Resource(WaitOf(snapshot, A).Resource));
    }

    [Theory]
    [InlineData(0x1234UL)]
    [InlineData(0UL)]
    public void Where_the_register_says_nothing_the_callers_code_names_the_lock(ulong argument)
    {
        AddressWaitScene scene = new();
        ulong address = scene.Contended(First, waiter: 0);
        scene.Waiter(A, "RtlAcquireSRWLockShared", address, argument);
        WaitFact wait = WaitOf(SyntheticAnalysis.Read(scene.Process), A);
        Assert.Equal((address, Grade.Proven), (wait.Resource.Identity, wait.Grade));
        Assert.Equal(EvidenceSource.Code, wait.Evidence[0].Source);
    }

    [Fact]
    public void A_frames_value_counts_where_the_wait_block_it_leads_to_proves_it()
    {
        AddressWaitScene scene = new();
        ulong address = scene.Contended(First, waiter: 0);
        scene.Process.Threads.Add(new FakeThread(A, [scene.Ntdll.Stub("NtWaitForAlertByThreadId"), scene.Ntdll.Function(Exclusive),
            scene.Ntdll.Function("RtlUserThreadStart")])
        {
            Nonvolatile = new Dictionary<int, ulong> { [FakeThread.Rbx] = address },
        });
        WaitFact wait = WaitOf(SyntheticAnalysis.Read(scene.Process), A);
        Assert.Equal((address, Grade.Derived), (wait.Resource.Identity, wait.Grade));
    }

    /// <summary>The block on no waiter's stack; no block although a thread waits; bits that no lock can have.</summary>
    [Theory]
    [InlineData(0x7000_0003UL)]
    [InlineData(AddressWaitScene.Locked)]
    [InlineData(AddressWaitScene.Waiting)]
    [InlineData(0x10UL)]
    public void A_word_that_contradicts_the_wait_identifies_no_lock(ulong word)
    {
        AddressWaitScene scene = new();
        scene.Waiter(A, Exclusive, scene.Word(First, word));
        ProcessSnapshot snapshot = SyntheticAnalysis.Read(scene.Process);
        Assert.Equal(new Resource(ResourceKind.SlimReaderWriterLock, 0, A), WaitOf(snapshot, A).Resource);
        Assert.Empty(snapshot.Ownerships);
    }

    [Fact]
    public void A_lock_that_is_free_already_is_being_handed_over()
    {
        AddressWaitScene scene = new();
        ulong free = scene.Word(First, 0);
        scene.Waiter(A, Exclusive, free);
        scene.Sleeper(B, keeps: free);
        ProcessSnapshot snapshot = SyntheticAnalysis.Read(scene.Process);
        Assert.Empty(snapshot.Ownerships);
        Assert.Equal("SRW lock 0x406100 (free, being handed over, 1 known waiter)", new Naming(snapshot).Resource(WaitOf(snapshot, A).Resource));
    }

    [Fact]
    public void Without_the_stacks_bounds_nothing_is_identified()
    {
        AddressWaitScene scene = Crossed();
        scene.Process.HasTebMemory = false;
        using MinidumpFile dump = MinidumpFile.FromBytes(scene.Process.ToMinidump());
        ProcessSnapshot snapshot = WindowsSnapshotReader.Read(dump, "synthetic");
        Assert.All(snapshot.Waits, w => Assert.Equal(0UL, w.Resource.Identity));
        Assert.Empty(snapshot.Ownerships);
    }

    [Fact]
    public void A_wait_that_no_function_names_is_one_for_a_lock_where_the_word_leads_back_to_the_waiter()
    {
        AddressWaitScene scene = new();
        ulong address = scene.Contended(First, waiter: 0);
        scene.Process.Threads.Add(new FakeThread(
            A, [scene.Ntdll.Stub("NtWaitForAlertByThreadId"), scene.Ntdll.Function("Contended", exported: false), scene.Ntdll.Function("RtlUserThreadStart")],
                address));
        Assert.Equal(new Resource(ResourceKind.SlimReaderWriterLock, address), WaitOf(SyntheticAnalysis.Read(scene.Process), A).Resource);
    }

    [Fact]
    public void Windows_7_waits_by_keyed_event()
    {
        AddressWaitScene scene = new(isWindows7: true);
        ulong address = scene.Contended(First, waiter: 0);
        scene.Waiter(A, Exclusive, address, argument: 0);
        WaitFact wait = WaitOf(SyntheticAnalysis.Read(scene.Process), A);
        Assert.Equal((new Resource(ResourceKind.SlimReaderWriterLock, address), Grade.Proven), (wait.Resource, wait.Grade));
    }
}
