using Dump.Capture.Proc;
using Dump.Capture.Windows.Chains;
using Dump.Model.Facts;
using Dump.Model.Process;
using Dump.Model.Waits;

namespace Dump.Capture.Tests.Windows;

/// <summary>Each kind of object that Windows names in a chain (WCT_OBJECT_TYPE, wct.h), from recorded answers, beside what was read.</summary>
public sealed class WaitChainKindsTests
{
    private const uint Here = 7;
    private const uint Elsewhere = 9;
    private const uint Waiter = 0x10;
    private const uint Owner = 0x20;
    private const uint Mutex = 3;
    private const uint Alpc = 4;
    private const uint Com = 5;
    private const uint ProcessWait = 7;
    private const uint NoAccess = 1;
    private const uint Abandoned = 8;
    private const uint ProcessOnly = 4;

    /// <summary>A wait that only Windows knows, with an owner in this process.</summary>
    [Theory]
    [InlineData(1u, ResourceKind.CriticalSection, "a critical section", "held by thread 0x20")]
    [InlineData(2u, ResourceKind.WindowMessage, "the answer to a window message", "to be answered by thread 0x20")]
    [InlineData(3u, ResourceKind.Mutex, "a mutex", "held by thread 0x20")]
    [InlineData(4u, ResourceKind.RemoteCall, "the answer to a local procedure call (ALPC)", "to be answered by thread 0x20")]
    [InlineData(5u, ResourceKind.ComCall, "the answer to a COM call", "to be answered by thread 0x20")]
    [InlineData(6u, ResourceKind.Thread, "a thread", "the end of thread 0x20")]
    [InlineData(9u, ResourceKind.ComCall, "the activation of a COM object", "to be answered by thread 0x20")]
    public void Wait_and_owner_are_suspected_facts_of_the_system(uint kind, ResourceKind expected, string what, string owner)
    {
        ProcessSnapshot joined = Join(Snapshot(), Chain(kind, Here, Owner));
        WaitFact wait = Assert.Single(joined.Waits);
        Assert.Equal((expected, Grade.Suspected, $"GetThreadWaitChain: it waits for {what}"), (wait.Resource.Kind, wait.Grade, wait.Evidence[0].Text));
        OwnershipFact owned = Assert.Single(joined.Ownerships);
        Assert.Equal((wait.Resource, Owner, Grade.Suspected), (owned.Resource, owned.OwnerThreadId, owned.Grade));
        Assert.Equal(new Evidence(EvidenceSource.System, $"GetThreadWaitChain: {owner}"), Assert.Single(owned.Evidence));
    }

    /// <summary>The same with an owner in another process, which is named.</summary>
    [Theory]
    [InlineData(2u, ResourceKind.WindowMessage)]
    [InlineData(4u, ResourceKind.RemoteCall)]
    [InlineData(5u, ResourceKind.RemoteCall)]
    [InlineData(9u, ResourceKind.RemoteCall)]
    public void Owner_in_another_process_is_named(uint kind, ResourceKind expected)
    {
        ProcessSnapshot joined = Join(Snapshot(), Chain(kind, Elsewhere, Owner));
        OwnershipFact owned = Assert.Single(joined.Ownerships);
        Assert.Equal((expected, 0u, "thread 0x20 of process 9 (host.exe)"), (owned.Resource.Kind, owned.OwnerThreadId, owned.OwnerDescription));
    }

    [Fact]
    public void Process_that_is_waited_for_is_told_beside_the_wait()
    {
        ProcessSnapshot joined = Join(Snapshot(), RecordedChains.Chain(
            RecordedChains.Thread(Here, Waiter), RecordedChains.Object(ProcessWait), RecordedChains.Thread(Elsewhere, 0, ProcessOnly)));
        WaitFact wait = Assert.Single(joined.Waits);
        Assert.Equal(ResourceKind.Process, wait.Resource.Kind);
        Assert.Equal("Windows: the end of process 9 (host.exe)", joined.ResourceStates[wait.Resource]);
        Assert.Empty(joined.Ownerships);
    }

    [Theory]
    [InlineData(11u, "input or output on a socket")]
    [InlineData(12u, "input or output on a file share (SMB)")]
    public void Input_and_output_have_no_owner(uint kind, string what)
    {
        ProcessSnapshot joined = Join(Snapshot(), RecordedChains.Chain(RecordedChains.Thread(Here, Waiter), RecordedChains.Object(kind)));
        WaitFact wait = Assert.Single(joined.Waits);
        Assert.Equal((ResourceKind.InputOutput, $"GetThreadWaitChain: it waits for {what}"), (wait.Resource.Kind, wait.Evidence[0].Text));
        Assert.Empty(joined.Ownerships);
    }

    /// <summary>We read a wait for an event; Windows knows that a call of COM is behind it.</summary>
    [Fact]
    public void Process_behind_a_wait_that_was_read_as_something_else_is_told_beside_it()
    {
        Resource read = new(ResourceKind.Event, 0x4C);
        ProcessSnapshot joined = Join(Snapshot(read), Chain(Com, Elsewhere, Owner));
        Assert.Equal(read, Assert.Single(joined.Waits).Resource);
        Assert.Equal("Windows: to be answered by thread 0x20 of process 9 (host.exe)", joined.ResourceStates[read]);
        Assert.Empty(joined.Ownerships);
    }

