using System.Collections.Immutable;
using System.Globalization;
using Dump.Model.Reported;
using Dump.Model.Text;
using Dump.Model.Wording;

namespace Dump.Reports;

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
