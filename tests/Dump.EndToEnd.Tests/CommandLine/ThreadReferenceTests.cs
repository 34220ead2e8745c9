using Dump.Cli.Options;
using Dump.EndToEnd.Tests.Verdicts;
using Dump.Model.Process;
using Dump.Testing.Fixtures;

namespace Dump.EndToEnd.Tests.CommandLine;

/// <summary>Threads on the command line as reports print them and debuggers name them; none is taken for another one.</summary>
public sealed class ThreadReferenceTests
{
    // Number 2 has the id that is the number of the last one; 0x10 is number 16 of nobody.
    private static readonly (int Number, uint Id)[] s_threads = [(0, 0x24), (1, 0xC8), (2, 3), (3, 0xCC), (4, 0x10), (5, 0xABC)];

    [Theory]
    [InlineData("1", 0xC8)]
    [InlineData("~1", 0xC8)]
    [InlineData("0xc8", 0xC8)]
    [InlineData("0XC8", 0xC8)]
    [InlineData("c8", 0xC8)]
    [InlineData("C8", 0xC8)]
    [InlineData("~~[c8]", 0xC8)]
    [InlineData("200", 0xC8)]
    [InlineData("abc", 0xABC)]
    [InlineData("16", 0x10)]
    [InlineData("10", 0x10)]
    [InlineData("24", 0x24)]
    [InlineData("36", 0x24)]
    [InlineData("~3", 0xCC)]
    [InlineData("0x3", 3)]
    [InlineData("2", 3)]
    public void A_thread_is_found_by_number_and_by_id(string text, uint id)
    {
        Assert.Equal(id, ThreadReference.Parse(text)!.Find(s_threads, OperatingSystemFamily.Windows, out string? problem));
        Assert.Null(problem);
    }

    [Theory]
    [InlineData("3", "'3' is the number of one thread and the id of another; give ~2 (0x3) or ~3 (0xcc)")]
    [InlineData("~9", "there is no thread ~9 in this dump; it has 6, ~0 (0x24) to ~5 (0xabc); dumpanalyze threads lists them")]
    [InlineData("0x1", "there is no thread 0x1 in this dump; it has 6, ~0 (0x24) to ~5 (0xabc); dumpanalyze threads lists them")]
    [InlineData("~~[1]", "there is no thread ~~[1] in this dump; it has 6, ~0 (0x24) to ~5 (0xabc); dumpanalyze threads lists them")]
    public void What_is_no_thread_or_two_is_said(string text, string expected)
    {
        Assert.Null(ThreadReference.Parse(text)!.Find(s_threads, OperatingSystemFamily.Windows, out string? problem));
        Assert.Equal(expected, problem);
    }

    [Theory]
    [InlineData("")]
    [InlineData("~")]
    [InlineData("~c8")]
    [InlineData("0x")]
    [InlineData("main")]
    [InlineData("-1")]
    [InlineData("0x100000000")]
    [InlineData("4294967296")]
    public void Other_words_are_refused(string text) => Assert.Null(ThreadReference.Parse(text));

    [Fact]
    public void A_dump_without_threads_says_so()
    {
        Assert.Null(ThreadReference.Parse("1")!.Find([], OperatingSystemFamily.Windows, out string? problem));
        Assert.Equal("there is no thread 1 in this dump, for it lists no threads", problem);
    }

    [Fact]
    public void The_program_takes_all_forms_for_the_same_thread()
    {
        string dump = Fixture.Named("loader-exit").Path;
        string[] outputs = [.. new[] { "1", "~1", "0xc8", "c8" }.Select(t => DumpAnalyze.Run("lockchain", dump, "--thread", t).Output)];
        Assert.Contains("thread 1 (0xc8)", outputs[0], StringComparison.Ordinal);
        Assert.Single(outputs.Distinct());
    }
}
