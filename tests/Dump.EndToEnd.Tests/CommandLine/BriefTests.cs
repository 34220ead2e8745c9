using Dump.EndToEnd.Tests.Verdicts;
using Dump.Testing.Fixtures;

namespace Dump.EndToEnd.Tests.CommandLine;

/// <summary><c>--brief</c> prints the sentences of the verdict alone.</summary>
public sealed class BriefTests
{
    [Theory]
    [InlineData("loader-exit", 11)]
    [InlineData("cs-cycle2", 10)]
    [InlineData("loader-exit-healthy", 0)]
    [InlineData("loader-exit-stacks-only", 13)]
    public void It_is_a_part_of_the_report_and_ends_in_the_same_code(string fixture, int code)
    {
        string dump = Fixture.Named(fixture).Path;
        DumpAnalyze brief = DumpAnalyze.Run(dump, "--brief");
        DumpAnalyze full = DumpAnalyze.Run(dump);
        Assert.Equal((code, code), (brief.ExitCode, full.ExitCode));
        Assert.NotEmpty(brief.Output);
        Assert.Contains(brief.Output, full.Output, StringComparison.Ordinal);
        Assert.InRange(brief.Output.Split('\n').Length, 2, 12);
        Assert.DoesNotContain("captured", brief.Output, StringComparison.Ordinal);
        Assert.DoesNotContain("    ", brief.Output, StringComparison.Ordinal);
    }
}
