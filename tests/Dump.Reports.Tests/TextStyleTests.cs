using Dump.Reports.Tests.Scenes;

namespace Dump.Reports.Tests;

/// <summary>Colours change nothing but colours.</summary>
public sealed class TextStyleTests
{
    [Fact]
    public void Coloured_text_without_its_escape_sequences_is_the_plain_text()
    {
        foreach (Scene scene in (Scene[])[VerdictScenes.TwoVerdicts(), VerdictScenes.LoaderLockSuspected(), MissingDataScenes.OtherArchitecture(),
            MissingDataScenes.DetectorFailed()])
        {
            string coloured = Text(scene, new TextStyle(true));
            Assert.Contains("\u001b[", coloured, StringComparison.Ordinal);
            Assert.Equal(Text(scene, TextStyle.Plain), System.Text.RegularExpressions.Regex.Replace(coloured, "\u001b\\[[0-9;]*m", ""));
        }
    }

    [Fact]
    public void Every_colour_ends_on_its_line()
    {
        string[] lines = Text(VerdictScenes.TwoVerdicts(), new TextStyle(true)).Split('\n');
        Assert.All(lines, line => Assert.True(!line.Contains('\u001b', StringComparison.Ordinal)
            || line.LastIndexOf("\u001b[", StringComparison.Ordinal) == line.LastIndexOf("\u001b[0m", StringComparison.Ordinal), line));
    }

    private static string Text(Scene scene, TextStyle style)
    {
        using StringWriter text = new() { NewLine = "\n" };
        TextReport.Write(HangReports.Of(scene.Snapshot, scene.Result, allStacks: true), text, style);
        ChainsReport.Write(ListDocuments.Chains(scene.Snapshot, Analysis.WaitChains.Find(scene.Snapshot, null)), text, style);
        return text.ToString();
    }
}
