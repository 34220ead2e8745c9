using System.Globalization;
using System.Text.Json;
using Dump.Model.Contract;
using Dump.Model.Process;
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
        SnapshotHead.Write(snapshot, output, style);
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

    /// <summary>Writes it for programs, as a flat list of nodes in the order of the text; see docs/json-schema.md.</summary>
    public static void WriteJson(ProcessSnapshot snapshot, Stream output)
    {
        using Utf8JsonWriter json = new(output, new JsonWriterOptions { Indented = true, NewLine = "\n" });
        json.WriteStartObject();
        json.WriteString("schema", SchemaNames.StackTree);
        JsonParts.Head(json, HangReports.Facts(snapshot, false));
        json.WriteStartArray("nodes");
        int next = 0;
        Node(json, StackTree.Build(snapshot.Threads), null, ref next);
        json.WriteEndArray();
        JsonParts.Ids(json, "threadsWithoutFrames", snapshot.Threads.Where(t => t.Stack.Frames.IsEmpty).Select(t => t.Id));
        JsonParts.Ids(json, "unknownThreads", UnknownThreads.Of(snapshot).Select(t => t.Id));
        JsonParts.Foot(json, HangReports.Facts(snapshot, false));
        json.WriteEndObject();
    }

    private static void Node(Utf8JsonWriter json, StackTreeNode node, int? parent, ref int next)
    {
        int number = next++;
        json.WriteStartObject();
        json.WriteNumber("node", number);
        JsonParts.Number(json, "parent", parent);
        JsonParts.Texts(json, "frames", node.Frames);
        JsonParts.Ids(json, "threads", node.Threads.Select(t => t.Id));
        JsonParts.Ids(json, "ending", node.Ending.Select(t => t.Id));
        json.WriteEndObject();
        foreach (StackTreeNode child in node.Children)
        {
            Node(json, child, number, ref next);
        }
    }

    private static string Named(IReadOnlyCollection<ThreadSnapshot> threads)
    {
        string names = string.Join(", ", threads.Take(MaximumNamedThreads).Select(ThreadNames.Of));
        return threads.Count <= MaximumNamedThreads ? names : string.Create(CultureInfo.InvariantCulture, $"{names} and {threads.Count - MaximumNamedThreads} more");
    }
}
