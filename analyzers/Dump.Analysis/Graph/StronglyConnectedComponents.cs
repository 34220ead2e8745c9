namespace Dump.Analysis.Graph;

/// <summary>Tarjan's algorithm on a directed graph of thread ids, without recursion.</summary>
public static class StronglyConnectedComponents
{
    /// <summary>Finds the components in which every node reaches every other, and single nodes with an edge to themselves.</summary>
    /// <param name="nodes">All nodes, in the order in which they are to be visited.</param>
    /// <param name="successors">The nodes that a node has edges to.</param>
    /// <returns>Components with a cycle, each sorted ascending, in the order of their smallest node.</returns>
    public static IReadOnlyList<uint[]> WithCycle(IEnumerable<uint> nodes, Func<uint, IReadOnlyList<uint>> successors)
    {
        Search search = new(successors);
        foreach (uint node in nodes)
        {
            search.Visit(node);
        }

        return [.. search.Components.OrderBy(c => c[0])];
    }

    private sealed class Search(Func<uint, IReadOnlyList<uint>> successors)
    {
        private readonly Dictionary<uint, int> _index = [];
        private readonly Dictionary<uint, int> _low = [];
        private readonly Stack<uint> _path = new();
        private readonly HashSet<uint> _onPath = [];

        public List<uint[]> Components { get; } = [];

        public void Visit(uint root)
        {
            if (_index.ContainsKey(root))
            {
                return;
            }

            Stack<(uint Node, int Next)> calls = new();
            Enter(root);
            calls.Push((root, 0));
            while (calls.TryPop(out (uint Node, int Next) call))
            {
                IReadOnlyList<uint> next = successors(call.Node);
                if (call.Next < next.Count)
                {
                    calls.Push((call.Node, call.Next + 1));
                    Follow(call.Node, next[call.Next], calls);
                    continue;
                }

                Leave(call.Node);
                if (calls.TryPeek(out (uint Node, int Next) parent))
                {
                    _low[parent.Node] = Math.Min(_low[parent.Node], _low[call.Node]);
                }
            }
        }

        private void Follow(uint node, uint target, Stack<(uint Node, int Next)> calls)
        {
            if (!_index.TryGetValue(target, out int index))
            {
                Enter(target);
                calls.Push((target, 0));
            }
            else if (_onPath.Contains(target))
            {
                _low[node] = Math.Min(_low[node], index);
            }
        }

        private void Enter(uint node)
        {
            _index[node] = _low[node] = _index.Count;
            _path.Push(node);
            _onPath.Add(node);
        }

        private void Leave(uint node)
        {
            if (_low[node] != _index[node])
            {
                return;
            }

            List<uint> component = [];
            uint member;
            do
            {
                member = _path.Pop();
                _onPath.Remove(member);
                component.Add(member);
            }
            while (member != node);

            if (component.Count > 1 || successors(node).Contains(node))
            {
                component.Sort();
                Components.Add([.. component]);
            }
        }
    }
}
