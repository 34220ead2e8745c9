using System.Collections.Immutable;
using Dump.Model.Process;
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
    /// <returns>The root, which has no frames and all threads that have any; threads without frames are not in the tree.</returns>
    public static StackTreeNode Build(IEnumerable<ThreadSnapshot> threads)
    {
        Path[] paths = [.. threads.Where(t => !t.Stack.Frames.IsEmpty).Select(t => new Path(t, Names(t)))];
        return Node([], paths, 0, 0);
    }

    private static StackTreeNode Node(ImmutableArray<string> frames, Path[] paths, int consumed, int depth)
    {
        IEnumerable<StackTreeNode> children = paths.Where(p => p.Names.Length > consumed)
            .GroupBy(p => p.Names[consumed], StringComparer.Ordinal)
            .OrderByDescending(g => g.Count()).ThenBy(g => g.Key, StringComparer.Ordinal)
            .Select(g => Branch([.. g], consumed, depth + 1));
        return new StackTreeNode(
            frames,
            [.. paths.Select(p => p.Thread)],
            [.. paths.Where(p => p.Names.Length == consumed).Select(p => p.Thread)],
            depth >= MaximumDepth ? [] : [.. children]);
    }

    /// <summary>A branch runs as far as all its threads agree.</summary>
    private static StackTreeNode Branch(Path[] paths, int start, int depth)
    {
        int end = start + 1;
        while (paths.All(p => p.Names.Length > end && p.Names[end] == paths[0].Names[end]))
        {
            end++;
        }

        return Node([.. paths[0].Names[start..end]], paths, end, depth);
    }

    private static string[] Names(ThreadSnapshot thread)
    {
        IEnumerable<string> names = thread.Stack.Frames.Reverse().Select(f => FrameWords.PlaceOrAddress(ReportedThreads.Frame(f, 0)));
        return [.. thread.Stack.End == StackEnd.Complete ? names : names.Prepend(Unwalked)];
    }

    private sealed record Path(ThreadSnapshot Thread, string[] Names);
}
