using Dump.Model.Merging;
using Dump.Reports.Html;
using Dump.Reports.Tests.Scenes;

namespace Dump.Reports.Tests.Html;

/// <summary>The headline of a folder without a verdict: only dumps that were looked at with all data have "no finding".</summary>
public sealed class OverviewHeadlineTests
{
    [Theory]
    [InlineData(1, 0, 0, 0, "No finding in 1 dump")]
    [InlineData(0, 1, 2, 0, "No verdict: 1 cannot be decided, 2 failed")]
    [InlineData(2, 0, 1, 0, "No verdict: 2 nothing found, 1 failed")]
    [InlineData(2, 0, 0, 1, "No finding in 2 dumps; dumps may be missing")]
    public void Headline_says_what_is_behind_it(int sound, int undecidable, int failed, int passedOver, string expected)
    {
        TriageOverview all = FolderScene.Make();
        TriageOverview overview = all with
        {
            Hangs = [],
            Records =
            [
                .. Enumerable.Repeat(all.Records.Single(r => r.Report is { IsUndecidable: false, Verdicts.IsEmpty: true }), sound),
                .. Enumerable.Repeat(all.Records.Single(r => r.Report is { IsUndecidable: true }), undecidable), .. all.Failed.Take(failed),
            ],
            Failed = [.. all.Failed.Take(failed)],
            PassedOver = [.. all.PassedOver.Take(passedOver)],
        };
        using StringWriter page = new();
        OverviewPage.Write(overview, page);
        Assert.Contains($"<h1>{expected}</h1>", page.ToString(), StringComparison.Ordinal);
    }
}
