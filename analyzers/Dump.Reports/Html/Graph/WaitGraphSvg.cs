using System.Collections.Immutable;
using Dump.Model.Facts;
using Dump.Model.Waits;
using Dump.Reports.Html.Elements;

namespace Dump.Reports.Html.Graph;

/// <summary>Writes a drawn wait graph as SVG. Colours come from the page, so that it fits light and dark.</summary>
internal static class WaitGraphSvg
{
    private const double ArrowLength = 9;
    private const double ArrowHalf = 4;

    /// <summary>Writes the picture as an SVG element of the page.</summary>
    /// <param name="page">Where to write.</param>
    /// <param name="picture">The picture.</param>
    /// <param name="id">An identifier that no other picture of the page has.</param>
    public static void Write(HtmlWriter page, WaitGraphPicture picture, string id)
    {
        page.Start(
            "svg",
            ("class", "graph"),
            ("viewBox", $"0 0 {HtmlWriter.Number(picture.Width)} {HtmlWriter.Number(picture.Height)}"),
            ("width", HtmlWriter.Number(picture.Width)),
            ("height", HtmlWriter.Number(picture.Height)),
            ("role", "img"),
            ("aria-labelledby", $"{id}-t {id}-d"));
        page.Element("title", picture.Title, ("id", $"{id}-t")).Element("desc", picture.Description, ("id", $"{id}-d"));
        foreach (WaitGraphLine line in picture.Lines)
        {
            WriteLine(page, line);
        }

        foreach (WaitGraphNode node in picture.Nodes)
        {
            WriteNode(page, node);
        }

        foreach (WaitGraphLine line in picture.Lines.Where(l => l.Label.Length > 0))
        {
            page.Element("text", line.Label, ("class", "edge"), ("x", HtmlWriter.Number(line.LabelX)), ("y", HtmlWriter.Number(line.LabelY)),
                ("text-anchor", "middle"));
        }

        page.End("svg");
    }

    private static void WriteLine(HtmlWriter page, WaitGraphLine line)
    {
        string grade = line.Grade switch
        {
            Grade.Proven => "proven",
            Grade.Derived => "derived",
            _ => "suspected",
        };
        (double X, double Y) tip = line.Points[^1], before = line.Points[^2];
        double length = Math.Max(1, Math.Sqrt(Math.Pow(tip.X - before.X, 2) + Math.Pow(tip.Y - before.Y, 2)));
        (double X, double Y) direction = ((tip.X - before.X) / length, (tip.Y - before.Y) / length);
        (double X, double Y) foot = (tip.X - (direction.X * ArrowLength), tip.Y - (direction.Y * ArrowLength));
        page.Start("polyline", ("class", $"wire {grade}"), ("points", Points([.. line.Points[..^1], foot]))).End("polyline");
        page.Start("polygon", ("class", $"tip {grade}"), ("points", Points([
            tip, (foot.X - (direction.Y * ArrowHalf), foot.Y + (direction.X * ArrowHalf)),
            (foot.X + (direction.Y * ArrowHalf), foot.Y - (direction.X * ArrowHalf))]))).End("polygon");
    }

    private static void WriteNode(HtmlWriter page, WaitGraphNode node)
    {
        string kind = node.Kind switch
        {
            WaitGraphNodeKind.Thread => node.IsCulprit ? "thread culprit" : "thread",
            WaitGraphNodeKind.Foreign => "foreign",
            WaitGraphNodeKind.Resource => "resource",
            _ => "more",
        };
        page.Start("g", ("class", $"node {kind}")).Element("title", node.Text);
        page.Start(
            "rect",
            ("x", HtmlWriter.Number(node.X)),
            ("y", HtmlWriter.Number(node.Y)),
            ("width", HtmlWriter.Number(node.Width)),
            ("height", HtmlWriter.Number(node.Height)),
            ("rx", node.Kind == WaitGraphNodeKind.Resource ? "0" : "7")).End("rect");
        for (int i = 0; i < node.Labels.Length; i++)
        {
            double y = node.Y + (WaitGraphMeasures.NodePadding / 2) + ((i + 1) * WaitGraphMeasures.LineHeight) - 4;
            page.Element(
                "text",
                node.Labels[i],
                ("class", i == 0 ? "first" : null),
                ("x", HtmlWriter.Number(node.X + (node.Width / 2))),
                ("y", HtmlWriter.Number(y)),
                ("text-anchor", "middle"));
        }

        page.End("g");
    }

    private static string Points(ImmutableArray<(double X, double Y)> points) =>
        string.Join(' ', points.Select(p => $"{HtmlWriter.Number(p.X)},{HtmlWriter.Number(p.Y)}"));
}
