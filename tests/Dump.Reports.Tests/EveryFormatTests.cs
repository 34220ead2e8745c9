using System.Text.Json;
using System.Text.RegularExpressions;
using Dump.Analysis;
using Dump.Reports.Tests.Html;
using Dump.Reports.Tests.Scenes;
using Dump.Testing;

namespace Dump.Reports.Tests;

/// <summary>What holds for every scene, fixture and damaged file in every format, also where no golden file shows it.</summary>
public sealed partial class EveryFormatTests
{
    public static TheoryData<string> Names => [.. NamedScenes.All.Keys];

    [Theory]
    [MemberData(nameof(Names))]
    public void Json_follows_the_schema(string name)
    {
        Scene scene = NamedScenes.All[name]();
        Assert.All(
            [ReportTexts.ReportJson(scene), ReportTexts.ThreadsJson(scene), ReportTexts.TreeJson(scene), ReportTexts.ChainsJson(scene.Snapshot),
                ReportTexts.LocksJson(scene)],
            document => Assert.Empty(JsonSchemaCheck.Errors(document)));
    }

    /// <summary>Golden files leave out the detectors that found nothing; the program does not.</summary>
    [Theory]
    [MemberData(nameof(Names))]
    public void Json_lists_the_outcome_of_every_detector(string name)
    {
        using JsonDocument report = JsonDocument.Parse(ReportTexts.ReportJson(NamedScenes.All[name]()));
        string[] ids = [.. report.RootElement.Member("detectors").EnumerateArray().Select(o => o.Member("id").GetString()!)];
        Assert.Equal(name.Contains("detector-failed", StringComparison.Ordinal) ? ids : DetectorRegistry.Descriptors.Select(d => d.Id), ids);
    }

    [Theory]
    [MemberData(nameof(Names))]
    public void Page_is_well_formed(string name) => Assert.Empty(PageStructure.Errors(ReportTexts.Page(NamedScenes.All[name]())));

    [Fact]
    public void Page_of_a_folder_is_well_formed() =>
        Assert.Empty(PageStructure.Errors(ReportTexts.Text(output => Reports.Html.OverviewPage.Write(FolderScene.Make(), output))));

    [Theory]
    [MemberData(nameof(Names))]
    public void Every_text_is_plain(string name)
    {
        Scene scene = NamedScenes.All[name]();
        string[] texts = [ReportTexts.Report(scene), ReportTexts.ReportJson(scene), ReportTexts.Markup(scene, allStacks: true),
            PageStructure.WithoutAssets(ReportTexts.Page(scene))];
        Assert.All(texts, text =>
        {
            Assert.DoesNotMatch(Harmful(), text);
            Assert.DoesNotContain(Repository.Root, text, StringComparison.Ordinal);
        });
    }

    [Theory]
    [MemberData(nameof(Names))]
    public void A_suspicion_is_not_called_a_deadlock(string name)
    {
        Scene scene = NamedScenes.All[name]();
        foreach (string text in (string[])[ReportTexts.Report(scene), ReportTexts.Markup(scene, allStacks: false)])
        {
            string[] suspicions = [.. text.Split('\n').Where(l => l.Contains("(Suspected)", StringComparison.Ordinal)
                || l.Contains("[Suspected]", StringComparison.Ordinal))];
            Assert.All(suspicions, line => Assert.DoesNotContain("deadlock", line, StringComparison.OrdinalIgnoreCase));
        }
    }

    /// <summary>The checks of this class can fail.</summary>
    [Theory]
    [InlineData("<p><b>x</p></b>", "</p> ends <b>")]
    [InlineData("<p>x", "<p> is not ended")]
    [InlineData("</p>", "</p> ends nothing")]
    [InlineData("<a href=\"#x\">x</a>", "#x leads nowhere")]
    [InlineData("<p id=\"x\"></p><p id=\"x\"></p>", "x is an id twice")]
    public void Page_that_is_not_well_formed_is_found(string page, string error) => Assert.Contains(error, PageStructure.Errors(page));

    [GeneratedRegex(@"[\u0000-\u0009\u000b-\u001f\u007f-\u009f\u200b-\u200f\u2028-\u202e\u2066-\u2069]")]
    private static partial Regex Harmful();
}
