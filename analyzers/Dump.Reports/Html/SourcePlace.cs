using System.Globalization;
using System.Text.RegularExpressions;
using Dump.Model.Facts;
using Dump.Reports.Html.Elements;

namespace Dump.Reports.Html;

/// <summary>A place in source code on a page.</summary>
internal static partial class SourcePlace
{
    /// <summary>Writes file and line, as a link where there is an address.</summary>
    /// <param name="page">The page.</param>
    /// <param name="source">The place.</param>
    /// <param name="template">Where links lead; null for the address that the debug information has, which like all of it may be anything.</param>
    public static void Write(HtmlWriter page, SourceLocation source, SourceLinkTemplate? template)
    {
        page.Start("span", ("class", "source"));
        if ((template?.AddressOf(source) ?? PublicPage(source)) is { } address)
        {
            page.Link(address, source.Text);
        }
        else
        {
            page.Text(source.Text);
        }

        page.End("span");
    }

    /// <summary>SourceLink has the address of the bare file; GitHub has a page with lines for it.</summary>
    private static string? PublicPage(SourceLocation source) => source.Link is { } link && GitHubFile().Match(link) is { Success: true } file
        ? string.Create(CultureInfo.InvariantCulture, $"https://github.com/{file.Groups["repository"]}/blob/{file.Groups["rest"]}#L{source.Line}")
        : source.Link;

    [GeneratedRegex("^https://raw\\.githubusercontent\\.com/(?<repository>[^/]+/[^/]+)/(?<rest>.+)$", RegexOptions.CultureInvariant)]
    private static partial Regex GitHubFile();
}
