using System.Collections.Immutable;
using Dump.Model.Managed;

namespace Dump.Clr.Awaits;

/// <summary>
/// Hosts that start or stop: the pending methods by which <c>Microsoft.Extensions.Hosting</c> does so (dotnet/runtime,
/// src/libraries/Microsoft.Extensions.Hosting/src/Internal/Host.cs). Checked on .NET 8.0.31 and 10.
/// </summary>
/// <param name="nodes">The tasks.</param>
/// <param name="graph">Who awaits whom.</param>
/// <param name="continuations">Reads objects.</param>
internal sealed class HostTransitions(AsyncNodes nodes, AwaitGraph graph, Continuations continuations)
{
    private const string Start = "Microsoft.Extensions.Hosting.Internal.Host.StartAsync";
    private const string Stop = "Microsoft.Extensions.Hosting.Internal.Host.StopAsync";
    private const int MostHosts = 8;
    private const int MostSteps = 64;
    private static readonly ImmutableHashSet<int> s_none = [];
    private readonly AwaitEndings _endings = new(nodes, graph, continuations);

    /// <summary>The first few of them, by address.</summary>
    public ImmutableArray<HostTransition> Find() =>
    [
        .. Enumerable.Range(0, nodes.Count).Where(i => nodes[i] is { IsMethod: true, State: >= 0, Type.Name: Start or Stop })
            .OrderBy(i => nodes[i].Address).Take(MostHosts).Select(Of),
    ];

    private HostTransition Of(int host)
    {
        string? end = _endings.Of(host, s_none);
        return new HostTransition(nodes[host].Address, nodes[host].Type.Name == Start)
        {
            Method = Innermost(host) is { } method ? new AwaitingMethod(nodes[method].Type.Name, 1) { Place = AwaitQueues.PlaceOf(nodes[method]) } : null,
            End = end,
            EndsByItself = end is AwaitEndings.Running or AwaitedOperations.Delay or AwaitedOperations.Tick,
        };
    }

    /// <summary>The last method of the program's own on the way along its awaits; where those branch, the first one is followed.</summary>
    private int? Innermost(int host)
    {
        int? own = null;
        int at = host;
        for (int step = 0; at >= 0 && step < MostSteps; step++)
        {
            if (nodes[at].IsMethod)
            {
                own = MethodOrigins.IsOfProgram(nodes[at].Type.Name) ? at : own;
                at = graph.Next(at);
            }
            else
            {
                (int start, int end) = graph.AwaitedBy(at);
                at = start < end ? graph.Awaited(start) : AwaitGraph.Nothing;
            }
        }

        return own;
    }
}
