using System.Globalization;
using System.Text;
using Dump.Model.Text;
using Dump.Reports.Html.Elements;

namespace Dump.Reports.Html;

/// <summary>The frame of every page: one file that needs nothing else.</summary>
internal static class HtmlPage
{
    /// <summary>Writes a page.</summary>
    /// <param name="output">Where to write.</param>
    /// <param name="title">What the window is called.</param>
    /// <param name="sections">Anchors and names of the parts, for the row of links at the top; empty for none.</param>
    /// <param name="origin">What made the page, and when; null to leave that out.</param>
    /// <param name="head">Writes what stands first: what this page is about.</param>
    /// <param name="body">Writes the parts.</param>
    public static void Write(
        TextWriter output, string title, IReadOnlyList<(string Anchor, string Name)> sections, PageOrigin? origin, Action<HtmlWriter> head, Action<HtmlWriter> body)
    {
        HtmlWriter page = new(output);
        page.Constant("<!DOCTYPE html>\n").Start("html", ("lang", "en")).Start("head")
            .Start("meta", ("charset", "utf-8"))
            .Constant("\n").Start("meta", ("http-equiv", "Content-Security-Policy"), ("content", PageAssets.SecurityPolicy))
            .Constant("\n").Start("meta", ("name", "viewport"), ("content", "width=device-width, initial-scale=1"))
            .Constant("\n").Start("meta", ("name", "generator"), ("content", "dumpanalyze"))
            .Constant("\n").Start("meta", ("name", "referrer"), ("content", "no-referrer"))
            .Constant("\n").Element("title", title)
            .Start("style").Constant(PageAssets.Style).End("style")
            .Start("script").Constant(PageAssets.Script).End("script").End("head").Start("body")
            .Element("a", "Skip to the findings", ("class", "skip"), ("href", "#main"));
        page.Start("header", ("class", "top"));
        head(page);
        if (sections.Count > 1)
        {
            page.Start("nav", ("aria-label", "Parts of this page"));
            foreach ((string anchor, string name) in sections)
            {
                page.Element("a", name, ("href", $"#{anchor}"));
            }

            page.End("nav");
        }

        page.End("header").Start("main", ("id", "main"));
        body(page);
        page.End("main").Start("footer")
            .Element("p",
                $"Made by {origin?.Text ?? "dumpanalyze"}. Confirmed: memory or an exact record says so. Likely: exactly one candidate under a documented rule. Suspected: a "
                    + "heuristic, never called a deadlock.")
            .End("footer").End("body").End("html");
    }
}

/// <summary>What made a page.</summary>
/// <param name="Version">Version of the program.</param>
/// <param name="Command">The command, without its arguments: these may hold secrets.</param>
/// <param name="Written">When (UTC).</param>
public sealed record PageOrigin(string Version, string Command, DateTime Written)
{
    /// <summary>In words.</summary>
    internal string Text => string.Create(CultureInfo.InvariantCulture, $"dumpanalyze {Version} ({Command}), {Written:yyyy-MM-dd HH:mm} UTC");
}

/// <summary>Style and script of all pages, which stand in the pages themselves.</summary>
internal static class PageAssets
{
    /// <summary>The style sheet.</summary>
    public static string Style { get; } = Read("page.css");

    /// <summary>The script. Pages show everything without it; it sorts, filters and folds.</summary>
    public static string Script { get; } = Read("page.js");

    /// <summary>What the page may load and run: this style and this script, nothing else, and no network.</summary>
    public static string SecurityPolicy { get; } =
        $"default-src 'none'; style-src '{Hash(Style)}'; script-src '{Hash(Script)}'; img-src data:; base-uri 'none'; form-action 'none'";

    private static string Hash(string text) => $"sha256-{Convert.ToBase64String(Sha256.HashData(Encoding.UTF8.GetBytes(text)))}";

    private static string Read(string name)
    {
        using Stream stream = typeof(PageAssets).Assembly.GetManifestResourceStream($"Dump.Reports.Html.{name}")
            ?? throw new InvalidOperationException($"The resource {name} is not in this assembly.");
        using StreamReader reader = new(stream);
        return reader.ReadToEnd().ReplaceLineEndings("\n");
    }
}
