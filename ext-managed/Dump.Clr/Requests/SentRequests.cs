using System.Collections.Immutable;
using Dump.Clr.Awaits;
using Dump.Model.Managed;
using Dump.Model.Text;
using Dump.Readers;
using Microsoft.Diagnostics.Runtime;

namespace Dump.Clr.Requests;

/// <summary>Requests of <c>HttpClient</c> that have no answer yet: messages that a pending async method of its assembly keeps.</summary>
/// <param name="runtime">The runtime.</param>
/// <param name="memory">Memory of the process.</param>
/// <param name="nodes">The tasks.</param>
/// <param name="queues">Who awaits a task.</param>
/// <param name="waits">Where they stand.</param>
/// <param name="objects">Reads their objects.</param>
internal sealed class SentRequests(ClrRuntime runtime, IMemory memory, AsyncNodes nodes, AwaitQueues queues, RequestWaits waits, RequestObjects objects)
{
    private const int MostMethods = 1_000_000;
    private const int LongestClimb = 64;
    private const int LongestHost = 256;
    private readonly Dictionary<int, ulong> _messages = [];
    private readonly Dictionary<ulong, RequestInFlight> _requests = [];

    /// <summary>The library, or null when the process does not have it.</summary>
    public RequestLibrary? Library { get; private set; }

    /// <summary>How many are not listed.</summary>
    public long LeftOut { get; private set; }

    /// <summary>What a method of the library waits for, in words, with the message; null for another method.</summary>
    public (string Words, ulong Object)? AnswerOf(int node) => _messages.TryGetValue(node, out ulong message)
        && _requests.TryGetValue(message, out RequestInFlight? request)
            ? ($"the answer of {RequestInFlight.Place(request.Host, request.Port) ?? "an unknown host"} to {request.Method ?? "a request"}", message)
            : null;

    /// <summary>Reads them, by address.</summary>
    /// <param name="blocked">Threads by the task that they wait for.</param>
    /// <param name="cancellation">Ends the reading.</param>
    public ImmutableArray<RequestInFlight> Read(ILookup<ulong, uint> blocked, CancellationToken cancellation)
    {
        Library = LibraryVersion.Find(
            runtime, memory, RequestKind.Sent, HttpClientLayout.Assembly, HttpClientLayout.Framework, HttpClientLayout.Checked);
        if (Library is not { Gap: RequestGap.None })
        {
            return [];
        }

        MachineField field = new(runtime.Heap, HttpClientLayout.Message);
        for (int i = 0; i < nodes.Count && _messages.Count < MostMethods; i++)
        {
            cancellation.ThrowIfCancellationRequested();
            if (nodes[i].IsMethod && nodes[i].Type.Name.StartsWith(HttpClientLayout.Methods, StringComparison.Ordinal)
                && field.Of(nodes[i].Address) is { Type.Name: HttpClientLayout.MessageType } message)
            {
                _messages.Add(i, message.Address);
            }
        }

        IGrouping<ulong, int>[] messages = [.. _messages.GroupBy(m => m.Value, m => m.Key).OrderBy(g => g.Key)];
        LeftOut = Math.Max(0, messages.Length - RequestObjects.MostRequests);
        foreach (IGrouping<ulong, int> methods in messages.Take(RequestObjects.MostRequests))
        {
            ClrObject message = runtime.Heap.GetObject(methods.Key);
            if (!RequestObjects.Has(message, HttpClientLayout.Required))
            {
                Library = Library with { Gap = RequestGap.FieldsMissing };
                _requests.Clear();
                return [];
            }

            if (objects.Unless(() => Read(message) with { Wait = WaitOf(methods.First(), methods.Key, blocked) }) is { } request)
            {
                _requests.Add(methods.Key, request);
            }
        }

        return [.. _requests.Values];
    }

    private RequestInFlight Read(ClrObject message)
    {
        Uri? address = RequestObjects.Follow(message, HttpClientLayout.Address) is { } uri && RequestObjects.Raw(uri, HttpClientLayout.AddressText) is { } text
            && Uri.TryCreate(text, UriKind.Absolute, out Uri? parsed) ? parsed : null;
        return new RequestInFlight(RequestKind.Sent, message.Address)
        {
            Method = RequestObjects.Follow(message, HttpClientLayout.Method) is { } method ? Standard(RequestObjects.Name(method, HttpClientLayout.MethodText)) : null,
            Host = address is null ? null : SafeText.Clean(address.Host, LongestHost),
            Port = address is { Port: >= 0 and var port } ? port : null,
            Path = objects.WithValues && address is not null ? SafeText.Clean(address.AbsolutePath) : null,
            Query = objects.WithValues && address is { Query.Length: > 0 } ? SafeText.Clean(address.Query) : null,
        };
    }

    /// <summary>A method of the program's own may be a string of a user's.</summary>
    private static string? Standard(string? method) => method is not null && KestrelLayout.Methods.Contains(method) ? method : null;

    /// <summary>What the outermost of its methods in the library waits for, and the method of the program's own that awaits that one, or the thread.</summary>
    private RequestWait WaitOf(int method, ulong message, ILookup<ulong, uint> blocked)
    {
        int outermost = method;
        int? caller = null;
        uint? thread = null;
        int? at = method;
        for (int step = 0; at is { } node && step < LongestClimb; step++, at = queues.Awaiter(node))
        {
            if (_messages.GetValueOrDefault(node) == message)
            {
                (outermost, caller, thread) = (node, null, null);
            }
            else if (caller is null && nodes[node].IsMethod && MethodOrigins.IsOfProgram(nodes[node].Type.Name))
            {
                caller = node;
            }

            thread ??= blocked[nodes[node].Address].Select(t => (uint?)t).FirstOrDefault();
        }

        RequestWait wait = waits.Of(outermost);
        RequestWait? there = caller is null && thread is { } id ? waits.On(id) : null;
        return wait with
        {
            Method = caller is { } own ? nodes[own].Type.Name : there?.Method,
            Place = caller is { } standing ? AwaitQueues.PlaceOf(nodes[standing]) : there?.Place,
            Thread = wait.Thread ?? thread,
        };
    }
}
