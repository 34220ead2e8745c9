using System.Text.Json;
using Dump.Model.Merging;
using Dump.Reports.Html;
using Dump.Reports.Merging;
using Dump.Reports.Tests.Scenes;
using Dump.Testing;

namespace Dump.Reports.Tests.Triage;

/// <summary>A crash among hangs is counted as a crash in every total, never as a hang.</summary>
public sealed class CrashTotalsTests
{
    private static readonly TriageOverview s_overview = Make();

    [Fact]
    public void Json_counts_every_dump_once()
    {
        using MemoryStream output = new();
        OverviewJson.Write(s_overview, output);
        JsonElement totals = JsonDocument.Parse(output.ToArray()).RootElement.Member("totals");
        (string Name, int Count)[] expected = [("confirmed", 0), ("likely", 1), ("suspected", 0), ("crashed", 2), ("nothingFound", 0), ("undecidable", 0), ("failed", 0)];
        Assert.All(expected, e => Assert.Equal(e, (e.Name, totals.Member(e.Name).GetInt32())));
        Assert.Equal(3, totals.Member("dumps").GetInt32());
    }

    [Fact]
    public void Page_counts_them_beside_the_hangs()
    {
        using StringWriter page = new();
        OverviewPage.Write(s_overview, page);
        Assert.Contains("""<li class="likely"><b>1</b> likely</li>""", page.ToString(), StringComparison.Ordinal);
        Assert.Contains("""<li class="crashed"><b>2</b> crashed</li>""", page.ToString(), StringComparison.Ordinal);
    }

    [Fact]
    public void Text_tells_hangs_from_places_where_programs_crashed()
    {
        using StringWriter text = new();
        OverviewText.Write(s_overview, text, TextStyle.Plain);
        Assert.StartsWith("3 dumps, 3 with a verdict (1 different hang, 1 place where programs crashed), 0 in which", text.ToString(), StringComparison.Ordinal);
    }

    private static TriageOverview Make()
    {
        TriageRecord[] crashes = [FolderScene.Found(1, "a.dmp", "crash", 0, null), FolderScene.Found(2, "b.dmp", "crash", 0, null)];
        TriageRecord[] hang = [FolderScene.Found(3, "c.dmp", "load-ownership-likely", 0, null)];
        return new TriageOverview
        {
            Records = [.. crashes, .. hang],
            Hangs = [FolderScene.Bucket(hang, "hang", [], []), FolderScene.Bucket(crashes, "crash", [], [])],
        };
    }
}
