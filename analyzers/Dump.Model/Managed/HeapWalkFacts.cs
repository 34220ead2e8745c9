using System.Collections.Immutable;

namespace Dump.Model.Managed;

/// <summary>What a walk over the managed heap met.</summary>
/// <param name="Segments">Segments of the heap.</param>
/// <param name="Objects">Objects passed, free blocks included.</param>
/// <param name="Bytes">Bytes of the segments together.</param>
/// <param name="Types">Different types (method tables) met.</param>
/// <param name="Gaps">Places where an object was just being made, which the walk passed over by the record of its allocation context.</param>
/// <param name="Stops">Segments that could not be walked to their ends.</param>
public sealed record HeapWalkFacts(int Segments, long Objects, long Bytes, int Types, int Gaps, ImmutableArray<HeapStop> Stops);
