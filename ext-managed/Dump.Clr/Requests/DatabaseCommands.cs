using System.Collections.Immutable;
using Dump.Clr.Awaits;
using Dump.Clr.Frames;
using Dump.Model.Managed;
using Dump.Readers;
using Microsoft.Diagnostics.Runtime;

namespace Dump.Clr.Requests;

/// <summary>Commands of Npgsql that are being executed: those that a pending async method has, and those that a thread executes.</summary>
/// <param name="runtime">The runtime.</param>
/// <param name="memory">Memory of the process.</param>
/// <param name="nodes">The tasks.</param>
/// <param name="waits">Where they stand.</param>
/// <param name="objects">Reads their objects.</param>
/// <param name="threads">Threads with their stacks.</param>
internal sealed class DatabaseCommands(
    ClrRuntime runtime, IMemory memory, AsyncNodes nodes, RequestWaits waits, RequestObjects objects, IReadOnlyCollection<ManagedThread> threads)
{
    private readonly Dictionary<int, ulong> _methods = [];
    private readonly SortedDictionary<ulong, RequestInFlight> _commands = [];

    /// <summary>The library, or null when the process does not have it.</summary>
    public RequestLibrary? Library { get; private set; }

    /// <summary>How many are not listed.</summary>
    public long LeftOut { get; private set; }

    /// <summary>What a method of the library waits for, in words, with the command; null for another method.</summary>
    public (string Words, ulong Object)? AnswerOf(int node) => _methods.TryGetValue(node, out ulong command)
        && _commands.TryGetValue(command, out RequestInFlight? known) ? (RequestReader.Answer(known), command) : null;

    /// <summary>Reads them, by address.</summary>
    /// <param name="cancellation">Ends the reading.</param>
    public ImmutableArray<RequestInFlight> Read(CancellationToken cancellation)
    {
        Library = LibraryVersion.Find(runtime, memory, RequestKind.Command, NpgsqlLayout.Assembly, null, NpgsqlLayout.Checked);
        if (Library is not { Gap: RequestGap.None })
        {
            return [];
        }

        MachineField field = new(runtime.Heap, objects, NpgsqlLayout.This);
        for (int i = 0; i < nodes.Count && _methods.Count < RequestObjects.MostMethods; i++)
        {
            cancellation.ThrowIfCancellationRequested();
            if (nodes[i].IsMethod && nodes[i].Type.Name.StartsWith(NpgsqlLayout.Methods, StringComparison.Ordinal)
                && field.Of(nodes[i].Address) is { } command && IsCommand(command))
            {
                _methods.Add(i, command.Address);
            }
        }

        ILookup<ulong, int> pending = _methods.ToLookup(m => m.Value, m => m.Key);
        Dictionary<ulong, uint> executed = objects.Executed(
            threads.Where(t => t.Code.Any(f => f.TypeName == NpgsqlLayout.Command)), t => t.Roots.Select(r => r.Object), o => IsCommand(o) && IsInProgress(o));
        ulong[] all = [.. pending.Select(p => p.Key).Union(executed.Keys).Order()];
        LeftOut = Math.Max(0, all.Length - RequestObjects.MostRequests);
        foreach (ulong address in all.Take(RequestObjects.MostRequests))
        {
            ClrObject command = runtime.Heap.GetObject(address);
            if (objects.Lacks(command, NpgsqlLayout.Required))
            {
                Library = Library with { Gap = RequestGap.FieldsMissing };
                _commands.Clear();
                return [];
            }

            if (objects.Unless(() => Read(command)) is { } request)
            {
                _commands.Add(address, request with
                {
                    Wait = pending.Contains(address) ? waits.OfCall(pending[address].First(), m => _methods.GetValueOrDefault(m) == address)
                        : waits.On(executed[address]),
                });
            }
        }

        return [.. _commands.Values];
    }

    private bool IsCommand(ClrObject candidate) => objects.Is(candidate, NpgsqlLayout.Command);

    private static bool IsInProgress(ClrObject command) => command.TryReadField(NpgsqlLayout.State, out int state) && state == NpgsqlLayout.InProgress;

    private RequestInFlight Read(ClrObject command)
    {
        ClrObject? settings = RequestObjects.Follow(command, NpgsqlLayout.Connection, NpgsqlLayout.Settings);
        return new RequestInFlight(RequestKind.Command, command.Address)
        {
            Host = settings is { } known ? RequestObjects.Name(known, NpgsqlLayout.Host) : null,
            Port = settings?.TryReadField(NpgsqlLayout.Port, out int port) == true ? port : null,
            Database = settings is { } named ? RequestObjects.Name(named, NpgsqlLayout.Database) : null,
            Text = objects.Value(command, NpgsqlLayout.Text),
        };
    }
}
