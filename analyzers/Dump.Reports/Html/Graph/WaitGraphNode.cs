using System.Collections.Immutable;

namespace Dump.Reports.Html.Graph;

/// <summary>A node of a drawn wait graph. Lengths are pixels of the drawing, the origin is at the upper left.</summary>
/// <param name="Kind">What it stands for.</param>
/// <param name="X">Left edge.</param>
/// <param name="Y">Upper edge.</param>
/// <param name="Width">Width.</param>
/// <param name="Height">Height.</param>
/// <param name="Labels">Lines of text, the first is the most important; each fits into the node.</param>
/// <param name="Text">The whole text, which the labels may cut.</param>
/// <param name="IsCulprit">True for the thread whose code the verdict blames.</param>
public sealed record WaitGraphNode(
    WaitGraphNodeKind Kind, double X, double Y, double Width, double Height, ImmutableArray<string> Labels, string Text, bool IsCulprit);

/// <summary>What a node of a drawn wait graph stands for.</summary>
public enum WaitGraphNodeKind
{
    /// <summary>A thread of the process.</summary>
    Thread,

    /// <summary>A holder that no longer exists or is no thread of the process.</summary>
    Foreign,

    /// <summary>Something threads wait for.</summary>
    Resource,

    /// <summary>Links that are left out.</summary>
    More,
}
