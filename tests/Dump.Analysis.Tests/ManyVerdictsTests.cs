using Dump.Model.Process;
using Dump.Model.Verdicts;
using Dump.Testing;
using static Dump.Analysis.Tests.SnapshotBuilder;

namespace Dump.Analysis.Tests;

/// <summary>
/// Many waits, as only a hostile dump has them, are judged in a time that grows with their number and not with its square. The
/// processor time of few and of eight times as many is compared, which does not depend on how fast and how busy the machine is.
/// </summary>
public sealed class ManyVerdictsTests
{
    private const uint Times = 8;

    // Between growth in step and growth with the square, which is 64.
    private const double MostGrowth = 24;

    [Fact]
    public void Thousands_of_orphaned_locks_of_an_exiting_process()
    {
        const uint Few = 2_000;
        Assert.Equal((int)(Few * Times), AssertGrowth(Few, Orphaned).Verdicts.Length);
    }

    [Theory]
    [InlineData(1u)]
    [InlineData(64u)]
    public void Thousands_of_waits_for_any_one_of_64_objects(uint holders) =>
        Assert.NotEmpty(AssertGrowth(250, count => WaitingForAny(count, holders)).Verdicts);

    private static ProcessSnapshot Orphaned(uint count)
    {
        SnapshotBuilder builder = new() { Loader = new LoaderState(null, null, true, null, null) };
        string[] frames = [.. Enumerable.Range(0, 20).Select(i => $"app!f{i}")];
        for (uint i = 1; i <= count; i++)
        {
            builder.Thread(i, frames: frames).Wait(i, Section(i * 0x100)).Own(Section(i * 0x100), count + i, alive: false);
        }

        return builder.Build();
    }

    private static ProcessSnapshot WaitingForAny(uint count, uint holders)
    {
        SnapshotBuilder builder = new();
        for (uint i = 0; i < count; i++)
        {
            builder.Thread(i + 1).Own(Section((i + 1) * 0x100), i + 1);
            for (uint k = 0; k < 64; k++)
            {
                builder.Wait(i + 1, Section((((i + 1 + (((i * 7) + ((k % holders) * 13)) % (count - 1))) % count) + 1) * 0x100), any: true);
            }
        }

        return builder.Build();
    }

    /// <summary>Judges few and many, and returns the result on many.</summary>
    private static AnalysisResult AssertGrowth(uint few, Func<uint, ProcessSnapshot> make)
    {
        // The first run compiles the code.
        Judge(make(few));
        (_, TimeSpan ofFew) = Judge(make(few));
        (AnalysisResult result, TimeSpan ofMany) = Judge(make(few * Times));
        Assert.True(ofMany <= MostGrowth * ofFew, $"{few} took {ofFew} of processor time, {Times} times as many {ofMany}");
        return result;
    }

    private static (AnalysisResult Result, TimeSpan Used) Judge(ProcessSnapshot snapshot)
    {
        TimeSpan start = ThreadClock.Now;
        AnalysisResult result = Dump.Analysis.HangAnalysis.Run(snapshot);
        return (result, ThreadClock.Now - start);
    }
}
