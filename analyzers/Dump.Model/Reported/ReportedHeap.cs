using System.Collections.Immutable;

namespace Dump.Model.Reported;

/// <summary>What a walk over the managed heap met.</summary>
/// <param name="Segments">Segments of the heap.</param>
/// <param name="Objects">Objects passed, free blocks included.</param>
/// <param name="Bytes">Bytes of the segments together.</param>
/// <param name="Types">Different types met.</param>
/// <param name="Gaps">Places passed over because an object was just being made there.</param>
/// <param name="Stops">Segments that could not be walked to their ends.</param>
public sealed record ReportedHeap(int Segments, long Objects, long Bytes, int Types, int Gaps, ImmutableArray<ReportedHeapStop> Stops);
