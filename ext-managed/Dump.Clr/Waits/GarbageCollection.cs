using Dump.Clr.Collections;
using Dump.Clr.Frames;
using Dump.Readers.Instructions;
using Microsoft.Diagnostics.Runtime;

namespace Dump.Clr.Waits;

/// <summary>Threads that the runtime keeps until a garbage collection is over.</summary>
internal sealed class GarbageCollection
{
    private readonly ClrRuntime _runtime;
    private readonly Lazy<bool> _goesOn;
    private readonly Lazy<bool> _allHaveStopped;

    /// <summary>Looks at a process.</summary>
    /// <param name="runtime">Its runtime.</param>
    /// <param name="native">Its native half.</param>
    /// <param name="threads">Its managed threads by id.</param>
    public GarbageCollection(ClrRuntime runtime, NativeWaits native, IReadOnlyDictionary<uint, ManagedThread> threads)
    {
        _runtime = runtime;
        _goesOn = new Lazy<bool>(() => !runtime.Heap.Segments.IsEmpty && native.SomeGoOn(runtime.DataTarget.DataReader, threads.ContainsKey));
        _allHaveStopped = new Lazy<bool>(() => threads.Values.All(t => t.Thread.GCMode == GCMode.Preemptive));
    }

    /// <summary>
    /// True when a thread that blocks inside of the runtime, through nothing that its frames name, waits for the end of a garbage collection: some thread goes
    /// on without help, so that the collection can, and either the collector has marked the heap as not to be walked, which it does during a part of its work
    /// (seen on cores of .NET 10 with workstation and server collection), or the thread stands in a helper of compiled code while no thread is still to be
    /// stopped. A collection that no thread carries out leaves the wait unidentified, and so does a heap whose segments are unknown: a dump without them looks
    /// as if it could not be walked either.
    /// </summary>
    public bool IsWaitedFor(ManagedThread thread) =>
        _goesOn.Value && (!_runtime.Heap.CanWalkHeap || (_allHaveStopped.Value && StandsInHelper(thread)));

    /// <summary>
    /// True when compiled code has called a function of the runtime directly, which marks that with a frame of its own: from .NET 10 on those that allocate do
    /// so (seen in 10.0.12; dotnet/runtime, src/coreclr/vm/jithelpers.cpp). Up to .NET 9 that marker belonged to helpers which are called through a stub of the
    /// calling image, so that the call leads elsewhere.
    /// </summary>
    private bool StandsInHelper(ManagedThread thread) =>
        thread.Frames is [{ MarkerName: "DynamicHelperFrame" }, ..] && thread.Code is [{ InstructionPointer: var back }, ..]
            && CallTargetReader.Before(new ClrMemory(_runtime.DataTarget.DataReader), back) is { } function && _runtime.ClrInfo.ModuleInfo is { ImageSize: > 0 } module
            && function >= module.ImageBase && function - module.ImageBase < (ulong)module.ImageSize;
}
