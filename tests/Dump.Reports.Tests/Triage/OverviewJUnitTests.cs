using System.Xml.Linq;
using Dump.Model;
using Dump.Model.Triage;
using Dump.Reports.Tests.Scenes;
using Dump.Reports.Triage;

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
        Assert.Equal((7, 2, 2, 1), ((int)suite.Attribute("tests")!, (int)suite.Attribute("failures")!, (int)suite.Attribute("errors")!, (int)suite.Attribute("skipped")!));
        Assert.Equal((7, 2, 1), (cases.Length, cases.Count(c => c.Element("error") is not null), cases.Count(c => c.Element("skipped") is not null)));
        Assert.Contains("procdump", (string)cases.Single(c => c.Element("skipped") is not null).Element("skipped")!.Attribute("message")!, StringComparison.Ordinal);
        Assert.Contains(cases, c => (string?)c.Element("error")?.Attribute("message") == "it took longer than 60 s");
        Assert.Contains(cases, c => !c.HasElements && (string)c.Attribute("name")! == "1 dump");
        Assert.Equal(cases.Length, cases.Select(c => ((string)c.Attribute("classname")!, (string)c.Attribute("name")!)).Distinct().Count());
    }

    [Fact]
    public void Characters_that_xml_forbids_are_replaced()
    {
        XElement suite = Suite(HostileFolder.Overview("a\u0001\uffff\ufffe\ud800]]><x attribute=\"1\">&amp;\u001b"), Confidence.Suspected);
        string message = (string)suite.Elements("testcase").Select(c => c.Element("error")).OfType<XElement>().Single().Attribute("message")!;
        Assert.Equal("a????]]><x attribute=\"1\">&amp;?", message);
    }

    private static XElement Suite(TriageOverview overview, Confidence failOn)
    {
        using MemoryStream bytes = new();
        OverviewJUnit.Write(overview, failOn, bytes);
        bytes.Position = 0;
        return XDocument.Load(bytes).Root!.Element("testsuite")!;
    }
}
