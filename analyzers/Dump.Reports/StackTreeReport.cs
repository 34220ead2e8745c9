using System.Globalization;
using Dump.Model.Process;
using Dump.Model.Reported;
using Dump.Model.Text;
using Dump.Model.Wording;
using Dump.Reports.Json;

namespace Dump.Reports;

/// <summary>All stacks as one tree, from the roots to where threads part: what most threads do is seen at a glance.</summary>
public static class StackTreeReport
{
    private const int MaximumNamedThreads = 8;

    /// <summary>Writes it for people.</summary>
    public static void WriteText(ProcessSnapshot snapshot, TextWriter output, TextStyle style)
    {
        SourceHead.Write(snapshot, output, style);
        output.WriteLine();
        StackTreeNode root = StackTree.Build(snapshot.Threads);
        output.WriteLine(style.Heading($"{CountText.Of(root.Threads.Length, "thread")}, outermost frames first"));
        Children(root, "", output, style);
        ThreadSnapshot[] bare = [.. snapshot.Threads.Where(t => t.Stack.Frames.IsEmpty)];
        if (bare.Length > 0)
        {
            output.WriteLine();
            output.WriteLine($"{CountText.Of(bare.Length, "thread")} without any frame: {Named(bare)}");
        }

        FactsFooter.Write(snapshot, output, style);
    }

    private static void Children(StackTreeNode node, string indent, TextWriter output, TextStyle style)
    {
        int count = node.Children.Length + (node.Ending.IsEmpty ? 0 : 1);
        for (int i = 0; i < node.Children.Length; i++)
        {
            StackTreeNode child = node.Children[i];
            bool isLast = i == count - 1;
            string inner = indent + (isLast ? "   " : "│  ");
            for (int frame = 0; frame < child.Frames.Length; frame++)
            {
                string number = string.Create(CultureInfo.InvariantCulture, $"{child.Threads.Length,4}");
                string branch = frame > 0 ? inner + "    " : $"{indent}{(isLast ? "└─" : "├─")}{style.Heading(number)}";
                output.WriteLine($"{branch}  {child.Frames[frame]}");
            }

            if (child.Children.IsEmpty)
            {
                output.WriteLine(style.Faint($"{inner}      = {Named(child.Ending)}"));
            }

            Children(child, inner, output, style);
        }

        if (!node.Ending.IsEmpty && !node.Children.IsEmpty)
        {
            output.WriteLine(style.Faint($"{indent}└─{node.Ending.Length,4}  = {Named(node.Ending)}: the frame above is the innermost"));
        }
    }

    /// <summary>Writes it for programs, as a flat list of branches in the order of the text.</summary>
    public static void WriteJson(ProcessSnapshot snapshot, Stream output)
    {
        ProcessReport facts = HangReports.Facts(snapshot, allStacks: false);
        List<ReportedBranch> branches = [];
        Add(branches, StackTree.Build(snapshot.Threads), null);
        JsonReport.Write(
            new StackTreeDocument
            {
                Source = facts.Source,
                Process = facts.Process,
                Nodes = [.. branches],
                ThreadsWithoutFrames = [.. snapshot.Threads.Where(t => t.Stack.Frames.IsEmpty).Select(t => t.Id)],
                UnknownThreads = [.. UnknownThreads.Of(snapshot).Select(t => t.Id)],
                Missing = facts.Missing,
                Problems = facts.Problems,
            },
            output);
    }

    private static void Add(List<ReportedBranch> branches, StackTreeNode node, int? parent)
    {
        int number = branches.Count;
        branches.Add(new ReportedBranch(number, parent, node.Frames, [.. node.Threads.Select(t => t.Id)], [.. node.Ending.Select(t => t.Id)]));
        foreach (StackTreeNode child in node.Children)
        {
            Add(branches, child, number);
        }
    }

    private static string Named(IReadOnlyCollection<ThreadSnapshot> threads)
    {
        string names = string.Join(", ", threads.Take(MaximumNamedThreads).Select(ThreadNames.Of));
        return threads.Count <= MaximumNamedThreads ? names : string.Create(CultureInfo.InvariantCulture, $"{names} and {threads.Count - MaximumNamedThreads} more");
    }
}
