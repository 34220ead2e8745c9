using System.Collections.Immutable;
using System.Globalization;
using Dump.Model.Process;
using Dump.Model.Reported;
using Dump.Model.Text;
using Dump.Model.Wording;

namespace Dump.Reports;

/// <summary>
/// Merges the stacks of all threads from their roots on. Frames are one when they have the same module and function, wherever in it they stand, as people mean
/// it when they say that threads do the same thing; frames without a name are one at the same place of the same module.
/// </summary>
public static class StackTree
{
    private const string Unwalked = "(outer frames unknown: the stack was not walked to its end)";

    // A stack that recurses without end has as many frames as the reader allows; only branches nest, and each has fewer threads than the one around it.
    private const int MaximumDepth = 1000;

    /// <summary>Builds the tree.</summary>
    /// <param name="threads">The threads.</param>
    /// <returns>
    /// Its branches, parents first, children with most threads first, then by name. The root has no frames and all threads that have any; threads without
    /// frames are not in the tree.
    /// </returns>
    public static ImmutableArray<ReportedBranch> Build(IEnumerable<ThreadSnapshot> threads)
    {
        List<ReportedBranch> branches = [];
        AddNode(branches, null, [], [.. threads.Where(t => !t.Stack.Frames.IsEmpty).Select(t => new Path(t.Id, Names(t)))], 0, 0);
        return [.. branches];
    }

    private static void AddNode(List<ReportedBranch> branches, int? parent, ImmutableArray<string> frames, Path[] paths, int consumed, int depth)
    {
        int node = branches.Count;
        ImmutableArray<uint> ending = [.. paths.Where(p => p.Names.Length == consumed).Select(p => p.ThreadId)];
        branches.Add(new ReportedBranch(node, parent, frames, [.. paths.Select(p => p.ThreadId)], ending));
        if (depth >= MaximumDepth)
        {
            return;
        }

        foreach (IGrouping<string, Path> branch in paths.Where(p => p.Names.Length > consumed)
            .GroupBy(p => p.Names[consumed], StringComparer.Ordinal)
            .OrderByDescending(g => g.Count()).ThenBy(g => g.Key, StringComparer.Ordinal))
        {
            AddBranch(branches, node, [.. branch], consumed, depth + 1);
        }
    }

    /// <summary>A branch runs as far as all its threads agree.</summary>
    private static void AddBranch(List<ReportedBranch> branches, int parent, Path[] paths, int start, int depth)
    {
        int end = start + 1;
        while (paths.All(p => p.Names.Length > end && p.Names[end] == paths[0].Names[end]))
        {
            end++;
        }

        AddNode(branches, parent, [.. paths[0].Names[start..end]], paths, end, depth);
    }

    private static string[] Names(ThreadSnapshot thread)
    {
        IEnumerable<string> names = thread.Stack.Frames.Reverse().Select(f => FrameWords.PlaceOrAddress(ReportedThreads.Frame(f, 0)));
        return [.. thread.Stack.End == StackEnd.Complete ? names : names.Prepend(Unwalked)];
    }

    private sealed record Path(uint ThreadId, string[] Names);
}

/// <summary>All stacks as one tree, from the roots to where threads part: what most threads do is seen at a glance.</summary>
public sealed class StackTreeReport
{
    private const int MaximumNamedThreads = 8;

    private readonly ILookup<int?, ReportedBranch> _children;
    private readonly ThreadNames _threads;
    private readonly TextWriter _output;
    private readonly TextStyle _style;

    private StackTreeReport(StackTreeDocument document, TextWriter output, TextStyle style)
    {
        _children = document.Nodes.ToLookup(n => n.Parent);
        _threads = new ThreadNames(document);
        _output = output;
        _style = style;
    }

    /// <summary>Writes it for people.</summary>
    public static void Write(StackTreeDocument document, TextWriter output, TextStyle style)
    {
        StackTreeReport report = new(document, output, style);
        SourceHead.Write(document, output, style);
        ReportedBranch root = document.Nodes[0];
        output.WriteLine(style.Heading($"{CountText.Of(root.Threads.Length, "thread")}, outermost frames first"));
        report.WriteChildren(root, "");
        if (document.ThreadsWithoutFrames is { IsEmpty: false } bare)
        {
            output.WriteLine();
            output.WriteLine($"{CountText.Of(bare.Length, "thread")} without any frame: {report.Named(bare)}");
        }

        FactsFooter.Write(document, output, style);
    }

    private void WriteChildren(ReportedBranch node, string indent)
    {
        ReportedBranch[] children = [.. _children[node.Node]];
        for (int i = 0; i < children.Length; i++)
        {
            ReportedBranch child = children[i];
            bool isLast = i == children.Length - 1 && node.Ending.IsEmpty;
            string inner = indent + (isLast ? "   " : "│  ");
            for (int frame = 0; frame < child.Frames.Length; frame++)
            {
                string number = string.Create(CultureInfo.InvariantCulture, $"{child.Threads.Length,4}");
                string branch = frame > 0 ? inner + "    " : $"{indent}{(isLast ? "└─" : "├─")}{_style.Heading(number)}";
                _output.WriteLine($"{branch}  {child.Frames[frame]}");
            }

            if (!_children.Contains(child.Node))
            {
                _output.WriteLine(_style.Faint($"{inner}      = {Named(child.Ending)}"));
            }

            WriteChildren(child, inner);
        }

        if (!node.Ending.IsEmpty && children.Length > 0)
        {
            _output.WriteLine(_style.Faint($"{indent}└─{node.Ending.Length,4}  = {Named(node.Ending)}: the frame above is the innermost"));
        }
    }

    private string Named(ImmutableArray<uint> threads) => _threads.Some(threads, MaximumNamedThreads);
}
