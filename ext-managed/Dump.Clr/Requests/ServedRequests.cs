using System.Collections.Immutable;
using Dump.Clr.Awaits;
using Dump.Clr.Frames;
using Dump.Model.Managed;
using Dump.Readers;
using Microsoft.Diagnostics.Runtime;

namespace Dump.Clr.Requests;

/// <summary>Requests that Kestrel has given to the program: by the pending methods that serve connections and streams, and by threads that execute one.</summary>
/// <param name="runtime">The runtime.</param>
/// <param name="memory">Memory of the process.</param>
/// <param name="nodes">The tasks.</param>
/// <param name="waits">Where they stand.</param>
/// <param name="objects">Reads their objects.</param>
/// <param name="threads">Threads with their stacks.</param>
internal sealed class ServedRequests(
    ClrRuntime runtime, IMemory memory, AsyncNodes nodes, RequestWaits waits, RequestObjects objects, IReadOnlyCollection<ManagedThread> threads)
{
    /// <summary>The library, or null when the process does not have it.</summary>
    public RequestLibrary? Library { get; private set; }

    /// <summary>How many are not listed.</summary>
    public long LeftOut { get; private set; }

    /// <summary>Reads them, by address.</summary>
    /// <param name="answer">What a task stands for that a request awaits.</param>
    /// <param name="cancellation">Ends the reading.</param>
    public ImmutableArray<RequestInFlight> Read(Func<int, (string Words, ulong Object)?> answer, CancellationToken cancellation)
    {
        Library = LibraryVersion.Find(
            runtime, memory, RequestKind.Served, KestrelLayout.Assembly, KestrelLayout.Framework, KestrelLayout.Checked);
        if (Library is not { Gap: RequestGap.None })
        {
            return [];
        }

        // A request that has awaited nothing yet.
        Dictionary<ulong, uint> executed = objects.Executed(
            threads.Where(t => t.Code.Any(f => f.Described?.ReportedName == KestrelLayout.Serve)), t => t.Roots.Concat(t.Interiors).Select(r => r.Object),
            o => IsProtocol(o) && IsInFlight(o));
        Dictionary<ulong, int> pending = Pending(cancellation);
        SortedDictionary<ulong, RequestInFlight> found = [];
        foreach (ulong address in pending.Keys.Union(executed.Keys))
        {
            cancellation.ThrowIfCancellationRequested();
            ClrObject protocol = runtime.Heap.GetObject(address);
            if (objects.Lacks(protocol, KestrelLayout.Required))
            {
                Library = Library with { Gap = RequestGap.FieldsMissing };
                return [];
            }

            if (objects.Unless(() => IsInFlight(protocol) ? Read(protocol) : null) is { } request)
            {
                RequestWait wait = pending.TryGetValue(address, out int method) ? waits.Of(method, answer) : new RequestWait(RequestState.Unknown);
                found.Add(address, request with
                {
                    Wait = wait.State == RequestState.Unknown && executed.TryGetValue(address, out uint thread) ? waits.On(thread) : wait,
                });
            }
        }

        LeftOut = Math.Max(0, found.Count - RequestObjects.MostRequests);
        return [.. found.Values.Take(RequestObjects.MostRequests)];
    }

    /// <summary>The methods that serve connections and streams, by these.</summary>
    private Dictionary<ulong, int> Pending(CancellationToken cancellation)
    {
        MachineField field = new(runtime.Heap, objects, KestrelLayout.This);
        Dictionary<ulong, int> pending = [];
        for (int i = 0; i < nodes.Count; i++)
        {
            cancellation.ThrowIfCancellationRequested();
            if (nodes[i] is { IsMethod: true, Type.Name: KestrelLayout.Serve } && field.Of(nodes[i].Address) is { } protocol && IsProtocol(protocol))
            {
                pending.TryAdd(protocol.Address, i);
            }
        }

        if (field.IsMissing)
        {
            Library = Library! with { Gap = RequestGap.FieldsMissing };
        }

        return pending;
    }

    private bool IsProtocol(ClrObject candidate) => objects.Is(candidate, KestrelLayout.Protocol);

    /// <summary>A connection says how far its request is; a stream has one request alone, and says only whether the response has begun or ended.</summary>
    private static bool IsInFlight(ClrObject protocol) =>
        protocol.TryReadField(KestrelLayout.Status, out int status) && protocol.Type?.Name is { } name
        && (status is >= KestrelLayout.Started and <= KestrelLayout.HeadersFlushed
            || (status == KestrelLayout.Pending && name.StartsWith(KestrelLayout.Stream, StringComparison.Ordinal)))
        && (name.StartsWith(KestrelLayout.Connection, StringComparison.Ordinal) || name.StartsWith(KestrelLayout.Stream, StringComparison.Ordinal));

    private RequestInFlight Read(ClrObject protocol) => new(RequestKind.Served, protocol.Address)
    {
        Method = protocol.TryReadField(KestrelLayout.Method, out byte method) ? KestrelLayout.Methods.ElementAtOrDefault(method) : null,
        Protocol = protocol.TryReadField(KestrelLayout.Version, out sbyte version) ? KestrelLayout.Versions.ElementAtOrDefault(version) : null,
        Route = RequestObjects.Follow(protocol, KestrelLayout.Endpoint, KestrelLayout.Pattern) is { } pattern
            ? RequestObjects.Name(pattern, KestrelLayout.PatternText) : null,
        Connection = RequestObjects.Name(protocol, KestrelLayout.ConnectionId),
        Started = StartOf(protocol),
        ClientIsGone = protocol.TryReadField(KestrelLayout.Aborted, out byte aborted) ? aborted != 0 : null,
        Path = objects.Value(protocol, KestrelLayout.Path),
        Query = objects.Value(protocol, KestrelLayout.Query),
    };

    private static DateTime? StartOf(ClrObject protocol) =>
        RequestObjects.Follow(protocol, KestrelLayout.HostContext, KestrelLayout.ActivityFeature, KestrelLayout.Activity) is { } activity
            && activity.TryReadField(KestrelLayout.ActivityStart, out ulong data) && (data & KestrelLayout.TicksMask) is var ticks
            && ticks > (ulong)DateTime.UnixEpoch.Ticks && ticks <= (ulong)DateTime.MaxValue.Ticks
            ? new DateTime((long)ticks, DateTimeKind.Utc) : null;
}
