using Dump.EndToEnd.Tests.Verdicts;
using Dump.Model.Facts;
using Dump.Model.Process;
using Dump.Model.Verdicts;
using Dump.Model.Waits;
using Dump.Testing.Synthetic;
using Dump.Testing.Synthetic.X86;

namespace Dump.EndToEnd.Tests.Synthetic.X86;

/// <summary>Hangs of 32-bit processes of Windows 10, from 32-bit dumps and from 64-bit ones (WoW64): the same verdicts from both.</summary>
public sealed class X86WaitTests
{
    private const uint First = 0x20;
    private const uint Second = 0x24;

    [Theory]
    [InlineData(false)]
    [InlineData(true)]
    public void Two_threads_that_want_each_others_critical_section_are_a_deadlock(bool isWow64)
    {
        X86Scene scene = new();
        scene.Entering(First, scene.Section(0, Second, 1));
        scene.Entering(Second, scene.Section(1, First, 1));
        Verdict verdict = Assert.Single(Of(scene, isWow64).Verdicts);
        Assert.Equal(("DUMP1002", Confidence.Confirmed), (verdict.DetectorId, verdict.Confidence));
    }

    [Theory]
    [InlineData(false)]
    [InlineData(true)]
    public void A_section_that_its_owner_will_leave_is_none(bool isWow64)
    {
        X86Scene scene = new();
        scene.Entering(First, scene.Section(0, Second, 1));
        scene.Sleeping(Second);
        AnalysisResult result = Of(scene, isWow64);
        SyntheticAnalysis.LacksOnlyALaterMoment(result);
    }

    [Theory]
    [InlineData(false)]
    [InlineData(true)]
    public void A_spin_under_load_ownership_and_a_load_are_a_deadlock(bool isWow64)
    {
        X86Scene scene = new(loaderLockOwner: First);
        scene.Loading(First, Second);
        Verdict verdict = Of(scene, isWow64).Verdicts[0];
        Assert.Equal(("DUMP1001", Confidence.Likely), (verdict.DetectorId, verdict.Confidence));
        Assert.Contains("mkl_core.dll", verdict.Culprit?.Module, StringComparison.Ordinal);
        Assert.Contains(SyntheticAnalysis.Sentences(verdict), s => s.Contains("0x60006100", StringComparison.Ordinal));
    }

    [Theory]
    [InlineData(false)]
    [InlineData(true)]
    public void Without_a_lock_word_the_spin_is_only_suspected(bool isWow64)
    {
        X86Scene scene = new(loaderLockOwner: First);
        scene.Loading(First, Second, lockWord: 0);
        Assert.DoesNotContain(Of(scene, isWow64).Verdicts, v => v.DetectorId == "DUMP1001" && v.Confidence > Confidence.Suspected);
    }

    [Theory]
    [InlineData(false)]
    [InlineData(true)]
    public void The_handle_of_a_wait_comes_from_the_stack(bool isWow64)
    {
        X86Scene scene = new();
        scene.Process.Handles.AddRange([Thread(0x50, Second, isWow64), Thread(0x54, First, isWow64)]);
        scene.Waiting(First, 0x50);
        scene.Waiting(Second, 0x54);
        ProcessSnapshot snapshot = SyntheticAnalysis.Read(Build(scene, isWow64));
        Assert.Equal(
            [(First, new Resource(ResourceKind.Thread, Second)), (Second, new Resource(ResourceKind.Thread, First))],
            snapshot.Waits.Select(w => (w.ThreadId, w.Resource)));
        Assert.All(snapshot.Waits, w => Assert.Equal((WaitTimeout.Infinite, Grade.Proven), (w.Timeout, w.Grade)));
    }

    [Fact]
    public void A_time_limit_is_read_through_its_address()
    {
        X86Scene scene = new();
        scene.Process.Handles.Add(FakeHandle.Event(0x50, manualReset: true, signaled: false));

        // -50,000,000 units of 100 ns: five seconds.
        uint limit = scene.Ntdll.Data + 0x300;
        BitConverter.GetBytes(-50_000_000L).CopyTo(scene.Ntdll.DataBytes, 0x300);
        scene.Waiting(First, 0x50, limit);
        WaitFact wait = Assert.Single(SyntheticAnalysis.Read(scene.Process.ToX86()).Waits);
        Assert.Equal((WaitTimeout.Finite, 5000L), (wait.Timeout, wait.Milliseconds));
    }

    [Fact]
    public void The_system_is_that_of_the_dump_and_the_stacks_are_those_of_the_program()
    {
        X86Scene scene = new();
        scene.Entering(First, scene.Section(0, Second, 1));
        scene.Sleeping(Second);
        ProcessSnapshot narrow = SyntheticAnalysis.Read(scene.Process.ToX86());
        ProcessSnapshot wide = SyntheticAnalysis.Read(scene.Process.ToWow64());
        Assert.Equal((ProcessorArchitecture.X86, ProcessorArchitecture.X64), (narrow.System.Architecture, wide.System.Architecture));
        Assert.Equal(narrow.Threads.Select(t => t.Stack.Frames.Length), wide.Threads.Select(t => t.Stack.Frames.Length));
        Assert.Equal(narrow.Threads.SelectMany(t => t.Stack.Frames), wide.Threads.SelectMany(t => t.Stack.Frames));
        Assert.All(narrow.Threads, t => Assert.Null(t.EmulationStack));
        Assert.All(wide.Threads, t => Assert.Equal("LdrInitializeThunk", t.EmulationStack!.Frames[^1].Function));
        Assert.Equal(narrow.Loader, wide.Loader);
        Assert.Equal(
            ["NtWaitForAlertByThreadId", "RtlEnterCriticalSection", "BaseThreadInitThunk", "RtlUserThreadStart"],
            narrow.Threads[0].Stack.Frames.Select(f => f.Function).OfType<string>());
    }

    /// <summary>THREAD_BASIC_INFORMATION of a 32-bit dump: exit status, TEB, process, thread, in four bytes each.</summary>
    private static FakeHandle Thread(uint value, uint id, bool isWow64) => isWow64 ? FakeHandle.Thread(value, id)
        : new FakeHandle(value, "Thread", (1u, new ByteWriter().UInt32(0x103).UInt32(0).UInt32(FakeProcess.Id).UInt32(id).PadTo(28).ToArray()));

    private static AnalysisResult Of(X86Scene scene, bool isWow64) => SyntheticAnalysis.Of(Build(scene, isWow64));

    private static FakeProcess Build(X86Scene scene, bool isWow64) => isWow64 ? scene.Process.ToWow64() : scene.Process.ToX86();
}
