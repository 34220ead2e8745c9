namespace Dump.Clr.Heap;

/// <summary>A range of the heap that is filled with objects, one behind the other.</summary>
/// <param name="Start">First object.</param>
/// <param name="End">Address behind the last object.</param>
/// <param name="Contexts">Allocation contexts in it by address: unused rooms that threads keep for their next objects.</param>
internal sealed record HeapSegment(ulong Start, ulong End, IReadOnlyList<AllocationContext> Contexts);
