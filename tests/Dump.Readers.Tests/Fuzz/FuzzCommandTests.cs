using Dump.Fuzz.Oracles;
using Dump.Fuzz.Running;
using Dump.Fuzz.Targets;
using Dump.Readers.Tests.Symbols;

namespace Dump.Readers.Tests.Fuzz;

/// <summary>The fuzz command itself: the same seed makes the same inputs, every oracle can fail, and what failed is kept with how to repeat it.</summary>
public sealed class FuzzCommandTests
{
    [Fact]
    public void Same_seed_makes_the_same_inputs()
    {
        foreach (string name in FuzzTargets.Names.Where(n => n != "store"))
        {
            FuzzTarget first = FuzzTargets.Named(name), second = FuzzTargets.Named(name);
            Assert.All(Enumerable.Range(0, 20), i => Assert.Equal(Execution.Input(first, 7, i), Execution.Input(second, 7, i)));
            Assert.Contains(Enumerable.Range(0, 20), i => !Execution.Input(first, 7, i).SequenceEqual(Execution.Input(first, 8, i)));
            (first as IDisposable)?.Dispose();
            (second as IDisposable)?.Dispose();
        }
    }

    [Theory]
    [InlineData("throws", "InvalidOperationException: broken")]
    [InlineData("allocates", "bytes of memory")]
    [InlineData("no JSON", "not JSON")]
    [InlineData("harmful", "U+001B")]
    [InlineData("lines", "several lines")]
    public void Every_oracle_can_fail(string fault, string expected)
    {
        Execution execution = Execution.Of(new FaultyTarget(fault), [1]);
        Assert.Contains(expected, execution.Failure, StringComparison.Ordinal);
        Assert.Null(execution.Outcome);
        Assert.Contains("--reader faulty --seed 3 --from 5 --executions 1: ",
            Assert.Throws<OracleException>(() => Execution.Sweep(new FaultyTarget(fault), 3, 5, 1)).Message, StringComparison.Ordinal);
    }

    [Fact]
    public void A_sound_input_holds() => Assert.Null(Execution.Of(new FaultyTarget("none"), [1]).Failure);

    [Fact]
    public void What_failed_is_kept_with_how_to_repeat_it()
    {
        using TemporaryDirectory folder = new();
        using (KeptInputs kept = new(folder.Path))
        {
            kept.Begin("pe", 3, 5);
            kept.Keep("pe", 3, 5, [1, 2, 3], "broken");
        }

        Assert.Equal([1, 2, 3], File.ReadAllBytes(Path.Combine(folder.Path, "pe-3-5.bin")));
        Assert.Contains("--reader pe --seed 3 --from 5 --executions 1\n--reader pe --input pe-3-5.bin\n\nbroken",
            File.ReadAllText(Path.Combine(folder.Path, "pe-3-5.txt")), StringComparison.Ordinal);
        Assert.StartsWith("--reader pe --seed 3 --from 5", File.ReadAllText(Path.Combine(folder.Path, "current.txt")), StringComparison.Ordinal);
    }

    [Theory]
    [InlineData("--seed")]
    [InlineData("--seed", "x")]
    [InlineData("--executions", "0")]
    [InlineData("--minutes", "0")]
    [InlineData("--reader", "nobody", "--executions", "1")]
    [InlineData("--input", "a.bin")]
    [InlineData("--other", "1")]
    [InlineData("--seed", "1")]
    public void Wrong_use_is_told(params string[] arguments)
    {
        Assert.Null(FuzzOptions.Parse(arguments, FuzzTargets.Names, out string? problem));
        Assert.NotNull(problem);
    }

    [Fact]
    public void A_run_of_several_readers_counts_what_it_read()
    {
        FuzzOptions? options = FuzzOptions.Parse(
            ["--reader", "cfi", "--reader", "names-rust", "--executions", "2,000", "--seed", "4"], FuzzTargets.Names, out _);
        FuzzRun run = new(options!, _ => { });
        run.Run();
        Assert.Equal([("cfi", 1000L, 0L), ("names-rust", 1000L, 0L)], run.Totals.Select(t => (t.Name, t.Executions, t.Failures)));
        Assert.Contains("| all | 2,000 |", FuzzTable.Of(run.Totals), StringComparison.Ordinal);
    }

    private sealed class FaultyTarget(string fault) : FuzzTarget("faulty", "a reader with a defect")
    {
        public override byte[] Input(Random random) => [1];

        public override string Execute(byte[] input)
        {
            switch (fault)
            {
                case "throws":
                    throw new InvalidOperationException("broken");
                case "allocates":
                    return new byte[4 << 20].Length.ToString(System.Globalization.CultureInfo.InvariantCulture);
                case "no JSON":
                    MeasuredOutput output = MeasuredOutput.Fresh;
                    output.Write("{\"a\":"u8);
                    Oracle.IsJson(output);
                    return "";
                case "harmful":
                    Oracle.IsHarmless("\u001b[31m");
                    return "";
                case "lines":
                    return Oracle.IsSentence("one\ntwo");
                default:
                    return Oracle.IsSentence("fine");
            }
        }
    }
}
