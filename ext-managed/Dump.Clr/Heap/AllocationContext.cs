namespace Dump.Clr.Heap;

/// <summary>Room that a thread keeps for its next objects.</summary>
/// <param name="Next">Where the next object will begin.</param>
/// <param name="Limit">Where the room ends, but for the space of one smallest object, behind which the next object of the heap begins.</param>
internal readonly record struct AllocationContext(ulong Next, ulong Limit)
{
    /// <summary>The first object behind it.</summary>
    public ulong NextObject => Limit + MethodTableLayout.SmallestObject;
}
