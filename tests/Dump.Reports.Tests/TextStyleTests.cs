using Dump.Reports.Tests.Scenes;

namespace Dump.Reports.Tests;

/// <summary>Emphasis changes nothing but how it looks.</summary>
public sealed class TextStyleTests
{
    [Fact]
    public void Marked_text_without_its_marks_is_the_plain_text()
    {
        foreach (Scene scene in (Scene[])[VerdictScenes.TwoVerdicts(), VerdictScenes.LoaderLockSuspected(), MissingDataScenes.OtherArchitecture(),
            MissingDataScenes.DetectorFailed()])
        {
            string marked = Text(scene, TextStyle.Markup);
            Assert.Contains(TextStyle.EmphasisStart, marked);
            Assert.Equal(Text(scene, TextStyle.Plain), System.Text.RegularExpressions.Regex.Replace(marked, "\u0001[bews]|\u0002", ""));
        }
    }

    [Fact]
    public void Every_emphasis_ends_on_its_line()
    {
        string[] lines = Text(VerdictScenes.TwoVerdicts(), TextStyle.Markup).Split('\n');
        Assert.All(lines, line => Assert.Equal(line.Count(c => c == TextStyle.EmphasisStart), line.Count(c => c == TextStyle.EmphasisEnd)));
    }

    private static string Text(Scene scene, TextStyle style)
    {
        using StringWriter text = new() { NewLine = "\n" };
        TextReport.Write(HangReports.Of(scene.Snapshot, scene.Result, allStacks: true), text, style);
        ChainsReport.Write(ListDocuments.Chains(
            scene.Snapshot, Analysis.WaitChains.Find(scene.Snapshot, null), Analysis.WaitTrees.Find(scene.Snapshot)), text, style);
        return text.ToString();
    }
}
