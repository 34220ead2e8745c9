using Dump.Capture.Windows.Chains;
using Dump.Model.Facts;
using Dump.Model.Process;
using Dump.Model.Waits;

namespace Dump.Capture.Tests.Windows;

/// <summary>What Windows says of waits, joined with what was read: owners that only it knows, the same owner twice, and contradictions.</summary>
public sealed class SystemWaitsTests
{
    private const uint Here = 7;
    private const uint Elsewhere = 9;
    private const uint Waiter = 0x10;
    private const uint Owner = 0x20;
    private const uint CriticalSection = 1;
    private const uint Mutex = 3;
    private const uint Unknown = 10;
    private const uint ThreadWait = 6;
    private static readonly Evidence s_ours = new(EvidenceSource.Memory, "ours");
    private static readonly Resource s_section = new(ResourceKind.CriticalSection, 0x1000);

    [Fact]
    public void Owner_that_only_Windows_knows_is_suspected()
    {
        ProcessSnapshot joined = Join(Snapshot([Wait(new(ResourceKind.Mutex, 0x4C))]), Chain(Mutex, Here, Owner));
        OwnershipFact owned = Assert.Single(joined.Ownerships);
        Assert.Equal((new Resource(ResourceKind.Mutex, 0x4C), Owner, true, Grade.Suspected), (owned.Resource, owned.OwnerThreadId, owned.OwnerIsAlive, owned.Grade));
        Assert.Equal(new Evidence(EvidenceSource.System, "GetThreadWaitChain: held by thread 0x20"), Assert.Single(owned.Evidence));
        Assert.Single(joined.Waits);
    }

    [Fact]
    public void Same_owner_keeps_its_grade_and_gets_evidence()
    {
        OwnershipFact owned = Assert.Single(Join(Snapshot([Wait(s_section)], Owned(Owner)), Chain(CriticalSection, Here, Owner)).Ownerships);
        Assert.Equal((Owner, Grade.Proven, 2), (owned.OwnerThreadId, owned.Grade, owned.Evidence.Length));
    }

    [Theory]
    [InlineData(Here, 0x30u, "GetThreadWaitChain: held by thread 0x30, which is another one")]
    [InlineData(Elsewhere, Owner, "GetThreadWaitChain: held by thread 0x20 of process 9, which is another one")]
    public void Other_owner_makes_the_edge_suspected_and_is_named(uint process, uint thread, string expected)
    {
        OwnershipFact owned = Assert.Single(Join(Snapshot([Wait(s_section)], Owned(Owner)), Chain(CriticalSection, process, thread)).Ownerships);
        Assert.Equal((Owner, Grade.Suspected, expected), (owned.OwnerThreadId, owned.Grade, owned.Evidence[^1].Text));
    }

    [Fact]
    public void Owner_in_another_process_is_described()
    {
        OwnershipFact owned = Assert.Single(Join(Snapshot([Wait(new(ResourceKind.Mutex, 0x4C))]), Chain(Mutex, Elsewhere, Owner)).Ownerships);
        Assert.Equal((0u, "thread 0x20 of process 9", null), (owned.OwnerThreadId, owned.OwnerDescription, owned.OwnerIsAlive));
    }

    [Fact]
    public void Owner_of_which_only_the_process_is_known_is_described()
    {
        OwnershipFact owned = Assert.Single(Join(Snapshot([Wait(new(ResourceKind.Mutex, 0x4C))]), Chain(Mutex, Elsewhere, 0)).Ownerships);
        Assert.Equal("process 9", owned.OwnerDescription);
    }

    [Fact]
    public void Wait_that_only_Windows_knows_is_added()
    {
        ProcessSnapshot joined = Join(Snapshot([]), Chain(Mutex, Here, Owner));
        WaitFact wait = Assert.Single(joined.Waits);
        Assert.Equal((Waiter, new Resource(ResourceKind.Mutex, 0, Waiter), WaitTimeout.Unknown, Grade.Suspected), (wait.ThreadId, wait.Resource, wait.Timeout, wait.Grade));
        Assert.Equal(wait.Resource, Assert.Single(joined.Ownerships).Resource);
    }

