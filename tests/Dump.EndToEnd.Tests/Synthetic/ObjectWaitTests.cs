using Dump.EndToEnd.Tests.Verdicts;
using Dump.Model.Facts;
using Dump.Model.Process;
using Dump.Model.Verdicts;
using Dump.Model.Waits;
using Dump.Testing.Synthetic;

namespace Dump.EndToEnd.Tests.Synthetic;

/// <summary>Waits for kernel objects whose states and owners the handle stream records, from the bytes of a dump to verdicts.</summary>
public sealed class ObjectWaitTests
{
    private const uint A = 0x20;
    private const uint B = 0x24;
    private const uint C = 0x28;
    private const uint Other = 0x1234;

    private static WaitFact[] Waits(ObjectScene scene, uint thread = A) => [.. SyntheticAnalysis.Read(scene.Process).Waits.Where(w => w.ThreadId == thread)];

    private static string? State(ObjectScene scene)
    {
        ProcessSnapshot snapshot = SyntheticAnalysis.Read(scene.Process);
        return snapshot.ResourceStates.GetValueOrDefault(snapshot.Waits.First(w => w.ThreadId == A).Resource);
    }

    /// <summary>One thread that waits without a time limit for an object.</summary>
    private static ObjectScene One(FakeHandle handle)
    {
        ObjectScene scene = new(handle);
        scene.Waiting(A, handle.Value);
        return scene;
    }

    public static TheoryData<string, FakeHandle, ResourceKind, string?, bool> States => new()
    {
        { "event", FakeHandle.Event(0x50, false, false), ResourceKind.Event, "auto-reset, not signalled", false },
        { "set event", FakeHandle.Event(0x50, true, true), ResourceKind.Event, "manual-reset, signalled", true },
        { "semaphore", FakeHandle.Semaphore(0x50, 0, 4), ResourceKind.Semaphore, "0 of 4 free", false },
        { "free semaphore", FakeHandle.Semaphore(0x50, 2, 4), ResourceKind.Semaphore, "2 of 4 free", true },
        { "mutex that the waiter has been given", FakeHandle.Mutex(0x50, 0, false, A), ResourceKind.Mutex, null, true },
        { "mutex of nobody known", FakeHandle.Mutex(0x50, 0, false, 0), ResourceKind.Mutex, "held, owner not recorded", false },
        { "free mutex", FakeHandle.Mutex(0x50, 1, false, 0), ResourceKind.Mutex, "free", true },
        { "abandoned mutex", FakeHandle.Mutex(0x50, 1, true, 0), ResourceKind.Mutex,
            "abandoned: its owner ended without releasing it, and the next thread that waits gets it", true },
        { "free mutex with an owner", FakeHandle.Mutex(0x50, 1, false, B), ResourceKind.Mutex, "its records contradict each other", false },
        { "abandoned mutex that is held", FakeHandle.Mutex(0x50, 0, true, B), ResourceKind.Mutex, "its records contradict each other", false },
        { "thread", FakeHandle.Thread(0x50, A), ResourceKind.Thread, null, false },
        { "ended thread", FakeHandle.Thread(0x50, FakeProcess.Id, 0x9990, 7), ResourceKind.Thread, "has ended", true },
        { "thread that is not listed", FakeHandle.Thread(0x50, 0x9990), ResourceKind.Thread, "has ended", true },
        { "thread of another process", FakeHandle.Thread(0x50, Other, 0x9990, 0x103), ResourceKind.Thread, "of process 4660 (0x1234)", false },
        { "child process", FakeHandle.Process(0x50, Other), ResourceKind.Process, "id 4660 (0x1234), not in this dump", false },
        { "ended process", FakeHandle.Process(0x50, Other, 3), ResourceKind.Process, "id 4660 (0x1234), not in this dump, has ended", true },
        { "own process", FakeHandle.Process(0x50, FakeProcess.Id), ResourceKind.Process, "this process itself", false },
    };

