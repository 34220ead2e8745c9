using System.Text.Json.Serialization;

namespace Dump.Model.Managed;

/// <summary>A place where the walk over a segment of the managed heap ended before the segment did.</summary>
/// <param name="SegmentStart">First object of the segment.</param>
/// <param name="Address">Where the walk ended.</param>
/// <param name="BytesLeft">How much of the segment lies behind it, bytes.</param>
/// <param name="Reason">Why, in words.</param>
public sealed record HeapStop([property: JsonPropertyName("segment")] ulong SegmentStart, ulong Address, long BytesLeft, string Reason);
