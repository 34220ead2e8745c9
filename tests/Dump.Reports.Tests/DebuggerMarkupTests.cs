using System.Text.RegularExpressions;
using Dump.Model.Process;
using Dump.Reports.Tests.Scenes;

namespace Dump.Reports.Tests;

/// <summary>Debugger markup is the plain text with links, and nothing in a dump becomes markup.</summary>
public sealed partial class DebuggerMarkupTests
{
    public static TheoryData<string> Names => [.. NamedScenes.All.Keys];

    [Theory]
    [MemberData(nameof(Names))]
    public void Markup_without_its_tags_and_added_links_is_the_plain_text(string name)
    {
        Scene scene = NamedScenes.All[name]();
        string markup = ReportTexts.Markup(scene, allStacks: true);
        Assert.Contains("<b>", markup, StringComparison.Ordinal);
        string text = Tags().Replace(markup.Replace(">[whole stack]<", "><", StringComparison.Ordinal), "");
        string plain = text.Replace("&lt;", "<", StringComparison.Ordinal).Replace("&gt;", ">", StringComparison.Ordinal)
            .Replace("&quot;", "\"", StringComparison.Ordinal).Replace("&amp;", "&", StringComparison.Ordinal);
        Assert.Equal(
            ReportTexts.Text(output => TextReport.Write(ReportTexts.Made(scene, allStacks: true), output, TextStyle.Plain)),
                TrailingBlank().Replace(plain, ""));
    }

    [Fact]
    public void Tree_of_waits_without_its_tags_and_added_links_is_the_plain_text()
    {
        foreach (ProcessSnapshot snapshot in ChainScenes.Named.Values.Select(s => s()))
        {
            string text = Tags().Replace(ReportTexts.ChainsMarkup(snapshot).Replace(">[whole stack]<", "><", StringComparison.Ordinal), "");
            Assert.Equal(ReportTexts.Chains(snapshot, null), TrailingBlank().Replace(text.Replace("&gt;", ">", StringComparison.Ordinal), ""));
        }
    }

    [Fact]
    public void Markup_has_links() => Assert.Contains("<link cmd=", ReportTexts.Markup(VerdictScenes.TwoVerdicts(), allStacks: true), StringComparison.Ordinal);

    [Theory]
    [InlineData("a <exec cmd=\".shell x\">b</exec> & \"c\"", "a &lt;exec cmd=&quot;.shell x&quot;&gt;b&lt;/exec&gt; &amp; &quot;c&quot;")]
    [InlineData("Thread 3 (0x1a4) waits.", "<link cmd=\"~~[1a4]s\">Thread 3</link> (0x1a4) waits.")]
    [InlineData("thread 3 (0x1a4 \"a > b\") waits", "<link cmd=\"~~[1a4]s\">thread 3</link> (0x1a4 &quot;a &gt; b&quot;) waits")]
    [InlineData("thread 3 (0x1a4;q) waits", "<link cmd=\"~~[1a4]s\">thread 3</link> (0x1a4;q) waits")]
    [InlineData("critical section 0x170069620", "<link cmd=\"!cs 0x170069620\">critical section</link> <link cmd=\"dps 0x170069620\">0x170069620</link>")]
    [InlineData("critical section 0x12 or 0x170069620;q", "critical section 0x12 or <link cmd=\"dps 0x170069620\">0x170069620</link>;q")]
    [InlineData("  │  └─ thread 1 (0xc4) waits for x",
        "  │  └─ <link cmd=\"~~[c4]s\">thread 1</link> (0xc4) waits for x <link cmd=\"~~[c4]k\">[whole stack]</link>")]
    [InlineData("  │  in app!Add: thread 1 (0xc4) and 3 more",
        "  │  in app!Add: <link cmd=\"~~[c4]s\">thread 1</link> (0xc4) and 3 more <link cmd=\"~~[c4]k\">[whole stack]</link>")]
    [InlineData("\u0001e0x2454568 Dictionary: broken\u0002", "<col fg=\"errfg\"><link cmd=\"dps 0x2454568\">0x2454568</link> Dictionary: broken</col>")]
    [InlineData("Windows minidump, full memory (flags 0x61826)", "Windows minidump, full memory (flags 0x61826)")]
    [InlineData("    entries[3]  next 2  hash 0x7AB1C036  hash 0x7ab1c036  key 54", "    entries[3]  next 2  hash 0x7AB1C036  hash 0x7ab1c036  key 54")]
    [InlineData("value 0x00000036", "value 0x00000036")]
    [InlineData("app+0x12345 and 0x12", "app+0x12345 and 0x12")]
    [InlineData("        0  00000129f8a8  ntdll!NtYieldExecution+0x14", "        0  00000129f8a8  <link cmd=\"lmvm ntdll\">ntdll</link>!NtYieldExecution+0x14")]
    [InlineData("        0  00000129f8a8  loader-exit+0x153a", "        0  00000129f8a8  loader-exit+0x153a")]
    [InlineData("    thread 1 (0xc4): holds it", "    <link cmd=\"~~[c4]s\">thread 1</link> (0xc4): holds it <link cmd=\"~~[c4]k\">[whole stack]</link>")]
    public void Line_becomes(string line, string expected) => Assert.Equal(expected, DebuggerMarkupWriter.Line(line));

    [Fact]
    public void Grade_of_an_edge_leads_to_the_chain_from_its_waiter()
    {
        string line = $"    thread 12 (0xc4) waits for x -> held by thread 2 (0xc8) {TextStyle.Markup.Faint("[Proven]")}";
        const string Link = "<col fg=\"subfg\"><link cmd=\"!dumpext.lockchain c4\">[Proven]</link></col>";
        Assert.Contains(Link, DebuggerMarkupWriter.Line(line), StringComparison.Ordinal);
        line = line.Replace("    thread", "  │  ├─ thread", StringComparison.Ordinal);
        Assert.Contains(Link, DebuggerMarkupWriter.Line(line), StringComparison.Ordinal);
    }

    [Fact]
    public void Emphasis_that_is_not_ended_ends_with_its_line()
    {
        Assert.Equal("<b>x</b>", DebuggerMarkupWriter.Line("\u0001bx"));
        Assert.Equal("x", DebuggerMarkupWriter.Line("x\u0002"));
    }

    [GeneratedRegex("<[^>]*>")]
    private static partial Regex Tags();

    [GeneratedRegex("(?m) $")]
    private static partial Regex TrailingBlank();
}