    [Theory]
    [MemberData(nameof(States))]
    public void State_of_the_object_is_read(string name, FakeHandle handle, ResourceKind kind, string? state, bool isSatisfied)
    {
        ObjectScene scene = One(handle);
        WaitFact wait = Assert.Single(Waits(scene));
        Assert.Equal((name, kind, Grade.Proven, isSatisfied, state), (name, wait.Resource.Kind, wait.Grade, wait.IsSatisfied, State(scene)));
    }

    /// <summary>The count says free, the owner record says held: neither is believed.</summary>
    [Fact]
    public void Contradiction_names_no_owner_and_cannot_be_decided()
    {
        ObjectScene scene = new(FakeHandle.Mutex(0x50, 1, false, B), FakeHandle.Mutex(0x54, 0, false, A));
        scene.Waiting(A, 0x50);
        scene.Waiting(B, 0x54);
        Assert.DoesNotContain(SyntheticAnalysis.Read(scene.Process).Ownerships, o => o.Resource.Identity == 0x50);
        Assert.True(SyntheticAnalysis.IsUndecidable(SyntheticAnalysis.Of(scene.Process)));
    }

    [Fact]
    public void Process_is_known_by_either_of_its_records()
    {
        FakeHandle both = FakeHandle.Process(0x50, Other);
        Assert.All(both.Information, r => Assert.Equal("id 4660 (0x1234), not in this dump", State(One(new FakeHandle(0x50, "Process", r)))));
    }

    [Fact]
    public void Lowest_bits_of_a_handle_do_not_count()
    {
        ObjectScene scene = new(FakeHandle.Event(0x50, false, false));
        scene.Waiting(A, 0x53);
        Assert.Equal((ResourceKind.Event, 0x50ul), (Waits(scene)[0].Resource.Kind, Waits(scene)[0].Resource.Identity));
    }

    /// <summary>A holds a mutex and joins B, which waits for it.</summary>
    [Theory]
    [InlineData(uint.MaxValue, "DUMP1002")]
    [InlineData(5000u, null)]
    public void Join_of_a_thread_that_waits_for_a_mutex_of_the_joiner(uint milliseconds, string? expected)
    {
        ObjectScene scene = new(FakeHandle.Mutex(0x50, -1, false, A), FakeHandle.Thread(0x54, B));
        scene.Waiting(A, 0x54, milliseconds);
        scene.Waiting(B, 0x50);
        Verdict? verdict = SyntheticAnalysis.Of(scene.Process).Verdicts.SingleOrDefault();
        Assert.Equal((expected, expected is null ? null : Confidence.Confirmed), (verdict?.DetectorId, verdict?.Confidence));
        Assert.Contains(SyntheticAnalysis.Read(scene.Process).Ownerships, o =>
            o is { Resource.Kind: ResourceKind.Mutex, OwnerThreadId: A, OwnerIsAlive: true, RecursionCount: 2 });
    }

    [Fact]
    public void Free_and_abandoned_mutexes_need_no_data_and_are_no_hang()
    {
        ObjectScene scene = new(FakeHandle.Mutex(0x50, 1, false, 0), FakeHandle.Mutex(0x54, 1, true, 0));
        scene.Waiting(A, 0x50);
        scene.Waiting(B, 0x54);
        SyntheticAnalysis.IsQuiet(SyntheticAnalysis.Of(scene.Process));
    }

    /// <summary>The owner's id is that of a thread here, but of another process: no edge leads to that thread.</summary>
    [Fact]
    public void Mutex_of_another_process_is_no_edge_and_cannot_be_decided()
    {
        ObjectScene scene = new(FakeHandle.Mutex(0x50, Other, owner: B), FakeHandle.Mutex(0x54, 0, false, A));
        scene.Waiting(A, 0x50);
        scene.Waiting(B, 0x54);
        var result = SyntheticAnalysis.Of(scene.Process);
        Assert.True(SyntheticAnalysis.IsUndecidable(result));
        Assert.Contains(result.Outcomes.Single(o => o.DetectorId == "DUMP1002").Missing, m =>
            m.What.Contains("thread 0x24 of process 4660 (0x1234)", StringComparison.Ordinal));
    }

