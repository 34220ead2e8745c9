using System.Globalization;
using Dump.Model.Merging;
using Dump.Model.Text;
using Dump.Model.Wording;
using Dump.Reports.Html.Elements;

namespace Dump.Reports.Html;

/// <summary>Tables of an overview besides the groups: what could not be decided, what failed, modules.</summary>
internal static class OverviewTables
{
    private const int MostPaths = 20;

    /// <summary>Dumps that could not be decided, by what they lack, with the advice.</summary>
    public static void WriteUndecided(HtmlWriter page, TriageOverview overview)
    {
        if (overview.Undecided.IsEmpty)
        {
            return;
        }

        page.Start("section", ("id", "undecided")).Element("h2", ReportWords.Undecided)
            .Element("p", $"In {HtmlWriter.Count(overview.Undecidable, "dump")} nothing was found, but data are missing: that is not \u201cno problem\u201d.")
            .Start("ul", ("class", "missing"));
        foreach (UndecidedGroup group in overview.Undecided)
        {
            page.Start("li").Start("p").Element("strong", group.Missing.What).Text($": {group.Missing.Consequence}.").End("p")
                .Start("p", ("class", "advice")).Element("b", "Capture: ").Element("code", group.Missing.CaptureAdvice).End("p")
                .Start("details").Element("summary", HtmlWriter.Count(group.Records.Length, "dump")).Start("ul");
            foreach (TriageRecord record in group.Records.Take(MostPaths))
            {
                page.Start("li").Element("code", record.Source.Text).End("li");
            }

            if (group.Records.Length > MostPaths)
            {
                page.Element("li", $"and {HtmlWriter.Count(group.Records.Length - MostPaths)} more", ("class", "faint"));
            }

            page.End("ul").End("details").End("li");
        }

        page.End("ul").End("section");
    }

    /// <summary>Dumps without a report, with the reason.</summary>
    public static void WriteFailed(HtmlWriter page, TriageOverview overview, int most)
    {
        if (overview.Failed.IsEmpty)
        {
            return;
        }

        page.Start("section", ("id", "failed")).Element("h2", OverviewWords.Failed).Start("div", ("class", "scroll"))
            .Start("table", ("class", "grid sortable"));
        page.Start("thead").Start("tr").Element("th", "Dump", ("scope", "col")).Element("th", "How", ("scope", "col"))
            .Element("th", "Size", ("scope", "col"), ("class", "number"), ("data-first", "descending")).Element("th", "Reason", ("scope", "col")).End("tr")
            .End("thead").Start("tbody");
        foreach (TriageRecord record in overview.Failed.Take(most))
        {
            page.Start("tr").Element("td", record.Source.Text, ("class", "code")).Element("td", EnumText.Words(record.Outcome))
                .Element("td", record.Source.Size is { } size ? SizeText.Of(size) : "", ("class", "number"),
                    ("data-v", record.Source.Size?.ToString(CultureInfo.InvariantCulture) ?? ""))
                .Element("td", record.Reason ?? "").End("tr");
        }

        page.End("tbody").End("table").End("div");
        WriteRest(page, overview.FailedDumps - Math.Min(overview.Failed.Length, most), overview);
        page.End("section");
    }

    /// <summary>Files, records and runs that are not in the numbers.</summary>
    public static void WritePassedOver(HtmlWriter page, TriageOverview overview, int most)
    {
        if (overview.PassedOver.IsEmpty)
        {
            return;
        }

        page.Start("section", ("id", "passed-over")).Element("h2", OverviewWords.PassedOver)
            .Start("ul", ("class", "missing"));
        foreach ((_, string path, string message) in overview.PassedOver.Take(most))
        {
            page.Start("li").Element("code", path).Text($": {message.TrimEnd('.')}.").End("li");
        }

        page.End("ul");
        WriteRest(page, overview.PassedOver.Length - most, overview);
        page.End("section");
    }

    /// <summary>Modules across all dumps: those that are known or not the system's first.</summary>
    public static void WriteModules(HtmlWriter page, TriageOverview overview, int most)
    {
        if (overview.Modules.IsEmpty)
        {
            return;
        }

        int foreign = overview.Modules.Count(m => m.IsSystem != true);
        ModuleUse[] known = [.. overview.Modules.Where(m => m.KnownAs is not null).Take(most)];
        page.Start("section", ("id", "modules")).Element("h2", "Modules");
        if (known.Length > 0)
        {
            page.Element("p", $"{OverviewWords.KnownModules}:");
            WriteModuleTable(page, known);
        }

        page.Element("p", $"{HtmlWriter.Count(overview.Modules.Length, "module")}, of which {HtmlWriter.Count(foreign)} not the system's.")
            .Start("details").Element("summary", "All modules with their versions");
        WriteModuleTable(page, overview.Modules.Take(most));
        WriteRest(page, (overview.Counted?.Modules ?? overview.Modules.Length) - Math.Min(overview.Modules.Length, most), overview);
        page.End("details").End("section");
    }

    private static void WriteModuleTable(HtmlWriter page, IEnumerable<ModuleUse> modules)
    {
        page.Start("div", ("class", "scroll")).Start("table", ("class", "grid sortable"));
        page.Start("thead").Start("tr").Element("th", "Module", ("scope", "col")).Element("th", "Known as", ("scope", "col"))
            .Element("th", "Vendor", ("scope", "col"))
            .Element("th", "Dumps", ("scope", "col"), ("class", "number"), ("data-first", "descending")).Element("th", "Versions (dumps)", ("scope", "col"))
            .Element("th", "Part of the system", ("scope", "col")).End("tr").End("thead").Start("tbody");
        foreach (ModuleUse module in modules)
        {
            page.Start("tr").Element("td", module.Name, ("class", "code")).Element("td", module.KnownAs ?? "").Element("td", module.Vendor ?? "")
                .Element("td", HtmlWriter.Count(module.Dumps), ("class", "number"), ("data-v", module.Dumps.ToString(CultureInfo.InvariantCulture)))
                .Element("td", Versions(module), ("class", "code"))
                .Element("td", module.IsSystem switch { true => "yes", false => "no", _ => "unknown" }).End("tr");
        }

        page.End("tbody").End("table").End("div");
    }

    private static string Versions(ModuleUse module)
    {
        const int Most = 6;
        IEnumerable<string> known = module.Versions.Take(Most).Select(v => $"{v.Version ?? OverviewWords.UnknownVersion} ({HtmlWriter.Count(v.Count)})");
        return string.Join(", ", known) + (module.Versions.Length > Most ? $" and {HtmlWriter.Count(module.Versions.Length - Most)} more" : "");
    }

    private static void WriteRest(HtmlWriter page, int rest, TriageOverview overview)
    {
        if (rest > 0)
        {
            page.Element("p", $"{HtmlWriter.Count(rest)} more in {(overview.Counted is null ? "the CSV and JSON files" : "the store")}.", ("class", "note"));
        }
    }
}
