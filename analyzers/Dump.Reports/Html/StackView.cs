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
    private readonly ThreadNames _threads;
    private readonly OwnFrames _own;
    private readonly string? _culprit;

    /// <summary>Takes what decides over emphasis.</summary>
    public StackView(HangReport report, string? culprit)
    {
        _threads = new ThreadNames(report);
        _own = new OwnFrames(report);
        _culprit = culprit is null ? null : ReportedFrameText.Stem(culprit);
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
                page.Start("tr", ("class", "gap")).Element("td", "").Element("td", $"{HtmlWriter.Count(frame.Index - next, "frame")} left out").End("tr");
            }

            next = frame.Index + 1;
            page.Start("tr", ("class", Class(frame)))
                .Element("td", frame.Index.ToString(CultureInfo.InvariantCulture))
                .Start("td").Text(ReportedFrameText.Place(frame));
            if (ReportedFrameText.Suffix(frame) is { Length: > 0 } suffix)
            {
                page.Element("span", suffix);
            }

            if (frame.Tag is { } tag)
            {
                page.Text(" ").Element("span", tag, ("class", "tag"));
            }

            page.End("td").End("tr");
        }

        if (stack.Frames.IsEmpty)
        {
            page.Start("tr", ("class", "gap")).Element("td", "").Element("td", "no frames").End("tr");
        }
    }

    private string? Class(ReportedFrame frame) => frame.Module is not { } module ? null
        : ReportedFrameText.Stem(module) == _culprit ? "blamed"
        : _own.IsSystem(frame) ? "system"
        : null;
}
