using System.Globalization;
using System.Text.RegularExpressions;
using Dump.Model.Facts;

namespace Dump.Reports.Html;

/// <summary>
/// Where links to source files lead: an address with <c>{path}</c> and <c>{line}</c>, for example <c>https://git.example/shop/blob/main/{path}#L{line}</c>.
/// Scheme and host are the user's own whatever a path says: the placeholders stand behind them, and what replaces them is escaped.
/// </summary>
public sealed partial class SourceLinkTemplate
{
    private const string PathMark = "{path}";
    private const string LineMark = "{line}";
    private readonly string _template;

    private SourceLinkTemplate(string template) => _template = template;

    /// <summary>Takes a template.</summary>
    /// <param name="template">What the user gave.</param>
    /// <param name="problem">Why it is none; null when it is one.</param>
    /// <returns>The template, or null.</returns>
    public static SourceLinkTemplate? Parse(string template, out string? problem)
    {
        problem = !Address().IsMatch(template) || !Uri.TryCreate(Fill(template, "path", "1"), UriKind.Absolute, out Uri? _)
            ? "give an http or https address, for example https://git.example/shop/blob/main/{path}#L{line}"
            : !template.Contains(PathMark, StringComparison.Ordinal) ? "{path} is missing, the place of the source file's path" : null;
        return problem is null ? new SourceLinkTemplate(template) : null;
    }

    /// <summary>The address of a place in source code. Paths lose their drive and the <c>/_/</c> with which deterministic builds begin them.</summary>
    public string AddressOf(SourceLocation source)
    {
        string path = DriveOrRoot().Replace(source.File.Replace('\\', '/'), "");
        IEnumerable<string> parts = path.Split('/', StringSplitOptions.RemoveEmptyEntries).Where(p => p is not ("." or "..")).Select(Uri.EscapeDataString);
        return Fill(_template, string.Join('/', parts), source.Line.ToString(CultureInfo.InvariantCulture));
    }

    private static string Fill(string template, string path, string line) =>
        template.Replace(PathMark, path, StringComparison.Ordinal).Replace(LineMark, line, StringComparison.Ordinal);

    // The host ends before the first placeholder may come.
    [GeneratedRegex("^https?://[^/?#{}\\s\\\\]+[/?#]\\S*$", RegexOptions.IgnoreCase | RegexOptions.CultureInvariant)]
    private static partial Regex Address();

    [GeneratedRegex("^(?:[A-Za-z]:|/_[0-9]*/)", RegexOptions.CultureInvariant)]
    private static partial Regex DriveOrRoot();
}
