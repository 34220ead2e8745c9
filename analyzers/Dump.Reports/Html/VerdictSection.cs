using System.Collections.Immutable;
using System.Globalization;
using Dump.Model.Facts;
using Dump.Model.Reported;
using Dump.Model.Text;
using Dump.Model.Verdicts;
using Dump.Model.Wording;
using Dump.Reports.Html.Elements;
using Dump.Reports.Html.Graph;

namespace Dump.Reports.Html;

/// <summary>A verdict: its sentences, the wait graph, the chain with its evidence, the stacks, who queues behind it, what to do.</summary>
/// <param name="report">The report it belongs to.</param>
/// <param name="verdict">The verdict.</param>
/// <param name="id">An identifier that nothing else of the page begins with.</param>
internal sealed class VerdictSection(HangReport report, ReportedVerdict verdict, string id)
{
    private const int MostThreadIds = 16;
    private readonly ThreadNames _threads = new(report);

    /// <summary>Writes all but the heading.</summary>
    public void Write(HtmlWriter page)
    {
        WriteClaims(page);
        WriteCulprit(page);
        WriteGraph(page);
        WriteChain(page);
        if (!verdict.Stacks.IsEmpty)
        {
            page.Element("h3", "Evidence");
            new StackView(report, verdict.Culprit?.Module).Write(page, verdict.Stacks);
        }

        WriteVictims(page);
        WriteList(page, "What to do", verdict.Remedies);
        if (!verdict.Undecided.IsEmpty)
        {
            page.Element("h3", "Open");
            MissingView.Write(page, verdict.Undecided);
        }
    }

    private void WriteClaims(HtmlWriter page)
    {
        page.Start("ul", ("class", "claims"));
        foreach (Claim claim in verdict.Claims)
        {
            page.Start("li", ("class", ConfidenceMark.Class(claim.Confidence))).Element("p", claim.Text);
            ConfidenceMark.Write(page, claim.Confidence);
            WriteEvidence(page, claim.Evidence);
            page.End("li");
        }

        page.End("ul");
    }

    private static void WriteEvidence(HtmlWriter page, ImmutableArray<Evidence> evidence)
    {
        if (evidence.IsEmpty)
        {
            return;
        }

        page.Start("details", ("class", "why")).Element("summary", "Why").Start("ul");
        foreach (Evidence item in evidence)
        {
            page.Element("li", ChainText.Describe(item));
        }

        page.End("ul").End("details");
    }

    private void WriteCulprit(HtmlWriter page)
    {
        if (verdict.Culprit is not { } culprit)
        {
            return;
        }

        string version = culprit.Version is null ? "" : $" {culprit.Version}";
        string vendor = culprit.Vendor is null ? "" : $" ({SafeText.Quote(culprit.Vendor)})";
        string message = culprit.Message is null ? "" : $" ({culprit.Message})";
        string callback = culprit.Callback is null ? "" : $", {culprit.Callback}{message}";
        page.Start("p", ("class", "culprit")).Element("b", "Look at: ").Element("code", culprit.Module)
            .Text($"{version}{vendor}{callback}, on {_threads.Full(culprit.ThreadId)}.").End("p");
    }

    private void WriteGraph(HtmlWriter page)
    {
        if (WaitGraphDrawing.Draw(report, verdict) is not { } picture)
        {
            return;
        }

        page.Start("figure", ("class", "picture")).Start("div", ("class", "scroll"), ("tabindex", "0"), ("role", "region"), ("aria-label", "Wait graph"));
        WaitGraphSvg.Write(page, picture, $"{id}-graph");
        page.End("div").Start("figcaption", ("class", "legend"));
        foreach ((string grade, string text) in (ReadOnlySpan<(string, string)>)[("proven", "proven"), ("derived", "derived: one candidate"),
            ("suspected", "suspected")])
        {
            page.Start("span").Start("svg", ("class", "key"), ("viewBox", "0 0 30 8"), ("width", "30"), ("height", "8"), ("aria-hidden", "true"))
                .Start("polyline", ("class", $"wire {grade}"), ("points", "0,4 30,4")).End("polyline").End("svg").Text(text).End("span");
        }

        page.End("figcaption").End("figure");
    }

    private void WriteChain(HtmlWriter page)
    {
        if (verdict.Chain.IsEmpty)
        {
            return;
        }

        WaitGraphWords words = new(report, verdict);
        page.Start("details", ("class", "chain")).Start("summary").Text($"Chain in words, with its evidence ({HtmlWriter.Count(verdict.Chain.Length, "link")})")
            .End("summary").Start("ol");
        foreach (ChainLink link in verdict.Chain)
        {
            page.Start("li").Element("p", words.Sentence(link)).Start("ul");
            foreach (Evidence evidence in link.Evidence)
            {
                page.Element("li", ChainText.Describe(evidence));
            }

            page.End("ul").End("li");
        }

        page.End("ol").End("details");
    }

    private void WriteVictims(HtmlWriter page)
    {
        if (verdict.Victims.IsEmpty)
        {
            return;
        }

        page.Element("h3", "Behind it").Start("ul", ("class", "victims"));
        foreach (VictimGroup group in verdict.Victims)
        {
            string kind = group.Kind switch
            {
                VictimKind.StartingThread => "starting thread",
                VictimKind.ExitingThread => "exiting thread",
                _ => "thread",
            };
            string rest = group.ThreadIds.Length > MostThreadIds
                ? string.Create(CultureInfo.InvariantCulture, $" and {group.ThreadIds.Length - MostThreadIds} more")
                : "";
            page.Start("li").Element("strong", HtmlWriter.Count(group.ThreadIds.Length, kind)).Text($" {group.Description} ")
                .Element("span", $"({string.Join(" ", group.ThreadIds.Take(MostThreadIds).Select(t => $"0x{t:x}"))}{rest})", ("class", "faint")).End("li");
        }

        page.End("ul");
    }

    private static void WriteList(HtmlWriter page, string heading, ImmutableArray<string> texts)
    {
        if (texts.IsEmpty)
        {
            return;
        }

        page.Element("h3", heading).Start("ul");
        foreach (string text in texts)
        {
            page.Element("li", text);
        }

        page.End("ul");
    }
}
