using Dump.Analysis;
using Dump.Cli.Commands;
using Dump.Cli.Output;
using Dump.EndToEnd.Tests.Verdicts;
using Dump.Reports;
using Dump.Testing;

namespace Dump.EndToEnd.Tests.CommandLine;

/// <summary><c>explain</c> prints the page on a detector without the repository and without a network.</summary>
public sealed class ExplainTests
{
    private const int Width = 120;

    [Theory]
    [InlineData("DUMP1001")]
    [InlineData("dump1001")]
    [InlineData("1001")]
    public void A_page_is_text_for_a_terminal(string id)
    {
        DumpAnalyze run = DumpAnalyze.Run("explain", id);
        Assert.Equal((0, ""), (run.ExitCode, run.Error));
        Assert.StartsWith("DUMP1001 Loader-lock deadlock\n\nWhat it finds\n\nA cycle of waits", run.Output, StringComparison.Ordinal);
        Assert.Contains("\n    $ dumpanalyze dumps-fixtures/loader-exit.dmp\n", run.Output, StringComparison.Ordinal);
        Assert.Contains("the loader lock (the critical section behind PEB.LoaderLock)", run.Output.ReplaceLineEndings(" "), StringComparison.Ordinal);
    }

    [Fact]
    public void Every_detector_has_its_page_without_marks_in_it()
    {
        string[] resources = typeof(ExplainCommand).Assembly.GetManifestResourceNames();
        Assert.All(DetectorRegistry.Descriptors, d =>
        {
            Assert.Contains($"{d.Id}.md", resources);
            string page = Printed(File.ReadAllText(Path.Combine(Repository.Root, "docs", "detectors", $"{d.Id}.md")));
            Assert.StartsWith($"{d.Id} {d.Title}\n", page, StringComparison.Ordinal);
            string[] prose = [.. page.Split('\n').Where(l => !l.StartsWith("    ", StringComparison.Ordinal))];
            Assert.All(prose, l => Assert.InRange(l.Length, 0, Width));
            Assert.DoesNotContain(prose, l => l.Contains("](", StringComparison.Ordinal) || l.Contains('`', StringComparison.Ordinal) || l.StartsWith('#'));
            Assert.DoesNotContain('\u001b', page);
        });
    }

    [Theory]
    [InlineData("# One `two`\n\nSee [three](x.md)\nand [four](https://example.org).\n", "One two\n\nSee three and four (https://example.org).\n")]
    [InlineData("- one\n  two\n  - three\n- four\n", "- one two\n  - three\n- four\n")]
    [InlineData("a\n```sh\n# no [heading](x)\n\n```\nb", "a\n    # no [heading](x)\n\nb\n")]
    [InlineData("a\u001b[31mb\r\nc", "a?[31mb c\n")]
    public void Markdown_becomes_text(string markdown, string expected) => Assert.Equal(expected, Printed(markdown).TrimEnd('\n') + "\n");

    private static string Printed(string markdown)
    {
        using StringWriter output = new() { NewLine = "\n" };
        using WrappingWriter wrapped = new(output, Width) { NewLine = "\n" };
        MarkdownText.Write(markdown, wrapped, TextStyle.Plain);
        wrapped.Flush();
        return output.ToString();
    }

    [Fact]
    public void Several_pages_stand_one_behind_the_other()
    {
        string[] alone = [DumpAnalyze.Run("explain", "1003").Output, DumpAnalyze.Run("explain", "DUMP1001").Output];
        DumpAnalyze run = DumpAnalyze.Run("explain", "1003", "1001", "1003");
        Assert.Equal((0, string.Join('\n', alone), ""), (run.ExitCode, run.Output, run.Error));
    }

    [Fact]
    public void Without_an_id_all_are_listed()
    {
        string list = DumpAnalyze.Run("explain").Output;
        Assert.All(DetectorRegistry.Descriptors, d => Assert.Contains($"{d.Id}  {d.Title}\n", list, StringComparison.Ordinal));
    }
}
