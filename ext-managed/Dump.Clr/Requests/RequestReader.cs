using System.Collections.Immutable;
using Dump.Clr.Awaits;
using Dump.Clr.Collections;
using Dump.Clr.Frames;
using Dump.Clr.Heap;
using Dump.Clr.Runtimes;
using Dump.Model.Managed;
using Dump.Model.Waits;
using Dump.Readers;
using Microsoft.Diagnostics.Runtime;

namespace Dump.Clr.Requests;

/// <summary>Reads the requests that a process serves and sends, from the pending async methods of its heap and from its stacks.</summary>
internal static class RequestReader
{
    /// <summary>Reads them.</summary>
    /// <param name="runtime">The runtime.</param>
    /// <param name="memory">Memory of the process; null to read through the runtime's reader.</param>
    /// <param name="threads">Threads with their stacks.</param>
    /// <param name="waits">What threads wait for.</param>
    /// <param name="places">Knows the methods' places in the code.</param>
    /// <param name="settings">Whether strings of users are read too.</param>
    /// <param name="progress">Receives what is being done.</param>
    /// <param name="cancellation">Ends the reading.</param>
    /// <exception cref="OperationCanceledException">The reading was ended.</exception>
    public static RequestsInFlight Read(
        ClrRuntime runtime, IMemory? memory, IReadOnlyCollection<ManagedThread> threads, IEnumerable<WaitFact> waits, ManagedPlaces places,
        ClrReadOptions settings, IProgress<string>? progress, CancellationToken cancellation)
    {
        IMemory known = memory ?? new ClrMemory(runtime.DataTarget.DataReader);
        IReadOnlyList<HeapSegment> segments = ClrHeapSegments.Read(runtime.Heap);
        AsyncTypes types = new(runtime, places, settings.OnLibraryFault);
        progress?.Report("walking the managed heap");
        (HeapWalkFacts facts, ImmutableArray<AsyncVisitor> visitors) = HeapWalk.Run(
            known, segments, types, () => new AsyncVisitor(new BlockMemory(known), types),
            progress is null ? null : share => progress.Report($"walking the managed heap: {share * 100:0} %"), cancellation);
        progress?.Report("looking for requests");
        AsyncNodes nodes = new(visitors);
        Continuations continuations = new(new BlockMemory(known), types, nodes);
        AwaitGraph graph = new(nodes, continuations);
        AwaitEnds ends = new(nodes, graph, continuations, visitors.SelectMany(v => v.Semaphores).OrderBy(s => s.Address));
        AwaitSteps steps = new(nodes, graph, continuations, types, AsyncForestReader.Running(threads));
        RequestWaits standing = new(nodes, graph, steps, ends, threads, places);
        RequestObjects objects = new(settings.RequestValues, settings.OnLibraryFault);
        SentRequests sent = new(runtime, known, nodes, new AwaitQueues(nodes, graph, continuations), standing, objects);
        ILookup<ulong, uint> blocked = waits.Where(w => w.Resource.Kind == ResourceKind.ManagedTask).ToLookup(w => w.Resource.Identity, w => w.ThreadId);
        ImmutableArray<RequestInFlight> outgoing = sent.Read(blocked, cancellation);
        ServedRequests served = new(runtime, known, nodes, standing, objects, threads);
        ImmutableArray<RequestInFlight> incoming = served.Read(sent.AnswerOf, cancellation);
        return new RequestsInFlight
        {
            HeapIsPresent = ClrHeapSegments.ArePresent(known, segments),
            Libraries = [.. new[] { served.Library, sent.Library }.OfType<RequestLibrary>()],
            Requests = [.. incoming, .. outgoing],
            LeftOut = served.LeftOut + sent.LeftOut,
            Unreadable = visitors.Sum(v => v.Unreadable) + objects.Unreadable,
            Walk = facts,
        };
    }
}
