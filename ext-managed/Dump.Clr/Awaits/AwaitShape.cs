using System.Collections.Immutable;
using Dump.Model.Managed;

namespace Dump.Clr.Awaits;

/// <summary>A chain of awaits, kept once however many tasks form it.</summary>
/// <param name="Name">Its first step.</param>
/// <param name="Depth">How many steps it has.</param>
/// <param name="Below">Shapes of what the first step awaits, each with its number.</param>
internal sealed record AwaitShape(AwaitStepName Name, int Depth, ImmutableArray<(int Shape, int Count)> Below)
{
    /// <summary>True when the first step awaits itself several times over.</summary>
    public bool IsRepeated { get; init; }

    /// <summary>True when the chain leads back into itself.</summary>
    public bool IsCycle { get; init; }

    /// <summary>True when the first step awaits several tasks.</summary>
    public bool Branches { get; init; }

    /// <summary>How many of the awaited tasks are left out.</summary>
    public int LeftOut { get; init; }

    /// <summary>Why nothing seems to continue the chain: the reason of its first step that has one.</summary>
    public AsyncLoss Loss { get; init; }

    /// <inheritdoc/>
    public bool Equals(AwaitShape? other) =>
        other is not null && Name == other.Name && IsRepeated == other.IsRepeated && LeftOut == other.LeftOut
        && Below.AsSpan().SequenceEqual(other.Below.AsSpan());

    /// <inheritdoc/>
    public override int GetHashCode()
    {
        HashCode code = default;
        code.Add(Name);
        code.Add(IsRepeated);
        foreach ((int Shape, int Count) below in Below)
        {
            code.Add(below);
        }

        return code.ToHashCode();
    }
}

/// <summary>
/// Gives equal chains one number: a shape is the name of a step with the shapes below it, kept once. Works without recursion, for chains are as long as a
/// heap makes them; what lies deeper than <see cref="DeepestShape"/> steps is cut off, and what leads back into itself ends there.
/// </summary>
internal sealed class AwaitShapes
{
    /// <summary>Longest chain that is told from others.</summary>
    public const int DeepestShape = 256;

    private const int MostBranches = 8;
    private const int MostShapes = 1_000_000;
    private const int Unknown = 0;
    private const int InWork = -1;
    private readonly AsyncNodes _nodes;
    private readonly AwaitGraph _graph;
    private readonly AwaitSteps _steps;
    private readonly int[] _shapeOf;
    private readonly List<AwaitShape> _shapes = [];
    private readonly Dictionary<AwaitShape, int> _known = [];
    private readonly Stack<(int Node, int Cursor, int End)> _open = [];

    /// <summary>Prepares the shapes of a graph.</summary>
    /// <param name="nodes">The tasks.</param>
    /// <param name="graph">Who awaits whom.</param>
    /// <param name="steps">Names them.</param>
    public AwaitShapes(AsyncNodes nodes, AwaitGraph graph, AwaitSteps steps)
    {
        (_nodes, _graph, _steps) = (nodes, graph, steps);
        _shapeOf = new int[nodes.Count];
        Add(new AwaitShape(new AwaitStepName("(nothing)", null), 0, []));
        Cut = Add(new AwaitShape(new AwaitStepName("(further awaits are left out)", null), 0, []));
        Circle = Add(new AwaitShape(new AwaitStepName("(a task of this chain: they await each other)", null), 0, []) { IsCycle = true });
    }

    /// <summary>In place of what is too deep.</summary>
    public int Cut { get; }

    /// <summary>In place of a task that the chain has had already.</summary>
    public int Circle { get; }

    /// <summary>True for a task whose shape is known: it belongs to a chain that was asked for.</summary>
    public bool IsKnown(int node) => _shapeOf[node] != Unknown;

    /// <summary>A shape by its number.</summary>
    public AwaitShape this[int shape] => _shapes[shape];

