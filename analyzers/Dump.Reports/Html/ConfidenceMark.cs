using Dump.Model.Facts;
using Dump.Reports.Html.Elements;

namespace Dump.Reports.Html;

/// <summary>How sure something is, as a word with a colour.</summary>
internal static class ConfidenceMark
{
    /// <summary>Writes the word in its colour.</summary>
    public static HtmlWriter Write(HtmlWriter page, Confidence confidence) =>
        page.Element("span", confidence.ToString(), ("class", $"mark {Class(confidence)}"));

    /// <summary>The class of the style sheet.</summary>
    public static string Class(Confidence confidence) => confidence switch
    {
        Confidence.Confirmed => "confirmed",
        Confidence.Likely => "likely",
        _ => "suspected",
    };
}
