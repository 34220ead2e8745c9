using System.Net;
using System.Text.RegularExpressions;
using Dump.Analysis;
using Dump.Model.Process;
using Dump.Model.Waits;
using Dump.Model.Wording;
using Dump.Reports.Html;
using Dump.Reports.Merging;
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
        string[] text = Owners(ReportTexts.Report(scene));
        string[] page = Owners(ReportTexts.Page(scene));
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
        string expected = $" for the PEB lock (critical section 0x{section.Identity:x})";
        Scene scene = new(snapshot, HangAnalysis.Run(snapshot));
        Assert.Contains(expected, ReportTexts.Threads(scene), StringComparison.Ordinal);
        Assert.Contains(expected, ReportTexts.Chains(snapshot, null), StringComparison.Ordinal);
        Assert.Contains(expected, ReportTexts.Report(scene), StringComparison.Ordinal);
        Assert.Contains(expected, ReportTexts.Page(scene), StringComparison.Ordinal);
    }

    /// <summary>
    /// Whatever the text says of a verdict, or of there being none, the page says in the same words; the markup is the text with links.
    /// Left out are the layout's own: the head, headings with confidences, frames with their stack pointers.
    /// </summary>
    [Theory]
    [MemberData(nameof(Names))]
    public void Page_and_markup_have_every_sentence_of_the_text(string name)
    {
        Scene scene = NamedScenes.All[name]();
        string[] sentences = Sentences(ReportTexts.Report(scene));
        string page = Words(Unescaped(ReportTexts.Page(scene)));
        string markup = Words(Unescaped(ReportTexts.Markup(scene, allStacks: false)));
        Assert.NotEmpty(sentences);
        Assert.All(sentences, s => Assert.Contains(s, page, StringComparison.Ordinal));
        Assert.All(sentences, s => Assert.Contains(s, markup, StringComparison.Ordinal));
    }

    /// <summary>A folder's page has the headings of its text, and says what is missing in the same words.</summary>
    [Fact]
    public void Page_of_a_folder_has_every_heading_of_its_text()
    {
        string text = ReportTexts.Text(output => OverviewText.Write(FolderScene.Make(), output, TextStyle.Plain));
        string page = Words(Unescaped(ReportTexts.Text(output => OverviewPage.Write(FolderScene.Make(), output))));
        string[] headings =
            [.. text.Split("\n\n").Skip(1).Select(part => part.Split('\n')[0]).Where(l => !char.IsAsciiDigit(l[0])).Select(l => l.Split(',')[0])];
        Assert.Equal(5, headings.Length);
        Assert.All(headings, h => Assert.Contains(h, page, StringComparison.Ordinal));
        string[] lacks = [.. FolderScene.Make().Undecided.Select(u => MissingWords.Line(u.Missing))];
        Assert.NotEmpty(lacks);
        Assert.All(lacks, lack => Assert.Contains(lack, page, StringComparison.Ordinal));
        Assert.All(lacks, lack => Assert.Contains(lack, text, StringComparison.Ordinal));
    }

    /// <summary>The caveats of "nothing found" belong to it in every format.</summary>
    [Fact]
    public void Page_says_what_is_not_judged()
    {
        Scene scene = MissingDataScenes.NothingFound();
        Scene linux = scene with { Snapshot = scene.Snapshot with { System = scene.Snapshot.System with { Family = OperatingSystemFamily.Linux } } };
        Assert.All(new[] { scene, linux }, s => Assert.Contains("are not judged: nothing owns them.", ReportTexts.Page(s), StringComparison.Ordinal));
        Assert.Contains("locks of native Linux code", ReportTexts.Page(linux), StringComparison.Ordinal);
    }

    public static TheoryData<string> Names => [.. NamedScenes.All.Keys];

    /// <summary>The lines below the head without what the layout adds to them.</summary>
    private static string[] Sentences(string text) =>
    [
        .. text[(text.IndexOf("\n\n", StringComparison.Ordinal) + 2)..].Split('\n')
            .Where(l => l.Trim().Length > 0 && !Frame().IsMatch(l) && !Heading().IsMatch(l))
            .Select(l => Words(Layout().Replace(l, ""))),
    ];

    private static string Unescaped(string markup) => WebUtility.HtmlDecode(Tags().Replace(Inline().Replace(markup, ""), "\n"));

    private static string Words(string text) => Blanks().Replace(text, " ").Trim();

    private static string[] Owners(string text) => [.. OwnerOf().Matches(text).Select(m => m.Value).Distinct().Order(StringComparer.Ordinal)];

    [GeneratedRegex(@"^ +\d+  [0-9a-f]{12}  ")]
    private static partial Regex Frame();

    [GeneratedRegex(@"^DUMP\d{4} .* \((Confirmed|Likely|Suspected)\)$")]
    private static partial Regex Heading();

    /// <summary>Marks of list entries, the confidence behind a claim, the parentheses around notes on frames.</summary>
    [GeneratedRegex(@"^ +- | \[(Confirmed|Likely|Suspected)\]$|^ {6,}\(|(?<=^ {6,}\(.*)\)$")]
    private static partial Regex Layout();

    [GeneratedRegex("</?(?:b|strong|code|span|link|col)\\b[^>]*>")]
    private static partial Regex Inline();

    [GeneratedRegex("<[^>]*>")]
    private static partial Regex Tags();

    [GeneratedRegex(@"\s+")]
    private static partial Regex Blanks();

    [GeneratedRegex(@"\b(?:\w+ likely |perhaps |possibly )?(?:held|run|executed) by thread \d+")]
    private static partial Regex OwnerOf();
}
