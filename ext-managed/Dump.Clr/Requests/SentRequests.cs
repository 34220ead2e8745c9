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
/// <param name="waits">Where they stand.</param>
/// <param name="objects">Reads their objects.</param>
internal sealed class SentRequests(ClrRuntime runtime, IMemory memory, AsyncNodes nodes, RequestWaits waits, RequestObjects objects)
{
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
            ? (RequestReader.Answer(request), message) : null;

    /// <summary>Reads them, by address.</summary>
    /// <param name="cancellation">Ends the reading.</param>
    public ImmutableArray<RequestInFlight> Read(CancellationToken cancellation)
    {
        Library = LibraryVersion.Find(
            runtime, memory, RequestKind.Sent, HttpClientLayout.Assembly, HttpClientLayout.Framework, HttpClientLayout.Checked);
        if (Library is not { Gap: RequestGap.None })
        {
            return [];
        }

        MachineField field = new(runtime.Heap, objects, HttpClientLayout.Message);
        for (int i = 0; i < nodes.Count && _messages.Count < RequestObjects.MostMethods; i++)
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
            if (objects.Lacks(message, HttpClientLayout.Required))
            {
                Library = Library with { Gap = RequestGap.FieldsMissing };
                _requests.Clear();
                return [];
            }

            if (objects.Unless(() => Read(message) with { Wait = waits.OfCall(methods.First(), m => _messages.GetValueOrDefault(m) == methods.Key) }) is { } request)
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
}
