using System.Xml.Linq;
using Dump.Model.Facts;
using Dump.Model.Merging;
using Dump.Reports.Merging;
using Dump.Reports.Tests.Scenes;

namespace Dump.Reports.Tests.Triage;

/// <summary>What a build server makes of a folder: which cases fail, are skipped, are errors.</summary>
public sealed class OverviewJUnitTests
{
    [Theory]
    [InlineData(Confidence.Confirmed, 1)]
    [InlineData(Confidence.Likely, 2)]
    [InlineData(Confidence.Suspected, 3)]
    public void Groups_fail_from_the_given_confidence_on(Confidence failOn, int failures)
    {
        XElement suite = Suite(FolderScene.Make(), failOn);
        Assert.Equal(failures, suite.Elements("testcase").Count(c => c.Element("failure") is not null));
        Assert.Equal(failures, (int)suite.Attribute("failures")!);
        Assert.Equal(failures, (int)suite.Parent!.Attribute("failures")!);
        Assert.Equal(3 - failures, suite.Elements("testcase").Count(c => c.Element("system-out") is not null));
    }

    [Fact]
    public void What_cannot_be_decided_is_skipped_and_what_failed_is_an_error_and_the_numbers_agree()
    {
        XElement suite = Suite(FolderScene.Make(), Confidence.Likely);
        XElement[] cases = [.. suite.Elements("testcase")];
        Assert.Equal((11, 2, 6, 1), ((int)suite.Attribute("tests")!, (int)suite.Attribute("failures")!, (int)suite.Attribute("errors")!,
            (int)suite.Attribute("skipped")!));
        Assert.Equal((11, 6, 1), (cases.Length, cases.Count(c => c.Element("error") is not null), cases.Count(c => c.Element("skipped") is not null)));
        Assert.Contains("procdump", (string)cases.Single(c => c.Element("skipped") is not null).Element("skipped")!.Attribute("message")!,
            StringComparison.Ordinal);
        Assert.Contains(cases, c => (string?)c.Element("error")?.Attribute("message") == "it took longer than 60 s");
        Assert.Contains(cases, c => !c.HasElements && (string)c.Attribute("name")! == "1 dump");
        Assert.Equal(cases.Length, cases.Select(c => ((string)c.Attribute("classname")!, (string)c.Attribute("name")!)).Distinct().Count());
    }

    [Fact]
    public void All_of_which_nothing_is_known_is_an_error_also_when_nothing_was_found()
    {
        TriageOverview overview = FolderScene.Make();
        XElement suite = Suite(new TriageOverview { Records = [], PassedOver = overview.PassedOver }, Confidence.Likely);
        Assert.Equal(["run not ended", "part missing", "record damaged", "not looked at"], suite.Elements("testcase")
            .Select(c => ((string)c.Attribute("classname")!)["dumpanalyze.".Length..]));
        Assert.Equal(overview.PassedOver.Select(g => (g.Path, g.Message)), suite.Elements("testcase")
            .Select(c => ((string)c.Attribute("name")!, (string)c.Element("error")!.Attribute("message")!)));
        Assert.Equal(("4", "4"), ((string)suite.Attribute("errors")!, (string)suite.Parent!.Attribute("errors")!));
    }

    [Fact]
    public void Two_lacks_of_one_place_are_one_case()
    {
        TriageGap gap = new(TriageGapKind.NotLookedAt, "a.zip!x", "it is cut");
        XElement suite = Suite(new TriageOverview { Records = [], PassedOver =
            [gap, gap with { Message = "it is damaged" }, gap with { Kind = TriageGapKind.RecordDamaged }] }, Confidence.Likely);
        Assert.Equal(["it is cut; it is damaged", "it is cut"], suite.Elements("testcase").Select(c => (string)c.Element("error")!.Attribute("message")!));
        Assert.Equal((2, 2), ((int)suite.Attribute("tests")!, (int)suite.Attribute("errors")!));
    }

    [Theory]
    [InlineData(Confidence.Suspected, 0)]
    [InlineData(Confidence.Likely, 1)]
    public void What_does_not_count_is_skipped_too_where_data_are_missing(Confidence failOn, int skipped)
    {
        XElement suite = Suite(OpenFolder.Make(), failOn);
        Assert.Equal(skipped, suite.Elements("testcase").Count(c => c.Element("skipped") is not null));
        Assert.Equal(skipped, (int)suite.Attribute("skipped")!);
    }

    [Fact]
    public void Characters_that_xml_forbids_are_replaced()
    {
        XElement suite = Suite(HostileFolder.Overview("a\u0001\uffff\ufffe\ud800]]><x attribute=\"1\">&amp;\u001b"), Confidence.Suspected);
        string[] messages = [.. suite.Elements("testcase").Select(c => (string?)c.Element("error")?.Attribute("message")).OfType<string>()];
        Assert.Equal(5, messages.Length);
        Assert.All(messages, m => Assert.Equal("a????]]><x attribute=\"1\">&amp;?", m));
    }

    private static XElement Suite(TriageOverview overview, Confidence failOn)
    {
        using MemoryStream bytes = new();
        OverviewJUnit.Write(overview, failOn, bytes);
        bytes.Position = 0;
        return XDocument.Load(bytes).Root!.Element("testsuite")!;
    }
}
