using System.Collections.Immutable;
using Dump.Model.Facts;
using Dump.Model.Reported;
using Dump.Model.Waits;
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

/// <summary>
/// Places threads in a left column and what they wait for in a right one, in the order of the chain. Edges to the row below bend in the gap between the rows;
/// all others run through a lane of their own: those to holders left of the threads, those to resources between the columns.
/// </summary>
internal sealed class LadderLayout
{
    private readonly WaitGraphShape _shape;
    private readonly int[] _row;
    private readonly List<double> _top = [], _height = [];
    private readonly WaitGraphNode[] _nodes;
    private readonly double _left, _right;
    private int _lanes;

    private LadderLayout(WaitGraphShape shape)
    {
        _shape = shape;
        _row = Rows(shape);
        _nodes = new WaitGraphNode[shape.Nodes.Count];
        int lanes = shape.Edges.Count(NeedsLane);
        _left = WaitGraphMeasures.Margin + (lanes == 0 ? 0 : (lanes + 1) * WaitGraphMeasures.LaneWidth);
        _right = _left + WaitGraphMeasures.NodeWidth + WaitGraphMeasures.ColumnGap;
    }

    /// <summary>Gives each node its place.</summary>
    public static WaitGraphPlaces Place(WaitGraphShape shape)
    {
        LadderLayout layout = new(shape);
        double bottom = layout.PlaceNodes();
        WaitGraphLine[] lines = [.. shape.Edges.Select(layout.Line)];
        return new WaitGraphPlaces(layout._right + WaitGraphMeasures.NodeWidth + WaitGraphMeasures.Margin, bottom + WaitGraphMeasures.RowGap / 2,
            layout._nodes, lines);
    }

    private static bool IsLeft(WaitGraphNode node) => node.Kind != WaitGraphNodeKind.Resource;

    /// <summary>
    /// A resource gets the row of the last thread before it that waits for it when its column is free there;
    /// threads, and resources that find no place, get a new row.
    /// </summary>
    private static int[] Rows(WaitGraphShape shape)
    {
        int[] rows = new int[shape.Nodes.Count];
        HashSet<(int Row, bool IsLeft)> taken = [];
        int last = -1;
        for (int i = 0; i < rows.Length; i++)
        {
            bool isLeft = IsLeft(shape.Nodes[i]);
            int wanted = isLeft ? last + 1 : Math.Max(0, shape.Edges.Where(e => e.To == i && e.From < i).Select(e => rows[e.From]).DefaultIfEmpty(last).Max());
            rows[i] = taken.Contains((wanted, isLeft)) ? last + 1 : wanted;
            taken.Add((rows[i], isLeft));
            last = Math.Max(last, rows[i]);
        }

        return rows;
    }

    private double PlaceNodes()
    {
        double y = WaitGraphMeasures.Margin;
        for (int row = 0; row <= _row.DefaultIfEmpty(-1).Max(); row++)
        {
            int[] members = [.. Enumerable.Range(0, _row.Length).Where(i => _row[i] == row)];
            double height = members.Max(i => _shape.Nodes[i].Height);
            foreach (int i in members)
            {
                WaitGraphNode node = _shape.Nodes[i];
                _nodes[i] = node with { X = IsLeft(node) ? _left : _right, Y = y + ((height - node.Height) / 2) };
            }

            _top.Add(y);
            _height.Add(height);
            y += height + WaitGraphMeasures.RowGap;
        }

        return y - WaitGraphMeasures.RowGap;
    }

    private bool NeedsLane((int From, int To, Grade Grade, string Label) edge) =>
        IsLeft(_shape.Nodes[edge.To]) && _row[edge.To] != _row[edge.From] + 1;

    private WaitGraphLine Line((int From, int To, Grade Grade, string Label) edge)
    {
        WaitGraphNode from = _nodes[edge.From], to = _nodes[edge.To];
        double fromY = from.Y + (from.Height / 2), toY = to.Y + (to.Height / 2);
        if (!IsLeft(to))
        {
            double begin = from.X + from.Width, bus = begin + (WaitGraphMeasures.ColumnGap / 2);
            return _row[edge.From] == _row[edge.To]
                ? Made(edge, [(begin, fromY), (to.X, toY)], bus, fromY - 6)
                : Made(edge, [(begin, fromY), (bus, fromY), (bus, toY), (to.X, toY)], bus - 2, fromY - 6);
        }

        double gap = _top[_row[edge.From]] + _height[_row[edge.From]];
        double bottom = from.Y + from.Height, middle = from.X + (from.Width / 2);
        if (!NeedsLane(edge))
        {
            double turn = gap + (WaitGraphMeasures.RowGap / 2), target = to.X + (to.Width / 2);
            return middle == target
                ? Made(edge, [(middle, bottom), (middle, to.Y)], middle, turn + 4)
                : Made(edge, [(middle, bottom), (middle, turn), (target, turn), (target, to.Y)], (middle + target) / 2, turn - 4);
        }

        double lane = _left - (++_lanes * WaitGraphMeasures.LaneWidth), low = gap + (WaitGraphMeasures.RowGap * 0.36);
        return Made(edge, [(middle, bottom), (middle, low), (lane, low), (lane, toY), (to.X, toY)], middle - (WaitGraphMeasures.NodeWidth / 4), low - 4);
    }

    private static WaitGraphLine Made(
        (int From, int To, Grade Grade, string Label) edge, ImmutableArray<(double X, double Y)> points, double labelX, double labelY) =>
        new(edge.From, edge.To, points, edge.Grade, edge.Label, labelX, labelY);
}

/// <summary>A wait graph with the place of everything in it. No two nodes overlap, and all lies inside of the width and height.</summary>
/// <param name="Width">Width in pixels.</param>
/// <param name="Height">Height in pixels.</param>
/// <param name="Nodes">Nodes in the order of the chain.</param>
/// <param name="Lines">Edges in the order of the chain.</param>
/// <param name="Title">What the picture shows, in one phrase.</param>
/// <param name="Description">The same as the picture in sentences, for those who do not see it.</param>
public sealed record WaitGraphPicture(
    double Width, double Height, ImmutableArray<WaitGraphNode> Nodes, ImmutableArray<WaitGraphLine> Lines, string Title, string Description);
