using System.Globalization;
using Dump.Model.Facts;
using Dump.Model.Reported;
using Dump.Model.Verdicts;
using Dump.Model.Wording;
using Dump.Reports.Html.Elements;

namespace Dump.Reports.Html;

/// <summary>The parts of a report besides its verdicts.</summary>
internal static class ReportSections
{
    /// <summary>What was analysed, as pairs of name and value.</summary>
    public static void WriteFacts(HtmlWriter page, HangReport report)
    {
        page.Start("dl", ("class", "facts"));
        Fact(page, report.Source.FileSize is null ? "Source" : "Dump",
            $"{report.Source.Kind}{(report.Source.FileSize is { } size ? $", {SizeText.Of(size)}" : "")}");
        string id = report.Process.Id is { } pid ? string.Create(CultureInfo.InvariantCulture, $" ({pid})") : "";
        Fact(page, "Process", (report.Process.Program ?? report.Process.Name ?? "unknown program") + id);
        Fact(page, "Threads", report.Threads.IsEmpty ? null : HtmlWriter.Count(report.Threads.Length));
        Fact(page, "Captured", ReportWords.Time(report.Source.Captured));
        Fact(page, "Machine", report.Process.Machine);
        Fact(page, "System", report.Process.System);
        Fact(page, report.Source.FileSize is null ? "First look" : "First dump",
            report.Source.Earlier is { } earlier
                ? $"{earlier.DisplayName}{(earlier.Captured is null ? "" : $", {ReportWords.Time(earlier.Captured)}")}"
                : null);
        Fact(page, "Managed half", report.Source.ManagedHalf);
        Fact(page, "Symbols", ReportWords.Symbols(report.Source));
        Fact(page, "Comment", report.Source.Comment?.Trim());
        page.End("dl");
    }

    /// <summary>Detectors that gave no answer and what the dump lacks. Nothing when there is nothing to say.</summary>
    public static void WriteUndecided(HtmlWriter page, HangReport report)
    {
        MissingData[] missing = [.. report.Missing.Concat(report.Unanswered.SelectMany(o => o.Missing)).Distinct()];
        if (missing.Length > 0)
        {
            page.Start("section", ("id", "undecided")).Element("h2", ReportWords.Undecided);
            MissingView.Write(page, missing);
            page.End("section");
        }

        WriteList(page, "failed", ReportWords.Failed, report.Unanswered
            .Where(o => o.Kind == DetectorOutcomeKind.Failed).Select(ReportWords.Failure));
    }

    /// <summary>A section with a list; nothing when it is empty.</summary>
    public static void WriteList(HtmlWriter page, string anchor, string heading, IEnumerable<string> texts)
    {
        string[] all = [.. texts];
        if (all.Length == 0)
        {
            return;
        }

        page.Start("section", ("id", anchor)).Element("h2", heading).Start("ul");
        foreach (string text in all)
        {
            page.Element("li", text);
        }

        page.End("ul").End("section");
    }

    /// <summary>Modules with version and vendor, folded; nothing when none is known.</summary>
    public static void WriteModules(HtmlWriter page, HangReport report)
    {
        if (report.Modules.IsEmpty)
        {
            return;
        }

        page.Start("section", ("id", "modules")).Element("h2", $"Modules ({HtmlWriter.Count(report.Modules.Length)})")
            .Start("details").Element("summary", "Show").Start("div", ("class", "scroll")).Start("table", ("class", "grid sortable"));
        page.Start("thead").Start("tr").Element("th", "Module", ("scope", "col")).Element("th", "Version", ("scope", "col"))
            .Element("th", "Vendor", ("scope", "col")).Element("th", "Part of the system", ("scope", "col")).End("tr").End("thead").Start("tbody");
        foreach (ReportedModule module in report.Modules)
        {
            page.Start("tr").Element("td", module.Name, ("class", "code")).Element("td", module.Version ?? "", ("class", "code"))
                .Element("td", module.Vendor ?? "")
                .Element("td", module.IsSystem switch { true => "yes", false => "no", _ => "unknown" }).End("tr");
        }

        page.End("tbody").End("table").End("div").End("details").End("section");
    }

    private static void Fact(HtmlWriter page, string name, string? value)
    {
        if (!string.IsNullOrEmpty(value))
        {
            page.Start("div").Element("dt", name).Element("dd", value).End("div");
        }
    }
}
