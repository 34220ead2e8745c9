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
        DumpAnalyze run = DumpAnalyze.Run(Fixture, "--only", "dump2001, 2002");
        Assert.Equal(12, run.ExitCode);
        Assert.Contains("Only DUMP2001, DUMP2002 were asked: other hangs are not looked for.\nDUMP2001 Spinning owner (Suspected)", run.Output,
            StringComparison.Ordinal);
        Assert.DoesNotContain("DUMP1001", run.Output, StringComparison.Ordinal);
    }

    [Fact]
    public void Nothing_found_is_said_of_that_kind_only()
    {
        DumpAnalyze run = DumpAnalyze.Run(Fixture, "--only", "DUMP4003");
        Assert.Equal(0, run.ExitCode);
        Assert.Contains("Only DUMP4003 was asked: other hangs are not looked for.", run.Output, StringComparison.Ordinal);
        Assert.Contains("Nothing of that kind found", run.Output, StringComparison.Ordinal);
        Assert.DoesNotContain("No hang found", run.Output, StringComparison.Ordinal);
        JsonElement json = JsonDocument.Parse(DumpAnalyze.Run(Fixture, "--only", "DUMP4003", "--format", "json").Output).RootElement;
        Assert.Equal("DUMP4003", Assert.Single(json.Member("only").EnumerateArray()).GetString());
    }

    [Fact]
    public void A_family_asks_all_of_its_detectors()
    {
        DumpAnalyze run = DumpAnalyze.Run(Fixture, "--only", "Spin,dump4003", "--fail-on", "suspected");
        Assert.Equal(12, run.ExitCode);
        Assert.Contains(
            "Only DUMP2001, DUMP2002, DUMP2003, DUMP4003 were asked: other hangs are not looked for.\nDUMP2001 Spinning owner (Suspected)", run.Output,
                StringComparison.Ordinal);
    }

    [Theory]
    [InlineData("DUMP9999", "--only: 'DUMP9999' is neither the id of a detector nor a family.")]
    [InlineData("spin,spinners", "--only: 'spinners' is neither the id of a detector nor a family.")]
    [InlineData("DUMP9001", "--only: 'DUMP9001' is neither the id of a detector nor a family.")]
    [InlineData("", "--only names no detector.")]
    [InlineData(",", "--only names no detector.")]
    public void Unknown_detectors_are_refused(string names, string expected)
    {
        DumpAnalyze run = DumpAnalyze.Run(Fixture, "--only", names);
        Assert.Equal(2, run.ExitCode);
        Assert.Contains(expected + " Families: collections, crash, loader, lock, spin, tasks, ui; dumpanalyze detectors shows the ids", run.Error,
            StringComparison.Ordinal);
    }

    [Fact]
    public void It_is_for_one_dump()
    {
        DumpAnalyze run = DumpAnalyze.Run(Fixture, Fixture, "--only", "DUMP2001");
        Assert.Equal(2, run.ExitCode);
        Assert.Contains("--only works on one dump", run.Error, StringComparison.Ordinal);
    }
}