    [Fact]
    public void Owner_that_the_thread_list_does_not_have_is_no_orphan()
    {
        var result = SyntheticAnalysis.Of(One(FakeHandle.Mutex(0x50, 0, false, 0x9990)).Process);
        Assert.True(SyntheticAnalysis.IsUndecidable(result));
        Assert.Contains(result.Outcomes.Single(o => o.DetectorId == "DUMP1002").Missing, m => m.What.Contains("thread 0x9990", StringComparison.Ordinal));
    }

    [Fact]
    public void Pool_workers_ports_and_loops_without_work_wait_for_nothing()
    {
        ObjectScene scene = new(new FakeHandle(0x60, "ALPC Port") { Name = @"\RPC Control\test" }, new FakeHandle(0x70, "TpWorkerFactory"),
            new FakeHandle(0x74, "IoCompletion"));
        scene.IdleWorker(A);
        scene.InCall(B, "NtRemoveIoCompletion", 0x74, "GetQueuedCompletionStatus");
        scene.ServingPort(C, 0x60);
        ProcessSnapshot snapshot = SyntheticAnalysis.Read(scene.Process);
        Assert.Empty(snapshot.Waits);
        Assert.All(snapshot.Threads, t => Assert.Equal(ThreadActivityKind.Idle, t.Activity.Kind));
        SyntheticAnalysis.IsQuiet(SyntheticAnalysis.Of(scene.Process));
    }

    [Fact]
    public void Worker_in_a_callback_is_a_waiter_like_any_other()
    {
        ObjectScene scene = new(FakeHandle.Mutex(0x50, 0, false, B), FakeHandle.Mutex(0x54, 0, false, A));
        scene.BusyWorker(A, 0x50);
        scene.BusyWorker(B, 0x54);
        Assert.Equal("DUMP1002", Assert.Single(SyntheticAnalysis.Of(scene.Process).Verdicts).DetectorId);
    }

    [Theory]
    [InlineData("NtReadFile", 0x60ul, 0x60ul, Grade.Proven)]
    [InlineData("NtFsControlFile", 0x60ul, 0x60ul, Grade.Proven)]
    [InlineData("NtReadFile", 0x50ul, 0ul, Grade.Derived)]
    [InlineData("NtReadFile", 0x9990ul, 0ul, Grade.Derived)]
    public void Input_and_output_are_named_by_a_handle_of_the_right_type(string systemCall, ulong argument, ulong identity, Grade grade)
    {
        ObjectScene scene = new(FakeHandle.Event(0x50, false, false), new FakeHandle(0x60, "File") { Name = @"\Device\NamedPipe\test" });
        scene.InCall(A, systemCall, argument, "ReadFile");
        WaitFact wait = Assert.Single(Waits(scene));
        Assert.Equal((ResourceKind.InputOutput, identity, grade), (wait.Resource.Kind, wait.Resource.Identity, wait.Grade));
        Assert.Equal(identity == 0 ? null : @"\Device\NamedPipe\test", SyntheticAnalysis.Read(scene.Process).ResourceNames.GetValueOrDefault(wait.Resource));
    }

    [Fact]
    public void Call_to_another_process_names_the_port()
    {
        ObjectScene scene = new(new FakeHandle(0x60, "ALPC Port") { Name = @"\RPC Control\test" });
        scene.CallingPort(A, 0x60);
        WaitFact wait = Assert.Single(Waits(scene));
        Assert.Equal((ResourceKind.RemoteCall, 0x60ul, Grade.Proven), (wait.Resource.Kind, wait.Resource.Identity, wait.Grade));
    }

    [Theory]
    [InlineData(false, ResourceKind.Time)]
    [InlineData(true, ResourceKind.Work)]
    public void Endless_alertable_sleep_waits_for_work(bool alertable, ResourceKind kind)
    {
        ObjectScene scene = new();
        scene.Sleeping(A, alertable);
        Assert.Equal((kind, WaitTimeout.Infinite), (Waits(scene)[0].Resource.Kind, Waits(scene)[0].Timeout));
    }
}
