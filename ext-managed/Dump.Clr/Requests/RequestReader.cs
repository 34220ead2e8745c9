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

/// <summary>Reads the requests that a process serves and sends, and its commands to databases, from the pending async methods of its heap and from its stacks.</summary>
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
        RequestsInFlight found = Find(
            runtime, known, new PendingTasks(known, types, visitors, AsyncForestReader.Running(threads)), threads, waits, places, settings, cancellation);
        return found with
        {
            HeapIsPresent = ClrHeapSegments.ArePresent(known, segments), Unreadable = found.Unreadable + visitors.Sum(v => v.Unreadable), Walk = facts,
        };
    }

    /// <summary>Reads them among pending tasks that were collected before.</summary>
    /// <param name="runtime">The runtime.</param>
    /// <param name="known">Memory of the process.</param>
    /// <param name="tasks">The tasks.</param>
    /// <param name="threads">Threads with their stacks.</param>
    /// <param name="waits">What threads wait for.</param>
    /// <param name="places">Knows the methods' places in the code.</param>
    /// <param name="settings">Whether strings of users are read too.</param>
    /// <param name="cancellation">Ends the reading.</param>
    /// <exception cref="OperationCanceledException">The reading was ended.</exception>
    public static RequestsInFlight Find(
        ClrRuntime runtime, IMemory known, PendingTasks tasks, IReadOnlyCollection<ManagedThread> threads, IEnumerable<WaitFact> waits, ManagedPlaces places,
        ClrReadOptions settings, CancellationToken cancellation)
    {
        AsyncNodes nodes = tasks.Nodes;
        RequestWaits standing = new(
            nodes, tasks.Graph, tasks.Steps, tasks.Ends, new AwaitQueues(nodes, tasks.Graph, tasks.Continuations),
            waits.Where(w => w.Resource.Kind == ResourceKind.ManagedTask).ToLookup(w => w.Resource.Identity, w => w.ThreadId), threads, places);
        RequestObjects objects = new(settings.RequestValues, settings.OnLibraryFault);
        SentRequests sent = new(runtime, known, nodes, standing, objects);
        DatabaseCommands commands = new(runtime, known, nodes, standing, objects, threads);
        ServedRequests served = new(runtime, known, nodes, standing, objects, threads);
        ImmutableArray<RequestInFlight> outgoing = [.. sent.Read(cancellation), .. commands.Read(cancellation)];
        ImmutableArray<RequestInFlight> incoming = served.Read(n => sent.AnswerOf(n) ?? commands.AnswerOf(n), cancellation);
        return new RequestsInFlight
        {
            HeapIsPresent = true,
            Libraries = [.. new[] { served.Library, sent.Library, commands.Library }.OfType<RequestLibrary>()],
            Requests = [.. Joined(incoming, outgoing), .. outgoing],
            LeftOut = served.LeftOut + sent.LeftOut + commands.LeftOut,
            Unreadable = objects.Unreadable,
        };
    }

    /// <summary>What a request waits for that has sent another one: its answer, in words.</summary>
    /// <param name="sent">The other one.</param>
    public static string Answer(RequestInFlight sent) => $"the answer of {sent.Place ?? "an unknown host"}{(sent.Method is { } method ? $" to {method}" : "")}";

    /// <summary>Requests that keep a thread, with what this thread has sent.</summary>
    private static IEnumerable<RequestInFlight> Joined(ImmutableArray<RequestInFlight> incoming, ImmutableArray<RequestInFlight> outgoing)
    {
        Dictionary<uint, RequestInFlight> byThread = outgoing.Where(r => r.Wait.Thread is not null).DistinctBy(r => r.Wait.Thread)
            .ToDictionary(r => r.Wait.Thread ?? 0);
        return incoming.Select(r => r.Wait is { Awaited: null, Thread: { } thread } && byThread.TryGetValue(thread, out RequestInFlight? sent)
            ? r with { Wait = r.Wait with { Awaited = Answer(sent), Object = sent.Address } } : r);
    }
}