    /// <summary>Number of the shape of a task.</summary>
    public int Of(int root)
    {
        Open(root);
        while (_open.TryPop(out (int Node, int Cursor, int End) top))
        {
            if (top.Cursor < top.End)
            {
                _open.Push(top with { Cursor = top.Cursor + 1 });
                Open(Child(top.Node, top.Cursor));
            }
            else
            {
                _shapeOf[top.Node] = Make(top.Node) + 1;
            }
        }

        return _shapeOf[root] - 1;
    }

    private void Open(int node)
    {
        if (_shapeOf[node] == Unknown)
        {
            _shapeOf[node] = InWork;
            (int start, int end) = Children(node);
            _open.Push((node, start, end));
        }
    }

    // A method awaits one task at most; its only child is at place 0.
    private (int Start, int End) Children(int node) =>
        !_nodes[node].IsMethod ? _graph.AwaitedBy(node) : _graph.Next(node) >= 0 ? (0, 1) : (0, 0);

    private int Child(int node, int place) => _nodes[node].IsMethod ? _graph.Next(node) : _graph.Awaited(place);

    /// <summary>The shape of a task: that of its method, or of its innermost call, and around it those of the calls that await it within the task.</summary>
    private int Make(int node)
    {
        AwaitStepName[] calls = _nodes[node].Type.Calls;
        int shape = Make(node, calls is [var innermost, ..] ? innermost with { Loss = _graph.Loss(node) } : _steps.Of(node));
        foreach (AwaitStepName caller in calls.Skip(1))
        {
            shape = Above(caller, _shapes[shape].Depth >= DeepestShape ? Cut : shape);
        }

        return shape;
    }

    private int Make(int node, AwaitStepName name)
    {
        (int start, int end) = Children(node);
        if (end - start <= 1)
        {
            return end > start ? Above(name, ShapeBelow(Child(node, start)))
                : _steps.End(node) is { } last ? Above(name, Add(new AwaitShape(last, 1, [])))
                : Add(new AwaitShape(name, 1, []));
        }

        (int Shape, int Count)[] below = [.. Enumerable.Range(start, end - start).Select(p => ShapeBelow(Child(node, p))).CountBy(s => s)
            .Select(s => (s.Key, s.Value)).OrderByDescending(s => s.Value).ThenBy(s => s.Key)];
        int depth = below.Max(b => _shapes[b.Shape].Depth);
        return Add(new AwaitShape(name, depth + 1, [.. below.Take(MostBranches)])
        {
            IsCycle = below.Any(b => _shapes[b.Shape].IsCycle),
            Loss = name.Loss,
            LeftOut = below.Skip(MostBranches).Sum(b => b.Count),
            Branches = true,
        });
    }

    private int Above(AwaitStepName name, int below)
    {
        AwaitShape shape = _shapes[below];
        if (shape.Name == name && shape.Depth > 0)
        {
            // A method that awaits itself: however often, the chain is the same.
            return shape.IsRepeated ? below : Add(shape with { IsRepeated = true });
        }

        return Add(new AwaitShape(name, shape.Depth + 1, [(below, 1)])
        {
            IsCycle = shape.IsCycle,
            Loss = name.Loss != AsyncLoss.None ? name.Loss : shape.Loss,
        });
    }

    private int ShapeBelow(int node)
    {
        int shape = _shapeOf[node] == InWork ? Circle : _shapeOf[node] - 1;
        return _shapes[shape].Depth >= DeepestShape ? Cut : shape;
    }

    private int Add(AwaitShape shape)
    {
        shape = shape.Below.Length == 0 ? shape with { Loss = shape.Name.Loss } : shape;
        if (_known.TryGetValue(shape, out int known))
        {
            return known;
        }

        if (_shapes.Count >= MostShapes)
        {
            return Cut;
        }

        _shapes.Add(shape);
        _known.Add(shape, _shapes.Count - 1);
        return _shapes.Count - 1;
    }
}
