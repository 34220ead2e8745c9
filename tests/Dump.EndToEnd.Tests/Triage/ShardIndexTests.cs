using Dump.EndToEnd.Tests.Verdicts;
using Dump.Testing;

namespace Dump.EndToEnd.Tests.Triage;

/// <summary>Parts as schedulers name them: counted from 0, and a verdict is no failed task.</summary>
public sealed class ShardIndexTests : IDisposable
{
    private readonly string _folder = Directory.CreateTempSubdirectory("dump-index-").FullName;

    private string Dumps => Path.Combine(_folder, "dumps");

    private string Out => Path.Combine(_folder, "out");

    public ShardIndexTests()
    {
        Directory.CreateDirectory(Dumps);
        File.Copy(Path.Combine(Repository.Root, "dumps-fixtures", "loader-exit.dmp"), Path.Combine(Dumps, "hang.dmp"));
    }

    [Fact]
    public void First_part_has_index_0_and_a_verdict_in_it_is_no_failure()
    {
        DumpAnalyze run = DumpAnalyze.Run("triage", Dumps, "--out", Out, "--shard-index", "0/1");
        Assert.True(run.ExitCode == 0, run.Output + run.Error);
        Assert.Contains(" in part 1/1,", run.Output, StringComparison.Ordinal);
        Assert.Contains("1 likely", run.Output, StringComparison.Ordinal);
        Assert.True(File.Exists(Path.Combine(Out, "summary-1-of-1.json")));
        Assert.Equal(11, DumpAnalyze.Run("triage", Dumps, "--out", Out, "--shard", "1/1").ExitCode);
        Assert.Equal(11, DumpAnalyze.Run("merge", Out).ExitCode);
    }

    [Theory]
    [InlineData("1/1", "'1/1' is not a valid part; give i/n such as 0/4")]
    [InlineData("-1/4", "'-1/4' is not a valid part")]
    [InlineData("4/4", "'4/4' is not a valid part")]
    [InlineData("0/0", "'0/0' is not a valid part")]
    public void Index_outside_of_the_count_is_refused(string index, string error)
    {
        DumpAnalyze run = DumpAnalyze.Run("triage", Dumps, "--out", Out, $"--shard-index={index}");
        Assert.Equal(2, run.ExitCode);
        Assert.Contains(error, run.Error, StringComparison.Ordinal);
    }

    [Fact]
    public void Both_ways_to_name_a_part_are_refused()
    {
        DumpAnalyze run = DumpAnalyze.Run("triage", Dumps, "--out", Out, "--shard", "1/2", "--shard-index", "0/2");
        Assert.Equal(2, run.ExitCode);
        Assert.Contains("--shard and --shard-index name the same part", run.Error, StringComparison.Ordinal);
    }

    public void Dispose() => Directory.Delete(_folder, recursive: true);
}