    [Theory]
    [InlineData(ThreadActivityKind.Running)]
    [InlineData(ThreadActivityKind.Unknown)]
    public void Wait_that_only_Windows_knows_is_none_of_a_thread_that_has_gone_on(ThreadActivityKind activity)
    {
        ProcessSnapshot snapshot = Snapshot([]);
        Unchanged(snapshot with { Threads = [.. snapshot.Threads.Select(t => t with { Activity = new ThreadActivity(activity, null, []) })] },
            Chain(Mutex, Here, Owner));
    }

    [Fact]
    public void Same_owner_in_another_process_is_no_contradiction()
    {
        OwnershipFact ours = Owned(0) with { OwnerIsAlive = null, OwnerDescription = "thread 0x20 of process 9 (0x9)" };
        OwnershipFact owned = Assert.Single(Join(Snapshot([Wait(s_section)], ours), Chain(CriticalSection, Elsewhere, Owner)).Ownerships);
        Assert.Equal((Grade.Proven, "GetThreadWaitChain: held by thread 0x20 of process 9"), (owned.Grade, owned.Evidence[^1].Text));
    }

    [Fact]
    public void Wait_for_a_thread_is_one_for_that_thread() => Assert.Equal(
        new Resource(ResourceKind.Thread, Owner), Assert.Single(Join(Snapshot([]), Chain(ThreadWait, Here, Owner)).Waits).Resource);

    [Fact]
    public void Wait_for_something_else_is_left_as_it_was_read() => Unchanged(Snapshot([Wait(new(ResourceKind.Event, 0x4C))]), Chain(Mutex, Here, Owner));

    [Fact]
    public void Wait_for_one_of_many_is_left_as_it_was_read() => Unchanged(
        Snapshot([Wait(new(ResourceKind.Mutex, 0x4C)) with { IsWaitAny = true }]), Chain(Mutex, Here, Owner));

    [Fact]
    public void Kind_that_no_resource_stands_for_changes_nothing() => Unchanged(Snapshot([]), Chain(Unknown, Here, Owner));

    [Fact]
    public void Thread_that_the_dump_lacks_changes_nothing()
    {
        ProcessSnapshot snapshot = Snapshot([]);
        Assert.Empty(SystemWaits.Join(snapshot, new Dictionary<uint, WaitChain> { [0x999] = Chain(Mutex, Here, Owner) }).Waits);
    }

    private static void Unchanged(ProcessSnapshot snapshot, WaitChain chain)
    {
        ProcessSnapshot joined = Join(snapshot, chain);
        Assert.Equal(snapshot.Waits.AsEnumerable(), joined.Waits);
        Assert.Empty(joined.Ownerships);
    }

    private static ProcessSnapshot Join(ProcessSnapshot snapshot, WaitChain chain) =>
        SystemWaits.Join(snapshot, new Dictionary<uint, WaitChain> { [Waiter] = chain });

    private static WaitChain Chain(uint kind, uint process, uint thread) =>
        RecordedChains.Chain(RecordedChains.Thread(Here, Waiter), RecordedChains.Object(kind), RecordedChains.Thread(process, thread));

    private static WaitFact Wait(Resource resource) => new(Waiter, resource, WaitTimeout.Infinite, Grade.Proven, [s_ours]);

    private static OwnershipFact Owned(uint owner) => new(s_section, owner, true, 1, Grade.Proven, [s_ours]);

    private static ProcessSnapshot Snapshot(WaitFact[] waits, params OwnershipFact[] ownerships) => new()
    {
        Source = new SourceDescription("process 7", "living Windows process, full memory", null, null, null),
        System = new SystemDescription(ProcessorArchitecture.X64, 10, 0, 19045, null, false, "Windows 10.0.19045 x64"),
        ProcessId = Here,
        Available = DataAvailability.All,
        Threads = [.. ((uint[])[Waiter, Owner, 0x30]).Select((id, index) => new ThreadSnapshot
        {
            Id = id, Index = index, Activity = new ThreadActivity(ThreadActivityKind.Waiting, null, []),
        })],
        Waits = [.. waits],
        Ownerships = [.. ownerships],
    };
}
