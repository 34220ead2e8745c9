using Dump.Model.Process;

namespace Dump.Reports.Tests;

/// <summary>How stacks are merged into a tree.</summary>
public sealed class StackTreeTests
{
    private static ThreadSnapshot Thread(uint id, string frames, StackEnd end = StackEnd.Complete) => new()
    {
        Id = id,
        Index = (int)id,
        Stack = new ThreadStack([.. frames.Split(' ', StringSplitOptions.RemoveEmptyEntries).Select((f, i) => Frame(f, (ulong)i))], end),
    };

    /// <summary>From <c>module!function+offset</c>.</summary>
    private static StackFrame Frame(string text, ulong sp)
    {
        string[] parts = text.Split('!', '+');
        return new StackFrame(0x1000 + sp, sp, parts[0] + ".dll", 0x10, parts[1], ulong.Parse(parts[2]), FrameTrust.UnwindInfo, SymbolSource.Export);
    }

    private static uint[] Ids(IEnumerable<ThreadSnapshot> threads) => [.. threads.Select(t => t.Id)];

    [Fact]
    public void Threads_part_where_their_functions_differ_wherever_they_stand_in_them()
    {
        StackTreeNode root = StackTree.Build(
        [
            Thread(1, "m!wait+1 m!work+5 m!start+9"),
            Thread(2, "m!sleep+1 m!work+6 m!start+9"),
            Thread(3, "m!wait+2 m!work+7 m!start+9"),
        ]);
        Assert.Equal([1, 2, 3], Ids(root.Threads));
        StackTreeNode trunk = Assert.Single(root.Children);
        Assert.Equal(["m!start", "m!work"], trunk.Frames.ToArray());
        Assert.Equal(["m!wait", "m!sleep"], trunk.Children.Select(c => Assert.Single(c.Frames)));
        Assert.Equal([[1, 3], [2]], trunk.Children.Select(c => Ids(c.Ending)));
        Assert.Empty(trunk.Ending);
    }

    [Fact]
    public void Equal_branches_stand_in_the_order_of_their_names()
    {
        StackTreeNode trunk = Assert.Single(StackTree.Build([Thread(1, "m!z+1 m!start+1"), Thread(2, "m!a+1 m!start+1")]).Children);
        Assert.Equal(["m!a", "m!z"], trunk.Children.Select(c => c.Frames[0]));
    }

    [Fact]
    public void A_thread_may_end_where_others_go_on()
    {
        StackTreeNode trunk = Assert.Single(StackTree.Build([Thread(1, "m!start+1"), Thread(2, "m!work+1 m!start+1")]).Children);
        Assert.Equal([1], Ids(trunk.Ending));
        Assert.Equal([2], Ids(Assert.Single(trunk.Children).Ending));
    }

    [Fact]
    public void A_stack_that_was_not_walked_to_its_end_begins_at_no_root()
    {
        StackTreeNode root = StackTree.Build([Thread(1, "m!work+1"), Thread(2, "m!work+1", StackEnd.MemoryMissing)]);
        Assert.Equal(2, root.Children.Length);
        Assert.Contains(root.Children, c => c.Frames[0].StartsWith("(outer frames unknown", StringComparison.Ordinal) && Ids(c.Threads) is [2]);
    }

    [Fact]
    public void Threads_without_frames_are_not_in_it() => Assert.Empty(StackTree.Build([Thread(1, "")]).Threads);

    /// <summary>Each thread leaves the trunk at another frame: the deepest tree that so many threads can make.</summary>
    [Fact]
    public void A_very_deep_tree_is_cut_instead_of_ending_the_program()
    {
        ThreadSnapshot[] threads = [.. Enumerable.Range(1, 1200).Select(i => Thread((uint)i, string.Join(' ', Enumerable.Repeat("m!again+1", i))))];
        StackTreeNode node = StackTree.Build(threads);
        int depth = 0;
        for (; !node.Children.IsEmpty; depth++)
        {
            node = node.Children[0];
        }

        Assert.Equal(1000, depth);
    }
}
