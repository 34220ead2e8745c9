using Dump.Model.Process;
using Dump.Readers.Minidump;
using Dump.Readers.Windows;
using Dump.Testing.Synthetic;

namespace Dump.Readers.Tests.Windows;

/// <summary>Suspend counts: only a thread that stands out from the majority was suspended by somebody else than the writer.</summary>
public sealed class SuspendCountTests
{
    private static int?[] Read(params uint[] counts)
    {
        CriticalSectionScene scene = new();
        for (uint i = 0; i < counts.Length; i++)
        {
            scene.Sleeper(0x20 + (4 * i));
            scene.Process.Threads[^1] = scene.Process.Threads[^1] with { SuspendCount = counts[i] };
        }

        using MinidumpFile dump = MinidumpFile.FromBytes(scene.Process.ToMinidump());
        ProcessSnapshot snapshot = WindowsSnapshotReader.Read(dump, "synthetic");
        return [.. snapshot.Threads.Select(t => t.SuspendedAbove)];
    }

    [Theory]
    [InlineData(0, 0, 0, 1)]
    [InlineData(1, 1, 1, 2)]
    public void One_thread_above_the_others_was_suspended(uint a, uint b, uint c, uint above) => Assert.Equal([0, 0, 0, 1], Read(a, b, c, above));

    [Fact]
    public void It_counts_by_how_much() => Assert.Equal([0, 3, 0, 1, 0], Read(1, 4, 1, 2, 1));

    /// <summary>One thread has suspended all others.</summary>
    [Theory]
    [InlineData(0, 1, 1)]
    [InlineData(1, 2, 2)]
    public void One_thread_below_all_others_has_suspended_them(uint below, uint b, uint c) => Assert.Equal([0, 1, 1], Read(below, b, c));

    /// <summary>A thread that writes the dump of its own process suspends all others for that; one whose stack is not known to its end may do so.</summary>
    [Theory]
    [InlineData("dbghelp.dll")]
    [InlineData("dbgcore.dll")]
    public void Writer_in_the_process_leaves_its_own_thread_running(string library)
    {
        CriticalSectionScene scene = new();
        FakeImage writer = new($@"C:\Windows\System32\{library}", 0x7FF940000000);
        scene.Process.Images.Add(writer);
        for (uint i = 0; i < 3; i++)
        {
            scene.Sleeper(0x20 + (4 * i));
            FakeThread thread = scene.Process.Threads[^1] with { SuspendCount = i == 0 ? 0u : 1 };
            scene.Process.Threads[^1] = i > 0 ? thread : thread with { Frames =
                [thread.Frames[0], writer.Function("MiniDumpWriteDump"), .. thread.Frames.Skip(1)] };
        }

        using MinidumpFile dump = MinidumpFile.FromBytes(scene.Process.ToMinidump());
        Assert.All(WindowsSnapshotReader.Read(dump, "synthetic").Threads, t => Assert.Null(t.SuspendedAbove));
    }

    /// <summary>Writers that stop no thread, that stop all, and that record nothing.</summary>
    [Theory]
    [InlineData(0, 0, 0)]
    [InlineData(1, 1, 1)]
    [InlineData(uint.MaxValue, uint.MaxValue, uint.MaxValue)]
    public void Where_none_is_above_the_others_nothing_is_known(uint a, uint b, uint c) => Assert.Equal([null, null, null], Read(a, b, c));

    [Fact]
    public void A_count_that_is_not_recorded_leaves_all_unknown() => Assert.Equal([null, null, null, null], Read(0, 0, 1, uint.MaxValue));

    [Fact]
    public void Without_a_majority_nobody_stands_out() => Assert.Equal([null, null, null, null], Read(0, 0, 1, 1));

    [Fact]
    public void Two_threads_have_no_majority() => Assert.Equal([null, null], Read(0, 1));

    [Fact]
    public void More_than_the_system_allows_is_no_count() => Assert.Equal([null, null, null], Read(0, 0, 128));
}
