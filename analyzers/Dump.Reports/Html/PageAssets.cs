using System.Text;
using Dump.Model.Text;

namespace Dump.Reports.Html;

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
