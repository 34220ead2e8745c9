using System.Text.Json;
using Dump.EndToEnd.Tests.Verdicts;
using Dump.Testing;

namespace Dump.EndToEnd.Tests.CommandLine;

/// <summary><c>--only</c> asks some detectors and says so.</summary>
public sealed class OnlyTests
{
    private static string Fixture => Path.Combine(Repository.Root, "dumps-fixtures", "loader-exit.dmp");

    [Fact]
    public void What_another_detector_would_explain_is_reported()
    {
        DumpAnalyze run = DumpAnalyze.Run(Fixture, "--only", "dump2001, DUMP2002");
        Assert.Equal(11, run.ExitCode);
        Assert.Contains("Only DUMP2001, DUMP2002 were asked: other hangs are not looked for.\nDUMP2001 Spinning owner (Likely)", run.Output, StringComparison.Ordinal);
        Assert.DoesNotContain("DUMP1001", run.Output, StringComparison.Ordinal);
    }

    [Fact]
    public void Nothing_found_is_said_of_that_kind_only()
    {
        DumpAnalyze run = DumpAnalyze.Run(Fixture, "--only", "DUMP4003");
        Assert.Equal(0, run.ExitCode);
        Assert.Contains("Nothing of that kind found", run.Output, StringComparison.Ordinal);
        Assert.DoesNotContain("No hang found", run.Output, StringComparison.Ordinal);
        JsonElement json = JsonDocument.Parse(DumpAnalyze.Run(Fixture, "--only", "DUMP4003", "--format", "json").Output).RootElement;
        Assert.Equal("DUMP4003", Assert.Single(json.GetProperty("only").EnumerateArray()).GetString());
    }

    [Theory]
    [InlineData("DUMP9999")]
    [InlineData("")]
    [InlineData(",")]
    public void Unknown_detectors_are_refused(string ids)
    {
        DumpAnalyze run = DumpAnalyze.Run(Fixture, "--only", ids);
        Assert.Equal(2, run.ExitCode);
        Assert.Contains("is not a list of detectors; dumpanalyze detectors shows their ids.", run.Error, StringComparison.Ordinal);
    }

    [Fact]
    public void It_is_for_one_dump()
    {
        DumpAnalyze run = DumpAnalyze.Run(Fixture, Fixture, "--only", "DUMP2001");
        Assert.Equal(2, run.ExitCode);
        Assert.Contains("--only works on one dump", run.Error, StringComparison.Ordinal);
    }
}
