using System.Diagnostics;
using Dump.Model.Process;
using Dump.Model.Verdicts;
using static Dump.Analysis.Tests.SnapshotBuilder;

namespace Dump.Analysis.Tests;

/// <summary>Many waits, as only a hostile dump has them, are judged in seconds: work that grows with the square of their number would take minutes.</summary>
public sealed class ManyVerdictsTests
{
    private static readonly TimeSpan s_longest = TimeSpan.FromSeconds(30);

    [Fact]
    public void Thousands_of_orphaned_locks_of_an_exiting_process()
    {
        const uint Count = 4_000;
        SnapshotBuilder builder = new() { Loader = new LoaderState(null, null, true, null, null) };
        string[] frames = [.. Enumerable.Range(0, 100).Select(i => $"app!f{i}")];
        for (uint i = 1; i <= Count; i++)
        {
            builder.Thread(i, frames: frames).Wait(i, Section(i * 0x100)).Own(Section(i * 0x100), Count + i, alive: false);
        }

        Assert.Equal((int)Count, Judged(builder).Verdicts.Length);
    }

    [Theory]
    [InlineData(1u)]
    [InlineData(64u)]
    public void Thousands_of_waits_for_any_one_of_64_objects(uint holders)
    {
        const uint Count = 1_000;
        SnapshotBuilder builder = new();
        for (uint i = 0; i < Count; i++)
        {
            builder.Thread(i + 1).Own(Section((i + 1) * 0x100), i + 1);
            for (uint k = 0; k < 64; k++)
            {
                builder.Wait(i + 1, Section((((i + 1 + (((i * 7) + ((k % holders) * 13)) % (Count - 1))) % Count) + 1) * 0x100), any: true);
            }
        }

        Assert.NotEmpty(Judged(builder).Verdicts);
    }

    private static AnalysisResult Judged(SnapshotBuilder builder)
    {
        ProcessSnapshot snapshot = builder.Build();
        Stopwatch time = Stopwatch.StartNew();
        AnalysisResult result = Dump.Analysis.HangAnalysis.Run(snapshot);
        Assert.True(time.Elapsed < s_longest, $"took {time.Elapsed}");
        return result;
    }
}
