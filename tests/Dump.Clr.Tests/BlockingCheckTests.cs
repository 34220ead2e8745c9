using Dump.Clr.Blocking;
using Dump.Clr.Waits;
using Dump.Model.Facts;
using Dump.Model.Waits;

namespace Dump.Clr.Tests;

/// <summary>What frames and the runtime's records say together: agreement proves, contradiction leaves a suspicion, silence changes nothing.</summary>
public sealed class BlockingCheckTests
{
    private const string Debugger = "ICorDebugThread4.GetBlockingObjects";
    private static readonly WaitTarget s_monitor = new(new Resource(ResourceKind.Monitor, 0x5000), "Shop.Orders", Grade.Derived,
        new Evidence(EvidenceSource.Runtime, "first object"));

    private static BlockingRecord Record(ulong target = 0x5000, BlockingKind kind = BlockingKind.MonitorEnter, int milliseconds = -1, string source =
        Debugger) =>
        new(1, kind, target, milliseconds, null, source);

    private static CheckedTargets Check(ManagedWaitKind? kind, params BlockingRecord[] records) =>
        BlockingCheck.Of(kind, [s_monitor], records, _ => "Shop.Other");

    [Fact]
    public void Record_of_the_same_object_proves_the_wait()
    {
        CheckedTargets targets = Check(ManagedWaitKind.MonitorEnter, Record());
        WaitTarget target = Assert.Single(targets.Targets);
        Assert.Equal((Grade.Proven, 0x5000UL, false), (target.Grade, target.Resource.Identity, targets.Contradict));
        Assert.Contains(Debugger, Assert.Single(target.Confirmation).Text, StringComparison.Ordinal);
    }

    [Fact]
    public void Record_of_another_object_leaves_a_suspicion_and_is_stated()
    {
        CheckedTargets targets = Check(ManagedWaitKind.MonitorEnter, Record(0x6000));
        Assert.Equal((Grade.Suspected, 0x5000UL), (Assert.Single(targets.Targets).Grade, targets.Targets[0].Resource.Identity));
        Assert.True(targets.Contradict);
    }

    [Fact]
    public void Without_a_record_nothing_changes()
    {
        CheckedTargets targets = Check(ManagedWaitKind.MonitorEnter);
        Assert.Equal((s_monitor, false), (Assert.Single(targets.Targets), targets.Contradict));
        Assert.Null(targets.Milliseconds);
    }

    [Theory]
    [InlineData((int)BlockingKind.MonitorWait)]
    [InlineData((int)BlockingKind.Lock)]
    public void Record_of_another_kind_of_wait_says_nothing(int kind) =>
        Assert.Equal(s_monitor, Assert.Single(Check(ManagedWaitKind.MonitorEnter, Record(0x6000, (BlockingKind)kind)).Targets));

    [Fact]
    public void Inner_record_of_a_signal_gives_its_time_limit_only()
    {
        CheckedTargets targets = Check(ManagedWaitKind.Signal, Record(0x6000, BlockingKind.MonitorWait, 1500));
        Assert.Equal((s_monitor, 1500, false), (Assert.Single(targets.Targets), targets.Milliseconds, targets.Contradict));
    }

    [Fact]
    public void Record_alone_proves_a_wait_that_no_frame_shows()
    {
        CheckedTargets targets = BlockingCheck.Of(null, [], [Record(0x6000), Record(0x6000, source: "ThreadBlockingInfo.t_first")], _ => "Shop.Other");
        WaitTarget target = Assert.Single(targets.Targets);
        Assert.Equal((new Resource(ResourceKind.Monitor, 0x6000), "Shop.Other", Grade.Proven), (target.Resource, target.Name, target.Grade));
    }

    [Fact]
    public void Records_of_several_objects_alone_name_none()
    {
        CheckedTargets targets = BlockingCheck.Of(ManagedWaitKind.MonitorEnter, [], [Record(0x6000), Record(0x7000)], _ => null);
        Assert.Empty(targets.Targets);
        Assert.True(targets.Contradict);
    }

    [Fact]
    public void Sources_with_different_time_limits_give_none() =>
        Assert.Null(Check(ManagedWaitKind.MonitorEnter, Record(milliseconds: -1), Record(milliseconds: 100, source: "ThreadBlockingInfo.t_first"))
            .Milliseconds);

    [Fact]
    public void Owner_that_sources_name_differently_is_unknown()
    {
        BlockingRecord first = Record() with { OwnerThreadId = 7 };
        Assert.Equal(7u, new BlockingRecords([first, Record()]).OwnerOf(0x5000));
        Assert.Null(new BlockingRecords([first, first with { OwnerThreadId = 8 }]).OwnerOf(0x5000));
        Assert.Null(new BlockingRecords([Record()]).OwnerOf(0x5000));
    }
}
