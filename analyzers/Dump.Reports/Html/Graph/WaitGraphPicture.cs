using System.Collections.Immutable;

namespace Dump.Reports.Html.Graph;

/// <summary>A wait graph with the place of everything in it. No two nodes overlap, and all lies inside of the width and height.</summary>
/// <param name="Width">Width in pixels.</param>
/// <param name="Height">Height in pixels.</param>
/// <param name="Nodes">Nodes in the order of the chain.</param>
/// <param name="Lines">Edges in the order of the chain.</param>
/// <param name="Title">What the picture shows, in one phrase.</param>
/// <param name="Description">The same as the picture in sentences, for those who do not see it.</param>
public sealed record WaitGraphPicture(
    double Width, double Height, ImmutableArray<WaitGraphNode> Nodes, ImmutableArray<WaitGraphLine> Lines, string Title, string Description);
