using System.Collections.Immutable;
using Dump.Model.Process;
using Dump.Model.Reported;

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

    private static ReportedBranch[] Children(ImmutableArray<ReportedBranch> tree, ReportedBranch of) => [.. tree.Where(b => b.Parent == of.Node)];

    private static ReportedBranch Trunk(ImmutableArray<ReportedBranch> tree) => Assert.Single(Children(tree, tree[0]));

    [Fact]
    public void Threads_part_where_their_functions_differ_wherever_they_stand_in_them()
    {
        ImmutableArray<ReportedBranch> tree = StackTree.Build(
        [
            Thread(1, "m!wait+1 m!work+5 m!start+9"),
            Thread(2, "m!sleep+1 m!work+6 m!start+9"),
            Thread(3, "m!wait+2 m!work+7 m!start+9"),
        ]);
        Assert.Equal([1, 2, 3], tree[0].Threads.ToArray());
        ReportedBranch trunk = Trunk(tree);
        Assert.Equal(["m!start", "m!work"], trunk.Frames.ToArray());
        Assert.Equal(["m!wait", "m!sleep"], Children(tree, trunk).Select(c => Assert.Single(c.Frames)));
        Assert.Equal([[1, 3], [2]], Children(tree, trunk).Select(c => c.Ending.ToArray()));
        Assert.Empty(trunk.Ending);
    }

    [Fact]
    public void Equal_branches_stand_in_the_order_of_their_names()
    {
        ImmutableArray<ReportedBranch> tree = StackTree.Build([Thread(1, "m!z+1 m!start+1"), Thread(2, "m!a+1 m!start+1")]);
        Assert.Equal(["m!a", "m!z"], Children(tree, Trunk(tree)).Select(c => c.Frames[0]));
    }

    [Fact]
    public void A_thread_may_end_where_others_go_on()
    {
        ImmutableArray<ReportedBranch> tree = StackTree.Build([Thread(1, "m!start+1"), Thread(2, "m!work+1 m!start+1")]);
        Assert.Equal([1], Trunk(tree).Ending.ToArray());
        Assert.Equal([2], Assert.Single(Children(tree, Trunk(tree))).Ending.ToArray());
    }

    [Fact]
    public void A_stack_that_was_not_walked_to_its_end_begins_at_no_root()
    {
        ImmutableArray<ReportedBranch> tree = StackTree.Build([Thread(1, "m!work+1"), Thread(2, "m!work+1", StackEnd.MemoryMissing)]);
        Assert.Equal(2, Children(tree, tree[0]).Length);
        Assert.Contains(Children(tree, tree[0]), c => c.Frames[0].StartsWith("(outer frames unknown", StringComparison.Ordinal) && c.Threads is [2]);
    }

    [Fact]
    public void Threads_without_frames_are_not_in_it() => Assert.Empty(Assert.Single(StackTree.Build([Thread(1, "")])).Threads);

    /// <summary>Each thread leaves the trunk at another frame: the deepest tree that so many threads can make.</summary>
    [Fact]
    public void A_very_deep_tree_is_cut_instead_of_ending_the_program()
    {
        ThreadSnapshot[] threads = [.. Enumerable.Range(1, 1200).Select(i => Thread((uint)i, string.Join(' ', Enumerable.Repeat("m!again+1", i))))];
        ImmutableArray<ReportedBranch> tree = StackTree.Build(threads);
        Assert.Equal(Enumerable.Range(-1, 1001), tree.Select(b => b.Parent ?? -1));
    }
}
