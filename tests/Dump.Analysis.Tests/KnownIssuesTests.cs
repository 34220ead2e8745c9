using System.Collections.Immutable;
using Dump.Analysis.Merging;
using Dump.Analysis.Rules;
using Dump.Model.Facts;
using Dump.Model.Process;
using Dump.Model.Reported;

namespace Dump.Analysis.Tests;

/// <summary>Notes on hangs: each built-in entry fits its example and no neighbour of it.</summary>
public sealed class KnownIssuesTests
{
    public static TheoryData<string> Ids => [.. KnownIssues.Default.All.Select(r => r.Id)];

    [Theory]
    [MemberData(nameof(Ids))]
    public void Entry_fits_its_example_and_nothing_beside_it(string id)
    {
        KnownIssueRule rule = KnownIssues.Default.All.Single(r => r.Id == id);
        HangReport example = Example(rule);
        Assert.True(Fits(rule, example));
        Assert.Contains(rule.Issue, KnownIssues.Default.Of(example, example.Verdicts[0]));
        Assert.False(Fits(rule, WithDetector(example, "DUMP9001")));
        for (int i = 0; i < rule.Frames.Length; i++)
        {
            Assert.False(Fits(rule, WithFrame(example, i, f => f with { Trust = FrameTrust.Scan })), "a guessed frame");
            if (!rule.Frames[i].Functions.IsEmpty)
            {
                Assert.False(Fits(rule, WithFrame(example, i, f => f with { Function = f.Function + "2" })), "another function");
                Assert.False(Fits(rule, WithFrame(example, i, f => f with { Function = f.Function!.ToUpperInvariant() })), "other letters");
            }

            if (!rule.Frames[i].Modules.IsEmpty)
            {
                Assert.False(Fits(rule, WithFrame(example, i, f => f with { Module = "x" + f.Module })), "another module");
            }
        }

        if (rule is { SameThread: true, Frames.Length: > 1 })
        {
            Assert.False(Fits(rule, OnTwoThreads(example)), "two threads");
        }

        if (rule.Versions is { } versions)
        {
            Assert.False(Fits(rule, example with { Modules = [] }), "version unknown");
            Assert.False(Fits(rule, example with { Modules = [new ReportedModule(versions.Module + ".dll", versions.Before, null, null)] }),
                "version with the fix");
        }
    }

    [Fact]
    public void Every_built_in_entry_has_an_address_and_no_other_entrys_example_fits_it()
    {
        Assert.All(KnownIssues.Default.All, r => Assert.StartsWith("https://", r.Issue.Reference, StringComparison.Ordinal));
        Assert.All(KnownIssues.Default.All, r => Assert.Single(KnownIssues.Default.All.Where(other => Fits(other, Example(r)))));
    }

    [Theory]
    [InlineData("9.0.325.11113", true)]
    [InlineData("9.0.0", true)]
    [InlineData("9,0,425,16305 @Commit: abc", true)]
    [InlineData("9.0.525.21509", false)]
    [InlineData("8.0.1425.11118", false)]
    [InlineData("10.0.25", false)]
    [InlineData("nine", false)]
    [InlineData(null, false)]
    public void Versions_are_compared_by_number(string? version, bool expected) =>
        Assert.Equal(expected, new KnownIssueVersions("coreclr", "9.0", "9.0.525").Contains(version));

    [Fact]
    public void Entries_of_a_file_are_added_and_replace_those_with_the_same_id()
    {
        KnownIssues issues = KnownIssues.Default.With("""
            {"schema":"known-issues/1","issues":[
              {"id":"mkl-first-call","title":"Ours","explanation":"We know.","detectors":["DUMP1001"]},
              {"id":"shop","title":"Shop","explanation":"Known.","reference":"https://example.org/1","detectors":["DUMP1002"],"frames":[{"modules":["Shop.dll"]}]}]}
            """);
        Assert.Equal("Ours", issues.All.Single(r => r.Id == "mkl-first-call").Issue.Title);
        Assert.Equal(KnownIssues.Default.All.Length + 1, issues.All.Length);
        Assert.Equal(["shop"], issues.All.Single(r => r.Id == "shop").Frames[0].Modules.ToArray());
    }

