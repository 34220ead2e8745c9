using System.Text.RegularExpressions;
using Dump.Model.Reported;
using Dump.Model.Waits;
using Dump.Model.Wording;
using Dump.Reports.Html;
using Dump.Reports.Tests.Scenes;

namespace Dump.Reports.Tests.Html;

/// <summary>A page shows as much of a long cycle as the text does, and says what it leaves out.</summary>
public sealed class LongCyclePageTests
{
    private const string Start = "kernel32!BaseThreadInitThunk+0x14 ntdll!RtlUserThreadStart+0x21";

    private static string Page(int threads)
    {
        SceneBuilder scene = new();
        for (uint i = 0; i < threads; i++)
        {
            Resource own = SceneBuilder.Section(0x2A0_1000 + (i * 0x100)), next = SceneBuilder.Section(0x2A0_1000 + (((i + 1) % (uint)threads) * 0x100));
            scene.Waiting(0x100 + (i * 4), $"server!Work+0x41 {Start}").Own(own, 0x100 + (i * 4)).Wait(0x100 + (i * 4), next);
        }

        Scene judged = scene.Judged();
        HangReport report = HangReports.Of(judged.Snapshot, judged.Result, allStacks: false);
        using StringWriter output = new();
        HangReportPage.Write(report, output);
        return output.ToString();
    }

    [Fact]
    public void Long_cycle_is_cut_and_what_is_left_out_is_counted()
    {
        string page = Page(101);
        Assert.Equal(ReportWords.MostStacks, Regex.Count(page, "<figure class=\"stack\">"));
        Assert.Contains("90 more sentences; --format json has all of them", page, StringComparison.Ordinal);
        Assert.Contains("81 more links; --format json has all of them", page, StringComparison.Ordinal);
        Assert.Contains("91 more stacks; --format json has all of them", page, StringComparison.Ordinal);
    }

    [Fact]
    public void Short_cycle_is_whole() => Assert.DoesNotContain("--format json has all of them", Page(5), StringComparison.Ordinal);
}
