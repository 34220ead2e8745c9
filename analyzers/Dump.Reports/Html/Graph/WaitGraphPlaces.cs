namespace Dump.Reports.Html.Graph;

/// <summary>What a layout makes: places of nodes and lines, and the size of all.</summary>
internal sealed record WaitGraphPlaces(double Width, double Height, IReadOnlyList<WaitGraphNode> Nodes, IReadOnlyList<WaitGraphLine> Lines);