    [Theory]
    [InlineData("", "not JSON")]
    [InlineData("[]", "schema")]
    [InlineData("""{"schema":"known-issues/2","issues":[]}""", "schema")]
    [InlineData("""{"schema":"known-issues/1"}""", "issues")]
    [InlineData("""{"schema":"known-issues/1","issues":[7]}""", "entry 1")]
    [InlineData("""{"schema":"known-issues/1","issues":[{"\ud800":"a"}]}""", "not Unicode")]
    [InlineData("""{"schema":"known-issues/1","issues":[{"id":"\udc00","title":"t","explanation":"e","detectors":["DUMP1001"]}]}""", "not Unicode")]
    [InlineData("""{"schema":"known-issues/1","\ud800":7}""", "not Unicode")]
    [InlineData("""{"schema":"known-issues/1","issues":[{"id":"a"}]}""", "detectors")]
    [InlineData("""{"schema":"known-issues/1","issues":[{"id":"a","title":"t","explanation":"e","detectors":["DUMP7777"]}]}""", "detectors")]
    [InlineData("""{"schema":"known-issues/1","issues":[{"id":"a","title":"t","explanation":"e","detectors":["DUMP1001"],"colour":1}]}""", "colour")]
    [InlineData("""{"schema":"known-issues/1","issues":[{"id":"a","title":"t","explanation":"e","detectors":["DUMP1001"],"reference":"javascript:alert(1)"}]}""", "reference")]
    [InlineData("""{"schema":"known-issues/1","issues":[{"id":"a","title":"t","explanation":"e","detectors":["DUMP1001"],"frames":[{}]}]}""", "neither")]
    [InlineData("""{"schema":"known-issues/1","issues":[{"id":"a","title":"t","explanation":"e","detectors":["DUMP1001"],"versions":{"module":"a.dll","from":"new"}}]}""", "version")]
    [InlineData("""{"schema":"known-issues/1","issues":[{"id":"a","title":"t","explanation":"e","detectors":["DUMP1001"]},{"id":"a","title":"t","explanation":"e","detectors":["DUMP1001"]}]}""", "twice")]
    public void Wrong_file_is_an_error_that_names_the_entry(string text, string expected) =>
        Assert.Contains(expected, Assert.Throws<InvalidRulesException>(() => KnownIssues.Default.With(text)).Message, StringComparison.Ordinal);

    private static bool Fits(KnownIssueRule rule, HangReport report) => rule.Fits(report, report.Verdicts[0]);

    /// <summary>A verdict of the first detector with one frame for each that the entry asks for.</summary>
    private static HangReport Example(KnownIssueRule rule) => new()
    {
        Source = new ReportedSource("a.dmp", "test", null, null, null),
        Verdicts =
        [
            new ReportedVerdict
            {
                DetectorId = rule.Detectors[0],
                Title = "A hang",
                Confidence = Confidence.Likely,
                Stacks = [new ReportedStack(1, null, [.. rule.Frames.Select(Frame)])],
            },
        ],
        Modules = rule.Versions is { } versions ? [new ReportedModule(versions.Module + ".dll", versions.From, null, null)] : [],
    };

    private static ReportedFrame Frame(KnownIssueFrame frame, int index) => new(
        index,
        frame.Modules.IsEmpty ? "some.dll" : frame.Modules[0] == "windows" ? "ntdll.dll" : frame.Modules[0] + ".dll",
        frame.Functions.IsEmpty ? "Some" : frame.Functions[0],
        0, 0, FrameTrust.UnwindInfo);

    private static HangReport WithDetector(HangReport report, string id) => report with { Verdicts = [report.Verdicts[0] with { DetectorId = id }] };

    private static HangReport WithFrame(HangReport report, int index, Func<ReportedFrame, ReportedFrame> change) => WithStacks(
        report, [report.Verdicts[0].Stacks[0] with { Frames = report.Verdicts[0].Stacks[0]
            .Frames.SetItem(index, change(report.Verdicts[0].Stacks[0].Frames[index])) }]);

    private static HangReport OnTwoThreads(HangReport report) => WithStacks(report,
        [.. report.Verdicts[0].Stacks[0].Frames.Select((f, i) => new ReportedStack((uint)i + 1, null, [f]))]);

    private static HangReport WithStacks(HangReport report, ImmutableArray<ReportedStack> stacks) =>
        report with { Verdicts = [report.Verdicts[0] with { Stacks = stacks }] };
}
