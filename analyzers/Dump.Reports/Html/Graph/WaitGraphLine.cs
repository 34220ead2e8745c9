using System.Collections.Immutable;
using Dump.Model.Facts;

namespace Dump.Reports.Html.Graph;

/// <summary>An edge of a drawn wait graph: a line with an arrow at its end.</summary>
/// <param name="From">Index of the node where it begins.</param>
/// <param name="To">Index of the node where it ends.</param>
/// <param name="Points">Corners from begin to end, at least two.</param>
/// <param name="Grade">How well the edge is known.</param>
/// <param name="Label">What the edge means, for example <c>waits for</c>; empty for none.</param>
/// <param name="LabelX">Middle of the label.</param>
/// <param name="LabelY">Base line of the label.</param>
public sealed record WaitGraphLine(int From, int To, ImmutableArray<(double X, double Y)> Points, Grade Grade, string Label, double LabelX, double LabelY);
