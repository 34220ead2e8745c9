using System.Collections.Immutable;
using System.Text.RegularExpressions;
using Dump.Model.Merging;
using Dump.Model.Verdicts;
using Dump.Reports.Html;
using Dump.Reports.Tests.Scenes;

namespace Dump.Reports.Tests.Html;

/// <summary>Pages of reports whose texts want to become markup or script: the page has the same elements and attributes as with harmless text.</summary>
public sealed partial class HostilePageTests
{
    public static TheoryData<string> Texts =>
    [
        "<script>alert(1)</script>",
        "</script><script>alert(1)</script>",
        "--></style></title></textarea><img src=x onerror=alert(1)>",
        "\" onmouseover=\"alert(1)",
        "' onmouseover='alert(1)",
        "x` onmouseover=`alert(1)",
        "javascript:alert(1)",
        "data:text/html,<script>alert(1)</script>",
        "a\u2028alert(1)\u2029b",
        "\u202egnp.exe\u2066\u200b\ufeff",
        "<!--", "]]>", "&#60;script&#62;",
        "\u0000\u0001\u001b[2J",
    ];

    [Theory]
    [MemberData(nameof(Texts))]
    public void Page_of_a_dump_has_no_other_elements(string text) => Check(text, t => Page(output => HangReportPage.Write(HostileFolder.Report(t), output)));

    [Theory]
    [MemberData(nameof(Texts))]
    public void Page_of_a_folder_has_no_other_elements(string text) => Check(text, t => Page(output => OverviewPage.Write(HostileFolder.Overview(t), output)));

    [Theory]
    [MemberData(nameof(Texts))]
    public void Page_of_all_groups_has_no_other_elements(string text) => Check(text, t => Page(output => OverviewSearchPage.Write(Totals(t), output)));

    [Theory]
    [MemberData(nameof(Texts))]
    public void Name_of_the_file_with_all_groups_leads_nowhere_else(string text)
    {
        Check(text, t => Page(output => OverviewPage.Write(FolderScene.Make(), output, searchFile: t)));
        string page = Page(output => OverviewPage.Write(FolderScene.Make(), output, searchFile: text));
        string link = Links().Matches(page).Select(m => m.Groups[1].Value).Single(h => !h.StartsWith('#') && !h.StartsWith("http", StringComparison.Ordinal));
        Assert.DoesNotMatch("[:/<>\"']", link);
    }

    [Theory]
    [InlineData("javascript:alert(1)", false)]
    [InlineData("file:///etc/passwd", false)]
    [InlineData("//example.org/x", false)]
    [InlineData("JAVASCRIPT://example.org/%0aalert(1)", false)]
    [InlineData("https://example.org/note?a=1&b=\"2\"", true)]
    public void Only_public_addresses_become_links(string address, bool isLink)
    {
        TriageOverview overview = FolderScene.Make();
        TriageBucket bucket = overview.Hangs[0] with { KnownIssues = [new KnownIssue("Known", "Explained.", address)] };
        string page = Page(output => OverviewPage.Write(overview with { Hangs = [bucket] }, output));
        string[] links = [.. Links().Matches(page).Select(m => m.Groups[1].Value).Where(h => !h.StartsWith('#'))];
        Assert.Equal(isLink ? ["https://example.org/note?a=1&amp;b=%222%22"] : [], links);
    }

    /// <summary>The policy allows this style and this script alone; anything else that got in would not be loaded.</summary>
    [Fact]
    public void Page_loads_nothing_and_says_so()
    {
        string page = Page(output => OverviewPage.Write(FolderScene.Make(), output));
        Assert.Contains("default-src &#39;none&#39;; style-src &#39;sha256-", page, StringComparison.Ordinal);
        Assert.DoesNotContain("unsafe", page, StringComparison.Ordinal);
        Assert.DoesNotContain("@import", page, StringComparison.Ordinal);
        Assert.DoesNotContain("url(", page, StringComparison.Ordinal);
        Assert.DoesNotMatch("<(link|img|iframe|object|embed|base|audio|video)\\b", page);
        Assert.DoesNotMatch("\\s(src|srcset|style|on[a-z]+)=", PageStructure.WithoutAssets(page));
    }

    private static void Check(string text, Func<string, string> page)
    {
        string hostile = page(text);

        // Of the same length and with the same spaces, so that lines break at the same places.
        string harmless = page(new string([.. text.Select(c => c == ' ' ? ' ' : 'a')]));
        Assert.Equal(PageStructure.Of(harmless), PageStructure.Of(hostile));
        Assert.DoesNotMatch(Harmful(), hostile);
        Assert.DoesNotContain("alert", string.Concat(Tags().Matches(hostile).Select(t => t.Value)), StringComparison.Ordinal);
    }

    private static TriageTotals Totals(string text) => new()
    {
        Dumps = 2, Answers = ImmutableDictionary<string, int>.Empty, Hangs = 1, Others = 1, Modules = 0,
        Buckets = [new BucketLine(text, text, text, 1, null, DateTime.UnixEpoch), new BucketLine("v4-0", null, text, 1, null, null)],
    };

    private static string Page(Action<TextWriter> write)
    {
        using StringWriter text = new() { NewLine = "\n" };
        write(text);
        return text.ToString();
    }

    [GeneratedRegex(@"[\u0000-\u0009\u000b-\u001f\u007f-\u009f\u200b-\u200f\u2028-\u202e\u2066-\u2069\ufeff]")]
    private static partial Regex Harmful();

    // What a browser takes for the name of an element and of its attributes, values left out.
    [GeneratedRegex("<[a-zA-Z/!][^>\"']*")]
    private static partial Regex Tags();

    [GeneratedRegex("href=\"([^\"]*)\"")]
    private static partial Regex Links();
}
