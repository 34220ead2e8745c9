using System.Collections.Immutable;
using Dump.Model.Process;

namespace Dump.Reports;

/// <summary>A run of frames that some threads share, down to where they part.</summary>
/// <param name="Frames">Names of the frames, outermost first; empty for the root and for threads without frames.</param>
/// <param name="Threads">All threads whose stacks go through these frames, in the order of the dump.</param>
/// <param name="Ending">Those of them whose innermost frame is the last one here.</param>
/// <param name="Children">Where the others go on: most threads first, then by name.</param>
public sealed record StackTreeNode(
    ImmutableArray<string> Frames,
    ImmutableArray<ThreadSnapshot> Threads,
    ImmutableArray<ThreadSnapshot> Ending,
    ImmutableArray<StackTreeNode> Children);
