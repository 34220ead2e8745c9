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

    /// <summary>Writers that stop no thread, that stop all, that record nothing, and one that leaves its own thread running.</summary>
    [Theory]
    [InlineData(0, 0, 0)]
    [InlineData(1, 1, 1)]
    [InlineData(uint.MaxValue, uint.MaxValue, uint.MaxValue)]
    [InlineData(0, 1, 1)]
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