    [Fact]
    public void Chain_over_two_processes_is_told_to_its_end()
    {
        WaitChain chain = RecordedChains.Chain(
            RecordedChains.Thread(Here, Waiter), RecordedChains.Object(Alpc), RecordedChains.Thread(Elsewhere, Owner),
            RecordedChains.Object(Mutex, name: "shop"), RecordedChains.Thread(11, 0x40));
        Assert.Equal(
            "GetThreadWaitChain: to be answered by thread 0x20 of process 9 (host.exe), which waits for a mutex 'shop', held by thread 0x40 of "
                + "process 11",
            Assert.Single(Join(Snapshot(), chain).Ownerships).Evidence[0].Text);
    }

    [Fact]
    public void Cycle_and_truncation_are_said_and_prove_nothing()
    {
        byte[] nodes = [.. RecordedChains.Thread(Here, Waiter), .. RecordedChains.Object(Mutex), .. RecordedChains.Thread(Here, Owner)];
        OwnershipFact owned = Assert.Single(Join(Snapshot(), WaitChain.Read(nodes, 17, isCycle: true)).Ownerships);
        Assert.Equal(Grade.Suspected, owned.Grade);
        Assert.EndsWith("; Windows calls it a cycle, but its parts are of several moments; the chain goes on", owned.Evidence[0].Text, StringComparison.Ordinal);
    }

    [Theory]
    [InlineData(1u)]
    [InlineData(2u)]
    [InlineData(3u)]
    [InlineData(4u)]
    [InlineData(5u)]
    public void Without_access_there_is_no_owner(uint kind)
    {
        ProcessSnapshot joined = Join(Snapshot(), RecordedChains.Chain(
            RecordedChains.Thread(Here, Waiter), RecordedChains.Object(kind, NoAccess), RecordedChains.Thread(Elsewhere, Owner)));
        Assert.Empty(joined.Waits);
        Assert.Empty(joined.Ownerships);
        Assert.Empty(SystemWaits.Awaited(joined, new Dictionary<uint, WaitChain>(), null));
    }

    [Fact]
    public void Abandoned_lock_says_so() => Assert.Equal(
        "GetThreadWaitChain: held by thread 0x20 (its owner has ended)",
        Assert.Single(Join(Snapshot(), RecordedChains.Chain(
            RecordedChains.Thread(Here, Waiter), RecordedChains.Object(Mutex, Abandoned), RecordedChains.Thread(Here, Owner))).Ownerships).Evidence[0].Text);

    [Fact]
    public void Other_processes_that_are_waited_for_are_listed_once()
    {
        Dictionary<uint, WaitChain> chains = new()
        {
            [Waiter] = Chain(Alpc, Elsewhere, Owner), [Owner] = Chain(Com, Elsewhere, 0x21), [0x30] = Chain(Mutex, Here, Owner),
        };
        Assert.Equal(new AwaitedProcess(9, "host.exe", "thread 0x10 waits for the answer to a local procedure call (ALPC)"),
            Assert.Single(SystemWaits.Awaited(Snapshot(), chains, NameOf)));
    }

    [Fact]
    public void Thread_that_has_gone_on_waits_for_no_process()
    {
        ProcessSnapshot snapshot = Snapshot();
        ProcessSnapshot running = snapshot with
        {
            Threads = [.. snapshot.Threads.Select(t => t with { Activity = new ThreadActivity(ThreadActivityKind.Running, null, []) })],
        };
        Assert.Empty(SystemWaits.Awaited(running, new Dictionary<uint, WaitChain> { [Waiter] = Chain(Alpc, Elsewhere, Owner) }, NameOf));
    }

    private static string? NameOf(uint process) => process == Elsewhere ? "host.exe" : null;

    private static ProcessSnapshot Join(ProcessSnapshot snapshot, WaitChain chain) =>
        SystemWaits.Join(snapshot, new Dictionary<uint, WaitChain> { [Waiter] = chain }, NameOf);

    private static WaitChain Chain(uint kind, uint process, uint thread) =>
        RecordedChains.Chain(RecordedChains.Thread(Here, Waiter), RecordedChains.Object(kind), RecordedChains.Thread(process, thread));

    private static ProcessSnapshot Snapshot(params Resource[] waited) => new()
    {
        Source = new SourceDescription("process 7", "living Windows process, full memory", null, null, null),
        System = new SystemDescription(ProcessorArchitecture.X64, 10, 0, 19045, null, false, "Windows 10.0.19045 x64"),
        ProcessId = Here,
        Available = DataAvailability.All,
        Threads = [.. ((uint[])[Waiter, Owner, 0x30]).Select((id, index) => new ThreadSnapshot
        {
            Id = id, Index = index, Activity = new ThreadActivity(ThreadActivityKind.Waiting, null, []),
        })],
        Waits = [.. waited.Select(r => new WaitFact(Waiter, r, WaitTimeout.Infinite, Grade.Proven, [new Evidence(EvidenceSource.Memory, "read")]))],
    };
}
