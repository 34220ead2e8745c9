using Dump.Model.Reported;
using Dump.Reports.Html.Elements;

namespace Dump.Reports.Html.Graph;

/// <summary>
/// Draws the chain of a verdict: threads and what they wait for as nodes, waits and holders as edges. The same verdict gives the same picture.
/// </summary>
public static class WaitGraphDrawing
{
    /// <summary>Draws it: a cycle as a ring, anything else as a ladder, at most twelve links.</summary>
    /// <param name="report">Names threads and modules.</param>
    /// <param name="verdict">The verdict.</param>
    /// <returns>The picture, or null when the verdict has no chain.</returns>
    public static WaitGraphPicture? Draw(HangReport report, ReportedVerdict verdict)
    {
        if (verdict.Chain.IsEmpty)
        {
            return null;
        }

        WaitGraphWords words = new(report, verdict);
        WaitGraphShape shape = new(verdict.Chain, words, verdict.Culprit?.ThreadId);
        WaitGraphPlaces places = shape.IsRing ? RingLayout.Place(shape) : LadderLayout.Place(shape);
        string rest = shape.LeftOut > 0 ? $". {HtmlWriter.Count(shape.LeftOut, "more link")} not drawn." : "";
        return new WaitGraphPicture(
            places.Width,
            places.Height,
            [.. places.Nodes],
            [.. places.Lines],
            $"Wait graph: {HtmlWriter.Count(verdict.Chain.Select(l => l.ThreadId).Distinct().Count(), "waiting thread")}{(shape.IsRing ? ", a cycle" : "")}",
            string.Join(". ", shape.Links.Select(words.Sentence)) + rest);
    }
}
