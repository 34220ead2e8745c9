using System.Globalization;
using Dump.Model.Reported;
using Dump.Model.Wording;
using Dump.Reports.Html.Elements;

namespace Dump.Reports.Html;

/// <summary>
/// Stacks, side by side where there is room. Frames of the operating system are faint; those of the module that the verdict blames are marked.
/// </summary>
internal sealed class StackView
{
    private readonly HangReport _report;
    private readonly ThreadNames _threads;
    private readonly OwnFrames _own;
    private readonly string? _culprit;
    private readonly SourceLinkTemplate? _links;

    /// <summary>Takes what decides over emphasis, and where links to source files lead; null for the addresses of SourceLink.</summary>
    public StackView(HangReport report, string? culprit, SourceLinkTemplate? links = null)
    {
        _links = links;
        _report = report;
        _threads = new ThreadNames(report);
        _own = new OwnFrames(report);
        _culprit = culprit is null ? null : FrameWords.Stem(culprit);
    }

    /// <summary>Writes stacks.</summary>
    public void Write(HtmlWriter page, IEnumerable<ReportedStack> stacks)
    {
        page.Start("div", ("class", "stacks"));
        foreach (ReportedStack stack in stacks)
        {
            page.Start("figure", ("class", "stack")).Start("figcaption").Element("strong", _threads.Full(stack.ThreadId));
            if (stack.Role is { } role)
            {
                page.Text($": {role}");
            }

            page.End("figcaption").Start("div", ("class", "frames"), ("tabindex", "0"), ("role", "region"),
                ("aria-label", $"Stack of {_threads.Short(stack.ThreadId)}")).Start("table");
            WriteFrames(page, stack);
            page.End("table").End("div").End("figure");
        }

        page.End("div");
    }

    private void WriteFrames(HtmlWriter page, ReportedStack stack)
    {
        int next = 0;
        foreach (ReportedFrame frame in stack.Frames)
        {
            if (frame.Index > next)
            {
                Note(page, FrameWords.LeftOut(frame.Index - next));
            }

            next = frame.Index + 1;
            page.Start("tr", ("class", Class(frame)))
                .Element("td", frame.Index.ToString(CultureInfo.InvariantCulture))
                .Start("td").Text(FrameWords.PlaceOrAddress(frame));
            if ($"{FrameWords.Distance(frame)} {FrameWords.Trust(frame)}".TrimEnd() is { Length: > 0 } suffix)
            {
                page.Element("span", suffix);
            }

            if (frame.Source is { } source)
            {
                SourcePlace.Write(page.Text(" "), source, _links);
            }

            if (FrameWords.Inlined(frame) is { Length: > 0 } inlined)
            {
                page.Element("span", inlined);
            }

            if (frame.Tag is { } tag)
            {
                page.Text(" ").Element("span", tag, ("class", "tag"));
            }

            page.End("td").End("tr");
        }

        if (stack.Frames.IsEmpty)
        {
            Note(page, "no frames");
        }

        if (ReportWords.End(_report, stack) is { } end)
        {
            Note(page, end);
        }
    }

    private static void Note(HtmlWriter page, string text) => page.Start("tr", ("class", "gap")).Element("td", "").Element("td", text).End("tr");

    private string? Class(ReportedFrame frame) => frame.Module is not { } module ? null
        : FrameWords.Stem(module) == _culprit ? "blamed"
        : _own.IsSystem(frame) ? "system"
        : null;
}
