using System.Collections.Immutable;
using System.Globalization;
using Dump.Model.Facts;
using Dump.Model.Reported;
using Dump.Model.Verdicts;
using Dump.Model.Wording;
using Dump.Reports.Html.Elements;
using Dump.Reports.Html.Graph;

namespace Dump.Reports.Html;

/// <summary>A verdict: its sentences, the wait graph, the chain with its evidence, what to do, the stacks, who queues behind it.</summary>
/// <param name="report">The report it belongs to.</param>
/// <param name="verdict">The verdict.</param>
/// <param name="id">An identifier that nothing else of the page begins with.</param>
/// <param name="links">Where links to source files lead; null for the addresses of SourceLink.</param>
/// <param name="part">The element of the headings of its parts: one below that of its own heading.</param>
internal sealed class VerdictSection(HangReport report, ReportedVerdict verdict, string id, SourceLinkTemplate? links = null, string part = "h3")
{
    private readonly ThreadNames _threads = new(report);

    /// <summary>Writes all but the heading.</summary>
    public void Write(HtmlWriter page)
    {
        WriteClaims(page);
        WriteCulprit(page);
        WritePlaces(page);
        WriteGraph(page);
        WriteChain(page);
        WriteList(page, ReportWords.Remedies, verdict.Remedies.Select(r => MissingWords.Fill(report, r)));
        KnownIssueView.Write(page, verdict.KnownIssues);
        if (!verdict.Stacks.IsEmpty)
        {
            WriteHeading(page, ReportWords.Evidence);
            new StackView(report, verdict.Culprit?.Module, links).Write(page, verdict.Stacks.Take(ReportWords.MostStacks));
            WriteFurther(page, verdict.Stacks.Length - ReportWords.MostStacks, "stack");
        }

        WriteVictims(page);
        if (!verdict.Undecided.IsEmpty)
        {
            WriteHeading(page, ReportWords.Open);
            MissingView.Write(page, report, verdict.Undecided);
        }
    }

    private void WriteClaims(HtmlWriter page)
    {
        page.Start("ul", ("class", "claims"));
        foreach (Claim claim in verdict.Claims.Take(ReportWords.MostClaims))
        {
            page.Start("li", ("class", ConfidenceMark.Class(claim.Confidence))).Element("p", claim.Text);
            ConfidenceMark.Write(page, claim.Confidence);
            WriteEvidence(page, claim.Evidence);
            page.End("li");
        }

        page.End("ul");
        WriteFurther(page, verdict.Claims.Length - ReportWords.MostClaims, "sentence");
    }

    private static void WriteFurther(HtmlWriter page, int count, string noun)
    {
        if (count > 0)
        {
            page.Element("p", ReportWords.Further(count, noun), ("class", "note"));
        }
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
            page.Element("li", EvidenceWords.Line(item));
        }

        page.End("ul").End("details");
    }

    private void WriteCulprit(HtmlWriter page)
    {
        if (verdict.Culprit is not { } culprit)
        {
            return;
        }

        page.Start("p", ("class", "culprit")).Element("b", ReportWords.LookAt).Element("code", culprit.Module)
            .Text(ReportWords.Culprit(culprit, _threads)).End("p");
    }

    private void WritePlaces(HtmlWriter page)
    {
        if (!verdict.LookAt.IsEmpty)
        {
            page.Start("p", ("class", "culprit")).Element("b", ReportWords.LookAt).Text(ReportWords.Places(verdict.LookAt, _threads)).End("p");
        }

        if (!verdict.AsyncMethods.IsEmpty)
        {
            page.Start("p", ("class", "culprit")).Element("b", ReportWords.LookAt).Text(ReportWords.AsyncMethods(verdict.AsyncMethods)).End("p");
        }
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
        page.Start("details", ("class", "chain")).Start("summary")
            .Text($"{ReportWords.Chain} in words, with its evidence ({HtmlWriter.Count(verdict.Chain.Length, "link")})").End("summary").Start("ol");
        foreach (ChainLink link in verdict.Chain.Take(ReportWords.MostLinks))
        {
            page.Start("li").Element("p", words.Sentence(link)).Start("ul");
            foreach (Evidence evidence in link.Evidence)
            {
                page.Element("li", EvidenceWords.Line(evidence));
            }

            page.End("ul").End("li");
        }

        page.End("ol");
        WriteFurther(page, verdict.Chain.Length - ReportWords.MostLinks, "link");
        page.End("details");
    }

    private void WriteVictims(HtmlWriter page)
    {
        if (verdict.Victims.IsEmpty)
        {
            return;
        }

        WriteHeading(page, ReportWords.Victims);
        page.Start("ul", ("class", "victims"));
        foreach (VictimGroup group in verdict.Victims)
        {
            page.Start("li").Element("strong", ReportWords.Count(group)).Text($" {ReportWords.Who(group, _threads)}").End("li");
        }

        page.End("ul");
    }

    private void WriteHeading(HtmlWriter page, string text) => page.Element(part, text, ("class", "part"));

    private void WriteList(HtmlWriter page, string heading, IEnumerable<string> texts)
    {
        string[] all = [.. texts];
        if (all.Length == 0)
        {
            return;
        }

        WriteHeading(page, heading);
        page.Start("ul");
        foreach (string text in all)
        {
            page.Element("li", text);
        }

        page.End("ul");
    }
}
