using Dump.Model.Facts;

namespace Dump.Reports.Html.Graph;

/// <summary>Places the nodes of a cycle on a ring of two columns: the first at the upper left, on to the right, down, and back up on the left.</summary>
internal static class RingLayout
{
    /// <summary>Gives each node its place.</summary>
    /// <param name="shape">A ring: each node has one edge to the next, the last one to the first.</param>
    public static WaitGraphPlaces Place(WaitGraphShape shape)
    {
        int count = shape.Nodes.Count;
        int rows = (count + 1) / 2;
        double[] heights = [.. Enumerable.Range(0, rows).Select(row => Indexes(row, count).Max(i => shape.Nodes[i].Height))];
        double right = WaitGraphMeasures.Margin + WaitGraphMeasures.NodeWidth + WaitGraphMeasures.ColumnGap;
        WaitGraphNode[] nodes = new WaitGraphNode[count];
        double y = WaitGraphMeasures.Margin;
        for (int row = 0; row < rows; row++)
        {
            int[] indexes = Indexes(row, count);
            foreach (int index in indexes)
            {
                double x = indexes.Length == 1 && count > 1 ? (WaitGraphMeasures.Margin + right) / 2 : index == indexes[0] ? WaitGraphMeasures.Margin : right;
                nodes[index] = shape.Nodes[index] with { X = x, Y = y + ((heights[row] - shape.Nodes[index].Height) / 2) };
            }

            y += heights[row] + WaitGraphMeasures.RowGap;
        }

        WaitGraphLine[] lines = [.. shape.Edges.Select((edge, i) => Line(nodes, edge, count == 2 ? (i == 0 ? -11 : 11) : 0))];
        return new WaitGraphPlaces(right + WaitGraphMeasures.NodeWidth + WaitGraphMeasures.Margin, y - WaitGraphMeasures.RowGap + WaitGraphMeasures.Margin,
            nodes, lines);
    }

    /// <summary>The nodes of a row, the left one first; the last row of an odd ring has one.</summary>
    private static int[] Indexes(int row, int count) => row switch
    {
        0 => count == 1 ? [0] : [0, 1],
        _ when row + 1 == count - row => [row + 1],
        _ => [count - row, row + 1],
    };

    private static WaitGraphLine Line(WaitGraphNode[] nodes, (int From, int To, Grade Grade, string Label) edge, double shift)
    {
        WaitGraphNode from = nodes[edge.From], to = nodes[edge.To];
        (double x1, double y1) = Middle(from);
        (double x2, double y2) = Middle(to);
        (double X, double Y) start = Border(from, x2 - x1, y2 - y1), end = Border(to, x1 - x2, y1 - y2);
        (double X, double Y)[] points = [(start.X, start.Y + shift), (end.X, end.Y + shift)];
        double middleX = (start.X + end.X) / 2, middleY = (start.Y + end.Y) / 2;
        bool isLevel = Math.Abs(y2 - y1) < 1;
        return new WaitGraphLine(edge.From, edge.To, [.. points], edge.Grade, edge.Label, middleX, middleY + shift + (isLevel ? (shift > 0 ? 14 : -6) : 4));
    }

    private static (double X, double Y) Middle(WaitGraphNode node) => (node.X + (node.Width / 2), node.Y + (node.Height / 2));

    /// <summary>Where a line from the middle of a node in some direction leaves it.</summary>
    private static (double X, double Y) Border(WaitGraphNode node, double dx, double dy)
    {
        double scale = Math.Min(dx == 0 ? double.MaxValue : node.Width / 2 / Math.Abs(dx), dy == 0 ? double.MaxValue : node.Height / 2 / Math.Abs(dy));
        (double x, double y) = Middle(node);
        return (x + (dx * scale), y + (dy * scale));
    }
}
