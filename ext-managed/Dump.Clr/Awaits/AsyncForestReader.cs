using Dump.Clr.Collections;
using Dump.Clr.Frames;
using Dump.Clr.Heap;
using Dump.Clr.Tasks;
using Dump.Model.Managed;
using Dump.Model.Waits;
using Dump.Readers;
using Microsoft.Diagnostics.Runtime;

namespace Dump.Clr.Awaits;

/// <summary>Reads the chains of awaits of a process.</summary>
internal static class AsyncForestReader
{
    /// <summary>Reads them.</summary>
    /// <param name="runtime">The runtime.</param>
    /// <param name="memory">Memory of the process; null to read through the runtime's reader.</param>
    /// <param name="threads">Threads with their stacks.</param>
    /// <param name="waits">What threads wait for.</param>
    /// <param name="places">Knows the methods of state machines.</param>
    /// <param name="onFault">Called for each type on which the data-access library fails; null where nobody asks.</param>
    /// <param name="progress">Receives what is being done.</param>
    /// <param name="cancellation">Ends the reading early.</param>
    public static AsyncForest Read(
        ClrRuntime runtime, IMemory? memory, IReadOnlyCollection<ManagedThread> threads, IEnumerable<WaitFact> waits, ManagedPlaces places,
        Action? onFault, IProgress<string>? progress, CancellationToken cancellation)
    {
        IMemory known = memory ?? new ClrMemory(runtime.DataTarget.DataReader);
        AsyncForestScan scan = new(known, ClrHeapSegments.Read(runtime.Heap), new AsyncTypes(runtime, places, onFault));
        IEnumerable<(uint, ulong)> blocked = waits.Where(w => w.Resource.Kind == ResourceKind.ManagedTask).Select(w => (w.ThreadId, w.Resource.Identity));
        AsyncForest forest = scan.Scan(blocked, Running(threads), () => OutsideReferences.Of(runtime, known, threads), progress, cancellation);
        return forest with { RuntimeVersion = RuntimeVersion.Of(runtime) };
    }

    /// <summary>Threads by the async method that they run.</summary>
    public static IReadOnlyDictionary<ulong, uint> Running(IEnumerable<ManagedThread> threads)
    {
        Dictionary<ulong, uint> running = [];
        foreach (ManagedThread thread in threads)
        {
            foreach (ClrObject method in AsyncMethodBoxes.RunBy(thread))
            {
                running.TryAdd(method.Address, thread.Id);
            }
        }

        return running;
    }
}
