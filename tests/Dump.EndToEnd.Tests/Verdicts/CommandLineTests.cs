using System.Text.Json;
using Dump.Testing;
using Dump.Testing.Fixtures;

namespace Dump.EndToEnd.Tests.Verdicts;

/// <summary>The contract of the command line: exit codes, streams, help.</summary>
public sealed class CommandLineTests
{
    private static readonly string s_dump = Fixture.Named("loader-exit").Path;

    [Fact]
    public void Text_report_is_the_same_every_time_and_free_of_escape_sequences()
    {
        DumpAnalyze first = DumpAnalyze.Run(s_dump);
        Assert.Equal(first.Output, DumpAnalyze.Run(s_dump).Output);
        Assert.DoesNotContain('\u001b', first.Output);
        Assert.Empty(first.Error);
    }

    [Fact]
    public void Unknown_option_is_a_usage_error_with_advice()
    {
        DumpAnalyze run = DumpAnalyze.Run(s_dump, "--no-such-option");
        Assert.Equal(2, run.ExitCode);
        Assert.Contains("--help", run.Error, StringComparison.Ordinal);
        Assert.Empty(run.Output);
    }

    [Fact]
    public void Missing_file_is_wrong_usage_in_one_line_with_its_full_path()
    {
        DumpAnalyze run = DumpAnalyze.Run("no-such-file.dmp");
        Assert.Contains(Path.GetFullPath("no-such-file.dmp"), run.Error, StringComparison.Ordinal);
        Assert.Equal(2, run.ExitCode);
        Assert.Single(run.Error.TrimEnd().Split('\n'));
    }

    [Fact]
    public void File_that_is_no_dump_is_named_and_declined()
    {
        DumpAnalyze run = DumpAnalyze.Run(typeof(CommandLineTests).Assembly.Location);
        Assert.Equal(3, run.ExitCode);
        Assert.Contains("not a dump of one", run.Error, StringComparison.Ordinal);
    }

    [Fact]
    public void Fail_on_confirmed_lets_a_likely_verdict_pass()
    {
        Assert.Equal(0, DumpAnalyze.Run(s_dump, "--fail-on", "confirmed").ExitCode);
        Assert.Equal(11, DumpAnalyze.Run(s_dump, "--fail-on", "likely").ExitCode);
    }

    [Fact]
    public void Lock_chain_of_one_thread_leads_back_to_it()
    {
        uint thread = Fixture.Named("loader-exit").Threads["loading"][0];
        DumpAnalyze run = DumpAnalyze.Run("lockchain", s_dump, "--thread", $"0x{thread:x}", "--format", "json");
        JsonElement chain = JsonDocument.Parse(run.Output).RootElement.Member("chains")[0];
        Assert.True(chain.Member("cycle").GetBoolean());
        Assert.Equal(2, chain.Member("chain").GetArrayLength());
    }

    [Fact]
    public void Lock_chain_of_a_thread_that_is_not_there_is_a_usage_error()
    {
        DumpAnalyze run = DumpAnalyze.Run("lockchain", s_dump, "--thread", "0xfffffff0");
        Assert.Equal(2, run.ExitCode);
        Assert.Contains("no thread 0xfffffff0", run.Error, StringComparison.Ordinal);
    }

    [Theory]
    [InlineData("threads")]
    [InlineData("raw")]
    [InlineData("lockchain")]
    public void Json_of_every_command_parses(string command)
    {
        DumpAnalyze run = DumpAnalyze.Run(command, s_dump, "--format", "json");
        Assert.Equal(0, run.ExitCode);
        Assert.Equal(JsonValueKind.Object, JsonDocument.Parse(run.Output).RootElement.ValueKind);
    }

    [Fact]
    public void Help_and_detectors_teach()
    {
        Assert.Contains("Exit code", DumpAnalyze.Run("--help").Output, StringComparison.Ordinal);
        Assert.Contains("DUMP9001", DumpAnalyze.Run("detectors").Output, StringComparison.Ordinal);
    }
}
