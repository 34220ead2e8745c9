using System.Collections.Immutable;
using Dump.Model.Reported;
using Dump.Model.Text;
using Dump.Model.Verdicts;
using Dump.Model.Wording;

namespace Dump.Reports;

/// <summary>Writes the tree of waits: who holds things up, and below it who waits for it.</summary>
internal sealed class ChainTreeLines
{
    // As deep as people read and as wide as a screen is high; the JSON has all of it.
    private const int MostLevels = 20;
    private const int MostGroups = 12;

    private readonly ChainDocument _document;
    private readonly ILookup<int?, WaitTreeNode> _children;
    private readonly ThreadNames _threads;
    private readonly ChainLines _lines;
    private readonly TextWriter _output;
    private readonly TextStyle _style;

    public ChainTreeLines(ChainDocument document, ThreadNames threads, TextWriter output, TextStyle style)
    {
        _document = document;
        _children = document.Tree.ToLookup(n => n.Parent);
        _threads = threads;
        _lines = new ChainLines(threads, output, style);
        _output = output;
        _style = style;
    }

    /// <summary>Writes all of it.</summary>
    public void Write()
    {
        foreach (IGrouping<int, WaitTreeNode> cycle in _children[null].Where(n => n.Cycle is not null).GroupBy(n => n.Cycle!.Value))
        {
            WriteCycle([.. cycle]);
        }

        foreach (WaitTreeNode root in _children[null].Where(n => n.Cycle is null))
        {
            WriteRoot(root);
        }
    }

    private void WriteCycle(WaitTreeNode[] cycle)
    {
        string behind = cycle[0].Behind is > 0 and var count ? $"; {Waiting(count)} behind it" : "";
        bool isLasting = cycle[0].IsLasting == true;
        string size = CountText.Of(cycle.Length, "thread");
        string heading = $"{(isLasting ? $"a cycle of {size}: " : $"{size}: ")}{(isLasting ? ChainsReport.LeadsBack : ChainsReport.UncertainCycle)}{behind}";
        _output.WriteLine(isLasting ? _style.Alarm(heading) : _style.Warning(heading));
        foreach (WaitTreeNode node in cycle)
        {
            _lines.Write(node.Links[0], node.Threads, node.At, "  ", "    ", []);
            WriteChildren(node, "    ", 1);
        }

        _output.WriteLine($"  back to {_threads.Full(cycle[0].Threads[0])}");
    }

    private void WriteRoot(WaitTreeNode root)
    {
        HashSet<string> told = [];
        foreach (ChainLink link in root.Links)
        {
            _lines.Write(link, root.Threads, root.At, "", "  ", told);
        }

        if (root.Links.IsEmpty)
        {
            _output.WriteLine($"{Holder(root)}: {State(root)}");
            WritePlace(root);
        }

        if (root.Behind is > 0 and var count)
        {
            _output.WriteLine(_style.Heading($"  {Waiting(count)} behind it"));
        }

        WriteChildren(root, "  ", 1);
    }

    private void WritePlace(WaitTreeNode root)
    {
        if (root.At is { } at)
        {
            _output.WriteLine($"  in {at.Text}");
        }
    }

    private void WriteChildren(WaitTreeNode parent, string indent, int level)
    {
        WaitTreeNode[] children = [.. _children[parent.Node]];
        if (children.Length > 0 && level > MostLevels)
        {
            _output.WriteLine(_style.Faint($"{indent}({ReportWords.Further(Below(parent), "thread")})"));
            return;
        }

        int left = children.Length - MostGroups;
        HashSet<string> told = [];
        foreach (WaitTreeNode child in children.Take(MostGroups))
        {
            bool isLast = child == children[^1];
            string inner = indent + (isLast ? "   " : "│  ");
            _lines.Write(child.Links[0], child.Threads, child.At, indent + (isLast ? "└─ " : "├─ "), inner, told);
            if (child.WaitersNode is { } other)
            {
                _output.WriteLine($"{inner}{Elsewhere(child, other)}");
            }

            WriteChildren(child, inner, level + 1);
        }

        if (left > 0)
        {
            int threads = children.Skip(MostGroups).Sum(c => c.Threads.Length + Below(c));
            _output.WriteLine(_style.Faint($"{indent}└─ ({ReportWords.Further(threads, "thread")})"));
        }
    }

    /// <summary>Where those are shown that wait for a thread: it is above this line on the same branch, in a cycle, or on another branch.</summary>
    private string Elsewhere(WaitTreeNode node, int other)
    {
        WaitTreeNode? above = node;
        while (above is not null && above.Node != other)
        {
            above = above.Parent is { } parent ? _document.Tree[parent] : null;
        }

        string thread = _threads.Full(node.Threads[0]);
        return above is null ? $"what waits for {thread} is shown {(other < node.Node ? "above" : "below")}" : $"back to {thread}";
    }

    /// <summary>The threads of the nodes below one.</summary>
    private int Below(WaitTreeNode node)
    {
        int count = 0;
        Stack<WaitTreeNode> open = new(_children[node.Node]);
        while (open.TryPop(out WaitTreeNode? next))
        {
            count += next.Threads.Length;
            foreach (WaitTreeNode child in _children[next.Node])
            {
                open.Push(child);
            }
        }

        return count;
    }

    private string Holder(WaitTreeNode root) => root.HolderDescription ?? _threads.Some(root.Threads, 1);

    private string State(WaitTreeNode root) =>
        root.HolderDescription is not null || root.IsAlive == false ? "no longer exists"
        : _document.UnknownThreads.Contains(root.Threads[0]) ? ChainsReport.Unknown
        : ChainsReport.Nothing;

    private static string Waiting(int count) => $"{CountText.Of(count, "thread")} {(count == 1 ? "waits" : "wait")}";
}
