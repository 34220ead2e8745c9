using System.Text.RegularExpressions;
using Dump.Analysis;
using Dump.Model.Process;
using Dump.Model.Waits;
using Dump.Reports.Html;
using Dump.Reports.Tests.Scenes;

namespace Dump.Reports.Tests;

/// <summary>One fact has one name and one claim, whichever format or command tells it.</summary>
public sealed partial class OneVocabularyTests
{
    /// <summary>How sure it is who owns a lock must not depend on the format that is read.</summary>
    [Theory]
    [InlineData("scenes/loader-lock-suspected", "possibly held by thread")]
    [InlineData("fixtures/loader-exit", "most likely held by thread")]
    public void Text_and_page_claim_the_same_of_an_owner(string name, string expected)
    {
        Scene scene = NamedScenes.All[name]();
        string[] text = Owners(ReportTexts.Text(o => TextReport.Write(scene.Snapshot, scene.Result, o, TextStyle.Plain, allStacks: false)));
        string[] page = Owners(ReportTexts.Text(o => HangReportPage.Write(HangReports.Of(scene.Snapshot, scene.Result, allStacks: false), o)));
        Assert.NotEmpty(text);
        Assert.Equal(text, page);
        Assert.Contains(text, o => o.StartsWith(expected, StringComparison.Ordinal));
    }

    /// <summary>A lock of the system has its name wherever it is met.</summary>
    [Fact]
    public void System_lock_has_its_name_in_every_list()
    {
        ProcessSnapshot snapshot = VerdictScenes.HeadBlockerStuck().Snapshot;
        Resource section = snapshot.Waits.Select(w => w.Resource).First(r => r is { Kind: ResourceKind.CriticalSection, Identity: not 0 });
        snapshot = snapshot with { SystemLocks = snapshot.SystemLocks.Add(section, "the PEB lock") };
        string expected = $"waits for the PEB lock (critical section 0x{section.Identity:x})";
        Assert.Contains(expected, ReportTexts.Text(o => ThreadsReport.WriteText(snapshot, o, TextStyle.Plain)), StringComparison.Ordinal);
        Assert.Contains(expected, ReportTexts.Text(o => ChainsReport.WriteText(snapshot, WaitChains.Find(snapshot, null), o, TextStyle.Plain)), StringComparison.Ordinal);
        Assert.Contains(expected, ReportTexts.Text(o => TextReport.Write(snapshot, HangAnalysis.Run(snapshot), o, TextStyle.Plain, allStacks: false)), StringComparison.Ordinal);
    }

    private static string[] Owners(string text) => [.. OwnerOf().Matches(text).Select(m => m.Value).Distinct().Order(StringComparer.Ordinal)];

    [GeneratedRegex(@"\b(?:\w+ likely |perhaps |possibly )?(?:held|run|executed) by thread \d+")]
    private static partial Regex OwnerOf();
}
