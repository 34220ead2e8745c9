using Dump.EndToEnd.Tests.Verdicts;
using Dump.Model.Facts;
using Dump.Model.Verdicts;
using Dump.Model.Waits;
using Dump.Testing.Synthetic;

namespace Dump.EndToEnd.Tests.Synthetic;

/// <summary>Waits for several objects: which ones, all or any, and what follows.</summary>
public sealed class SeveralObjectsTests
{
    private const uint A = 0x20;
    private const uint B = 0x24;
    private const uint C = 0x28;

    private static WaitFact[] Waits(ObjectScene scene) => [.. SyntheticAnalysis.Read(scene.Process).Waits.Where(w => w.ThreadId == A)];

    private static FakeHandle[] Events(int count) => [.. Enumerable.Range(0, count)
        .Select(i => FakeHandle.Event(0x100 + (ulong)i * 4, manualReset: true, signaled: i % 2 == 0))];

    private static ulong[] Values(FakeHandle[] handles) => [.. handles.Select(h => h.Value)];

    [Theory]
    [InlineData(1, true)]
    [InlineData(2, false)]
    [InlineData(64, true)]
    [InlineData(64, false)]
    public void Up_to_64_objects_are_proven_when_registers_and_code_agree(int count, bool all)
    {
        FakeHandle[] events = Events(count);
        ObjectScene scene = new(events);
        scene.WaitingForSeveral(A, all, Values(events));
        WaitFact[] waits = Waits(scene);
        Assert.Equal(Values(events), waits.Select(w => w.Resource.Identity));
        Assert.All(waits, w => Assert.Equal((Grade.Proven, WaitTimeout.Infinite, !all && count > 1), (w.Grade, w.Timeout, w.IsWaitAny)));
        Assert.Equal(Enumerable.Range(0, count).Select(i => i % 2 == 0), waits.Select(w => w.IsSatisfied));
    }

    [Fact]
    public void Code_alone_derives_them()
    {
        FakeHandle[] events = Events(3);
        ObjectScene scene = new(events);
        scene.WaitingForSeveral(A, all: true, Values(events), registers: false);
        Assert.Equal([Grade.Derived, Grade.Derived, Grade.Derived], Waits(scene).Select(w => w.Grade));
    }

    [Fact]
    public void Registers_alone_do_not_tell_all_from_any_and_are_suspected()
    {
        FakeHandle[] events = Events(3);
        ObjectScene scene = new(events);
        scene.WaitingByRegisters(A, 3, scene.Array(Values(events)));
        WaitFact[] waits = Waits(scene);
        Assert.Equal(Values(events), waits.Select(w => w.Resource.Identity));

        // The fifth argument, the pointer to the limit, is null on the stack.
        Assert.All(waits, w => Assert.Equal((Grade.Suspected, false, WaitTimeout.Infinite), (w.Grade, w.IsWaitAny, w.Timeout)));
        Assert.All(waits, w => Assert.Contains(w.Evidence, e => e.Text.Contains("all of its objects or for any one", StringComparison.Ordinal)));
    }

    public static TheoryData<string, ulong, ulong?> NoArrays => new()
    {
        { "none", 0, null },
        { "65", 65, null },
        { "as many as a hostile dump likes", ulong.MaxValue, null },
        { "memory that is not there", 2, 0x66600000 },
        { "the end of the address space", 2, ulong.MaxValue - 4 },
        { "an element that is no handle of the stream", 4, null },
    };

    [Theory]
    [MemberData(nameof(NoArrays))]
    public void What_can_be_no_array_is_a_wait_for_something_unknown(string name, ulong count, ulong? array)
    {
        FakeHandle[] events = Events(3);
        ObjectScene scene = new(events);
        ulong real = scene.Array([.. Values(events), 0x9990]);
        scene.WaitingByRegisters(A, count, array ?? real);
        WaitFact wait = Assert.Single(Waits(scene));
        Assert.Equal((name, ResourceKind.KernelObject, 0ul, Grade.Suspected), (name, wait.Resource.Kind, wait.Resource.Identity, wait.Grade));
    }

    [Fact]
    public void Handle_that_the_stream_lacks_is_a_suspected_object_and_leaves_the_question_open()
    {
        FakeHandle[] events = Events(1);
        ObjectScene scene = new(events);
        scene.WaitingForSeveral(A, all: true, [events[0].Value, 0x9990]);
        Assert.Equal([(ResourceKind.Event, Grade.Derived), (ResourceKind.KernelObject, Grade.Suspected)], Waits(scene).Select(w => (w.Resource.Kind, w.Grade)));
        Assert.True(SyntheticAnalysis.IsUndecidable(SyntheticAnalysis.Of(scene.Process)));
    }

    /// <summary>A holds two mutexes and waits for the ends of B and C, or of any one of them, or of an event; B and C wait for the mutexes.</summary>
    [Theory]
    [InlineData(true, false, "DUMP1002")]
    [InlineData(false, false, "DUMP1002")]
    [InlineData(true, true, "DUMP1002")]
    [InlineData(false, true, null)]
    public void Any_one_of_several_is_blocked_only_when_all_are(bool all, bool alsoEvent, string? expected)
    {
        ObjectScene scene = new(
            FakeHandle.Mutex(0x50, 0, false, A), FakeHandle.Mutex(0x54, 0, false, A), FakeHandle.Thread(0x60, B), FakeHandle.Thread(0x64, C),
                FakeHandle.Event(0x68, true, false));
        scene.WaitingForSeveral(A, all, alsoEvent ? [0x60, 0x64, 0x68] : [0x60, 0x64]);
        scene.Waiting(B, 0x50);
        scene.Waiting(C, 0x54);
        Verdict? verdict = SyntheticAnalysis.Of(scene.Process).Verdicts.SingleOrDefault();
        Assert.Equal((expected, expected is null ? null : Confidence.Confirmed), (verdict?.DetectorId, verdict?.Confidence));
    }
}
