using Dump.Fuzz.Running;
using Dump.Fuzz.Targets;
using Xunit.Abstractions;

namespace Dump.Readers.Tests.Fuzz;

/// <summary>A short run of <c>tests/Dump.Fuzz</c>: every reader on some hundreds or thousands of damaged inputs, the same ones each time.</summary>
public sealed class ReaderFuzzTests(ITestOutputHelper output)
{
    private const int QuickSeeds = 2;
    private const int Seeds = 6;
    private const int UsualCount = 300;

    // How many inputs of each seed: what takes microseconds gets more, what takes milliseconds less.
    private static readonly Dictionary<string, int> s_counts = new()
    {
        ["minidump"] = 60, ["minidump-real"] = 40, ["store"] = 40, ["elf-core"] = 400, ["signature"] = 60, ["unwind-x64"] = 3_200, ["unwind-arm64"] = 1_200,
        ["unwind-x86"] = 300, ["names-cpp"] = 30_000, ["names-rust"] = 30_000, ["cfi"] = 10_000, ["elf"] = 2_000, ["pdb"] = 1_000,
    };

    public static TheoryData<string, int> Runs => Of(1, QuickSeeds);

    public static TheoryData<string, int> FurtherRuns => Of(QuickSeeds + 1, Seeds);

    [Theory]
    [MemberData(nameof(Runs))]
    public void Reader_survives_damaged_input(string reader, int seed)
    {
        FuzzTarget target = FuzzTargets.Named(reader);
        try
        {
            int count = s_counts.GetValueOrDefault(reader, UsualCount);
            ReaderTotals totals = Execution.Sweep(target, seed, 0, count);
            output.WriteLine(FuzzTable.Of([totals]));
            Assert.Equal(count, totals.Executions);

            // Damage that always ends in the same way reaches nothing.
            Assert.True(totals.Outcomes > 3, $"{totals.Outcomes} outcomes");
        }
        finally
        {
            (target as IDisposable)?.Dispose();
        }
    }

    [Theory]
    [Trait("Category", "Slow")]
    [MemberData(nameof(FurtherRuns))]
    public void Reader_survives_further_damaged_input(string reader, int seed) => Reader_survives_damaged_input(reader, seed);

    private static TheoryData<string, int> Of(int first, int last)
    {
        TheoryData<string, int> runs = [];
        foreach (string name in FuzzTargets.Names)
        {
            for (int seed = first; seed <= last; seed++)
            {
                runs.Add(name, seed);
            }
        }

        return runs;
    }
}
