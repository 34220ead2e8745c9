using Dump.Analysis;
using Dump.EndToEnd.Tests.Verdicts;
using Dump.Model.Facts;
using Dump.Model.Process;
using Dump.Model.Verdicts;
using Dump.Model.Waits;
using Dump.Readers.Minidump;
using Dump.Readers.Windows;
using Dump.Testing.Synthetic.X86;

namespace Dump.EndToEnd.Tests.Synthetic.X86;

/// <summary>The two sides of a 32-bit process in a 64-bit dump: both loader locks count, and what cannot be read leaves the question open.</summary>
public sealed class Wow64Tests
{
    private const uint First = 0x20;
    private const uint Second = 0x24;

    [Fact]
    public void A_cycle_may_lead_through_both_sides()
    {
        // The first thread's layer wants the 64-bit loader lock of the second, whose 32-bit code wants a critical section of the first.
        X86Scene scene = new();
        scene.Process.LayerLoaderLock = (Second, 1);
        scene.WaitingInLayer(First);
        scene.Entering(Second, scene.Section(0, First, 1));
        AnalysisResult result = SyntheticAnalysis.Of(scene.Process.ToWow64());
        Verdict verdict = result.Verdicts[0];
        Assert.Equal(("DUMP1001", Confidence.Confirmed), (verdict.DetectorId, verdict.Confidence));
    }

    [Fact]
    public void Locks_of_both_sides_are_listed()
    {
        X86Scene scene = new(loaderLockOwner: First);
        scene.Process.LayerLoaderLock = (Second, 0);
        scene.Sleeping(First);
        scene.Sleeping(Second);
        ProcessSnapshot snapshot = SyntheticAnalysis.Read(scene.Process.ToWow64());
        Assert.Equal(
            [(First, (ulong)scene.Process.LoaderLock), (Second, scene.Process.LayerNtdll.Data + 0x200)],
            snapshot.Ownerships.Where(o => o.Resource.Kind == ResourceKind.LoaderLock).Select(o => (o.OwnerThreadId, o.Resource.Identity)).Order());
    }

    [Theory]
    [InlineData(true)]
    [InlineData(false)]
    public void The_32_bit_thread_block_is_found_as_Windows_10_and_earlier_versions_have_it(bool hasOffset)
    {
        X86Scene scene = new();
        scene.Process.HasWowTebOffset = hasOffset;
        scene.Sleeping(First);
        AnalysisResult result = SyntheticAnalysis.Of(scene.Process.ToWow64());
        Assert.False(SyntheticAnalysis.IsUndecidable(result));
    }

    [Theory]
    [InlineData(0x1C4, null)]       // a context of 32-bit ARM
    [InlineData(0x14C, Second)]     // no 32-bit thread block of the second thread
    public void What_cannot_be_read_leaves_the_question_open(int machine, uint? unreadable)
    {
        X86Scene scene = new();
        scene.Process.CpuMachine = machine;
        scene.Process.Unreadable = unreadable;
        scene.Sleeping(First);
        scene.Sleeping(Second);
        using MinidumpFile dump = MinidumpFile.FromBytes(scene.Process.ToWow64().ToMinidump());
        AnalysisResult result = HangAnalysis.Run(WindowsSnapshotReader.Read(dump, "synthetic"));
        Assert.True(SyntheticAnalysis.IsUndecidable(result));
        Assert.Contains(result.Outcomes.Single(o => o.DetectorId == "DUMP9001").Missing, m => m.What.Contains("WoW64", StringComparison.Ordinal));
    }
}
