using Dump.Analysis;
using Dump.Model.Process;
using Dump.Model.Verdicts;
using Dump.Readers.Minidump;
using Dump.Readers.Windows;
using Dump.Testing.Synthetic;

namespace Dump.EndToEnd.Tests.Verdicts;

/// <summary>An owner that the dump does not list is gone only when the dump lists every thread.</summary>
public sealed class ThreadListTests
{
    private const uint A = 0x20;
    private const uint Gone = 0x9990;

    /// <summary>A waits for a section that a thread owns which the dump does not list.</summary>
    private static CriticalSectionScene Orphan()
    {
        CriticalSectionScene scene = new();
        scene.Waiter(A, scene.Section(Gone, 1), LockTrace.WaitWord);
        return scene;
    }

    private static (ProcessSnapshot Snapshot, AnalysisResult Result) Analyse(byte[] file)
    {
        using MinidumpFile dump = MinidumpFile.FromBytes(file);
        ProcessSnapshot snapshot = WindowsSnapshotReader.Read(dump, "synthetic");
        return (snapshot, HangAnalysis.Run(snapshot));
    }

    [Fact]
    public void With_a_complete_list_the_owner_is_gone()
    {
        (ProcessSnapshot snapshot, AnalysisResult result) = Analyse(Orphan().Process.ToMinidump());
        Assert.True(snapshot.Available.AllThreads);
        Assert.Equal("DUMP1003", Assert.Single(result.Verdicts).DetectorId);
    }

    [Theory]
    [InlineData(1, A)] // an entry lies behind the stream's end
    [InlineData(0, 0x21u)] // an id that no thread has
    public void With_a_damaged_list_nothing_is_known_of_it(int cutOff, uint secondId)
    {
        CriticalSectionScene scene = Orphan();
        if (cutOff == 0)
        {
            scene.Sleeper(secondId);
        }

        scene.Process.ThreadsCutOff = cutOff;
        (ProcessSnapshot snapshot, AnalysisResult result) = Analyse(scene.Process.ToMinidump());
        Assert.False(snapshot.Available.AllThreads);
        Assert.Null(Assert.Single(snapshot.Ownerships, o => o.OwnerThreadId == Gone).OwnerIsAlive);
        Assert.Empty(result.Verdicts);
        Assert.Contains(result.Outcomes.SelectMany(o => o.Missing), m => m.What.StartsWith("the complete thread list", StringComparison.Ordinal));
    }

    /// <summary>The thread-information stream tells of a second living thread; with the flag that it has exited the list is complete.</summary>
    [Theory]
    [InlineData(0u, false)]
    [InlineData(4u, true)]
    public void A_living_thread_that_only_another_stream_lists_is_missing(uint flags, bool isComplete)
    {
        CriticalSectionScene scene = Orphan();
        scene.Process.HasThreadTimes = false;
        scene.Process.Streams.Add(new FakeStream(17, w =>
        {
            int at = w.Length;
            w.UInt32(12).UInt32(64).UInt32(2);
            foreach ((uint id, uint thread) in new[] { (A, 0u), (Gone, flags) })
            {
                int entry = w.Length;
                w.UInt32(id).UInt32(thread).PadTo(entry + 64);
            }

            return (at, w.Length - at);
        }));
        Assert.Equal(isComplete, Analyse(scene.Process.ToMinidump()).Snapshot.Available.AllThreads);
    }

    [Fact]
    public void A_thread_whose_code_is_not_in_the_dump_may_run_or_wait()
    {
        FakeImage app = new(@"C:\app\app.exe", 0x140000000);
        FakeProcess process = new() { Images = { app }, Threads = { new FakeThread(A, [app.Function("work")]) } };
        using MinidumpFile dump = MinidumpFile.FromBytes(process.ToMinidump());
        Assert.Equal(ThreadActivityKind.Running, Assert.Single(WindowsSnapshotReader.Read(dump, "synthetic").Threads).Activity.Kind);
        process.HasImageMemory = false;
        using MinidumpFile without = MinidumpFile.FromBytes(process.ToMinidump());
        Assert.Equal(ThreadActivityKind.Unknown, Assert.Single(WindowsSnapshotReader.Read(without, "synthetic").Threads).Activity.Kind);
    }
}
