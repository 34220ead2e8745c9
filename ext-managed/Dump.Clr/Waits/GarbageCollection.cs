using Microsoft.Diagnostics.Runtime;

namespace Dump.Clr.Waits;

/// <summary>Threads that the runtime keeps until a garbage collection is over.</summary>
internal static class GarbageCollection
{
    /// <summary>
    /// True when a thread that blocks inside of the runtime, through nothing that its frames name, waits for the end of a garbage collection: the collector
    /// has marked the heap as not to be walked, which it does while it collects with the program stopped (seen on cores of .NET 10 with workstation and server
    /// collection), and some thread executes code, so that the collection can go on. A collection that no thread carries out leaves the wait unidentified,
    /// and so does a heap whose segments are unknown: a dump without them looks as if it could not be walked either.
    /// </summary>
    public static bool IsWaitedFor(ClrHeap heap, NativeWaits native) => !heap.CanWalkHeap && !heap.Segments.IsEmpty && native.SomeRun;
}
