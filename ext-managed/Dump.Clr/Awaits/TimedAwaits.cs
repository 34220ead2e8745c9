namespace Dump.Clr.Awaits;

/// <summary>Async methods of the program that await time, which ends by itself: <c>Task.Delay</c> with a limit, or the next tick of a timer.</summary>
internal static class TimedAwaits
{
    private const int MostSteps = 64;

    /// <summary>True when there is one.</summary>
    /// <param name="nodes">The tasks.</param>
    /// <param name="graph">Who awaits whom.</param>
    /// <param name="continuations">Reads objects.</param>
    public static bool Any(AsyncNodes nodes, AwaitGraph graph, Continuations continuations)
    {
        List<int> open = [];
        for (int i = 0; i < nodes.Count; i++)
        {
            if (nodes[i].IsMethod && MethodOrigins.IsOfProgram(nodes[i].Type.Name) && EndsInTime(i, open))
            {
                return true;
            }
        }

        return false;

        bool EndsInTime(int root, List<int> chain)
        {
            chain.Clear();
            chain.Add(root);
            for (int at = 0; at < chain.Count && at < MostSteps; at++)
            {
                ref readonly AsyncNode node = ref nodes[chain[at]];
                if (IsDelay(node, continuations) || (node.IsMethod && graph.Next(chain[at]) == AwaitGraph.Foreign
                    && continuations.TypeAt(node.Awaited)?.Name == AwaitedOperations.Tick))
                {
                    return true;
                }

                AddAwaited(chain[at], chain);
            }

            return false;
        }

        void AddAwaited(int node, List<int> chain)
        {
            if (nodes[node].IsMethod)
            {
                if (graph.Next(node) >= 0)
                {
                    chain.Add(graph.Next(node));
                }

                return;
            }

            (int start, int end) = graph.AwaitedBy(node);
            for (int place = start; place < end && chain.Count < MostSteps; place++)
            {
                chain.Add(graph.Awaited(place));
            }
        }
    }

    /// <summary>A delay without an end has no timer.</summary>
    private static bool IsDelay(AsyncNode node, Continuations continuations) =>
        node.Type is { Kind: AsyncTypeKind.Task, Name: AwaitedOperations.Delay } type && continuations.Reference(node.Address, type.Handle) != 0;
}
