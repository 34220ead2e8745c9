using Dump.Model.Facts;
using Dump.Model.Reported;
using Dump.Model.Wording;
using Dump.Reports.Html.Elements;

namespace Dump.Reports.Html;

/// <summary>What is missing, grouped by the advice that would supply it.</summary>
internal static class MissingView
{
    /// <summary>Writes it; nothing when nothing is missing.</summary>
    public static void Write(HtmlWriter page, ProcessDocument document, IEnumerable<MissingData> missing)
    {
        IGrouping<string, MissingData>[] groups = [.. MissingWords.Groups(document, missing)];
        if (groups.Length == 0)
        {
            return;
        }

        page.Start("ul", ("class", "missing"));
        foreach (IGrouping<string, MissingData> group in groups)
        {
            page.Start("li");
            foreach (MissingData item in group)
            {
                page.Start("p").Element("strong", item.What).Text(MissingWords.Line(item)[item.What.Length..]).End("p");
            }

            page.Start("p", ("class", "advice")).Element("b", "Capture: ").Element("code", group.Key).End("p").End("li");
        }

        page.End("ul");
    }
}
