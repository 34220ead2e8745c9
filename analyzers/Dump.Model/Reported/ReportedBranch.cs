using System.Collections.Immutable;

namespace Dump.Model.Reported;

/// <summary>A run of frames that some threads share, down to where they part.</summary>
/// <param name="Node">Its number; 0 is the root.</param>
/// <param name="Parent">Number of the branch that it parts from, or null for the root.</param>
/// <param name="Frames">Names without offsets, outermost first.</param>
/// <param name="Threads">Ids of all threads that go through these frames.</param>
/// <param name="Ending">Those of them whose innermost frame is the last one here.</param>
public sealed record ReportedBranch(int Node, int? Parent, ImmutableArray<string> Frames, ImmutableArray<uint> Threads, ImmutableArray<uint> Ending);
