using Dump.Cli.Output;
using Dump.Reports;

namespace Dump.EndToEnd.Tests.CommandLine;

/// <summary>What a terminal gets for the marks of a report.</summary>
public sealed class EmphasisTests
{
    // Parameters of "SGR" in ECMA-48: 0 default rendition, 1 bold, 2 faint, 31 red, 33 yellow.
    [Theory]
    [InlineData("plain", "plain")]
    [InlineData("\u0001ba heading\u0002 goes on", "\u001b[1ma heading\u001b[0m goes on")]
    [InlineData("\u0001ealarm\u0002", "\u001b[1;31malarm\u001b[0m")]
    [InlineData("\u0001wwarning\u0002", "\u001b[33mwarning\u001b[0m")]
    [InlineData("\u0001sfaint\u0002", "\u001b[2mfaint\u001b[0m")]
    [InlineData("\u0001wone \u0001stwo\u0002 three\u0002 four", "\u001b[33mone \u001b[2mtwo\u001b[0m\u001b[33m three\u001b[0m four")]
    [InlineData("none to end\u0002", "none to end\u001b[0m")]
    [InlineData("\u0001", "")]
    public void Marks_become_sequences(string marked, string expected)
    {
        using StringWriter output = new();
        using (EmphasisWriter writer = new(output))
        {
            writer.Write(marked);
            writer.Flush();
        }

        Assert.Equal(expected, output.ToString());
        Assert.Equal("\u0001sx\u0002", TextStyle.Markup.Faint("x"));
    }
}
