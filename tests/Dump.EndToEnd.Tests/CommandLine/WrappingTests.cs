using Dump.Cli.Output;
using Dump.EndToEnd.Tests.Verdicts;
using Dump.Testing.Fixtures;

namespace Dump.EndToEnd.Tests.CommandLine;

/// <summary>On a terminal lines end between words, and what follows stands below what it belongs to; files and pipes get lines as they are.</summary>
public sealed class WrappingTests
{
    [Theory]
    [InlineData("one two three", "one two three\n")]
    [InlineData("one two three four five", "one two three four\nfive\n")]
    [InlineData("  one two three four five six", "  one two three four\n    five six\n")]
    [InlineData("- one two three four five six", "- one two three four\n  five six\n")]
    [InlineData("a/path/without/any/space/in/it", "a/path/without/any/space/in/it\n")]
    [InlineData("to a/path/without/any/space/in/it and on", "to\na/path/without/any/space/in/it\nand on\n")]
    [InlineData("              deep inside here", "              deep\ninside here\n")]
    [InlineData("\u0001eone two three four\u0002 five", "\u0001eone two three four\u0002\nfive\n")]
    [InlineData("", "\n")]
    public void Lines_end_between_words(string line, string expected)
    {
        using StringWriter output = new();
        using (WrappingWriter writer = new(output, 20))
        {
            writer.WriteLine(line);
        }

        Assert.Equal(expected, output.ToString());
    }

    [Fact]
    public void Text_in_pieces_is_the_same_line()
    {
        using StringWriter output = new();
        using WrappingWriter writer = new(output, 20) { NewLine = "\n" };
        writer.Write("one two ");
        writer.Write("three four");
        writer.WriteLine(" five");
        writer.Write("six\nseven");
        writer.Flush();
        Assert.Equal("one two three four\nfive\nsix\nseven", output.ToString());
    }

    // Progress, which a slow run shows, stands on the line that it writes anew, and is no line of the answer.
    [SkippableTheory]
    [InlineData("$0 '$1' --no-color 2> /dev/null")]
    [InlineData("$0 --help")]
    [InlineData("$0 explain DUMP1002 --no-color")]
    [InlineData("$0 nowhere-to-be-found.dmp --no-color")]
    public void No_line_is_wider_than_the_terminal(string command)
    {
        Skip.IfNot(File.Exists("/usr/bin/script"), "no script tool to make a terminal");
        const int Columns = 60;
        string shell = $"script -qec \"stty cols {Columns}; {command}\" /dev/null";
        string output = DumpAnalyze.RunInShell(shell, Fixture.Named("loader-exit").Path, ("TERM", "xterm")).Output;

        // The runtime prepares a terminal for reading keys when signals are asked for.
        output = output.Replace("\u001b[?1h\u001b=", "", StringComparison.Ordinal);
        Assert.DoesNotContain('\u001b', output);
        string[] lines = [.. output.ReplaceLineEndings("\n").Split('\n').Select(l => l.TrimEnd('\r', ' '))];
        Assert.True(lines.Length > 2, output);
        Assert.All(lines.Where(l => l.TrimStart().Contains(' ', StringComparison.Ordinal)), l => Assert.InRange(l.Length, 0, Columns));
    }
}
