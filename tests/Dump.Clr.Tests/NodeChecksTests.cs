using System.Collections.Immutable;
using Dump.Clr.Collections;
using Dump.Model.Collections;

namespace Dump.Clr.Tests;

/// <summary>The checks of trees and rings, on nodes made by hand.</summary>
public sealed class NodeChecksTests
{
    private static ImmutableArray<CollectionFault> Tree(int count, params (ulong Node, ulong Left, ulong Right)[] nodes)
    {
        Dictionary<ulong, (ulong Left, ulong Right)> links = nodes.ToDictionary(n => n.Node, n => (n.Left, n.Right));
        return new TreeCheck(count, n => links[n].Left, n => links[n].Right).Run(nodes.Length == 0 ? 0 : nodes[0].Node);
    }

    private static ImmutableArray<CollectionFault> Ring(int count, params (ulong Node, ulong Next, ulong Previous)[] nodes)
    {
        Dictionary<ulong, (ulong Next, ulong Previous)> links = nodes.ToDictionary(n => n.Node, n => (n.Next, n.Previous));
        return new RingCheck(count, n => links[n].Next, n => links[n].Previous).Run(nodes.Length == 0 ? 0 : nodes[0].Node);
    }

    private static (CollectionFaultKind, bool) Only(ImmutableArray<CollectionFault> faults)
    {
        CollectionFault fault = Assert.Single(faults);
        return (fault.Kind, fault.MayBeHalfDone);
    }

    [Fact]
    public void Sound_trees_have_no_fault()
    {
        Assert.Empty(Tree(0));
        Assert.Empty(Tree(1, (1, 0, 0)));
        Assert.Empty(Tree(5, (1, 2, 3), (2, 0, 4), (3, 5, 0), (4, 0, 0), (5, 0, 0)));
    }

    [Theory]
    [InlineData(1, 0)]
    [InlineData(0, 1)]
    [InlineData(2, 0)]
    public void A_descendant_that_leads_up_is_a_cycle(ulong left, ulong right) =>
        Assert.Equal((CollectionFaultKind.NodeCycle, false), Only(Tree(3, (1, 2, 3), (2, left, right), (3, 0, 0))));

    [Fact]
    public void A_cycle_is_found_whatever_the_count_says()
    {
        Assert.Equal((CollectionFaultKind.NodeCycle, false), Only(Tree(1, (1, 2, 0), (2, 3, 0), (3, 2, 0))));
        Assert.Equal((CollectionFaultKind.NodeCycle, false), Only(Tree(-1, (1, 1, 0))));
    }

    [Theory]
    [InlineData(1, 3)]
    [InlineData(2, 3)]
    [InlineData(3, 3)]
    [InlineData(4, 0)]
    [InlineData(0, 0)]
    public void A_cycle_is_the_same_from_wherever_it_is_found(ulong node, int length)
    {
        Dictionary<ulong, (ulong Left, ulong Right)> links = new() { [3] = (4, 1), [1] = (0, 2), [2] = (3, 0), [4] = (5, 6), [5] = (0, 0), [6] = (0, 0) };
        TreeCheck check = new(100, n => links[n].Left, n => links[n].Right);
        Assert.Equal(((ulong[])[1, 2, 3])[..length], check.CycleBelow(node));
    }

    [Fact]
    public void Nothing_is_said_of_a_tree_with_more_nodes_than_are_passed() =>
        Assert.Empty(new TreeCheck(5, n => n + 1, _ => 0).CycleBelow(1));

    [Fact]
    public void A_node_with_two_parents_may_be_a_removal() =>
        Assert.Equal((CollectionFaultKind.SharedNode, true), Only(Tree(3, (1, 2, 3), (2, 0, 0), (3, 2, 0))));

    [Fact]
    public void A_node_that_is_not_reached_may_be_half_inserted() => Assert.Equal((CollectionFaultKind.CountMismatch, true),
        Only(Tree(3, (1, 2, 0), (2, 0, 0))));

    [Fact]
    public void Sound_rings_have_no_fault()
    {
        Assert.Empty(Ring(0));
        Assert.Empty(Ring(1, (1, 1, 1)));
        Assert.Empty(Ring(3, (1, 2, 3), (2, 3, 1), (3, 1, 2)));
    }

    [Theory]
    [InlineData(2)]
    [InlineData(3)]
    [InlineData(4)]
    public void A_ring_that_leaves_its_head_out_is_a_cycle(ulong back) =>
        Assert.Equal((CollectionFaultKind.NodeCycle, false), Only(Ring(10, (1, 2, 4), (2, 3, 1), (3, 4, 2), (4, back, 3))));

    [Fact]
    public void The_second_node_of_a_list_whose_head_is_being_removed_may_be_the_new_head() =>
        Assert.Equal((CollectionFaultKind.NodeCycle, true), Only(Ring(4, (1, 2, 4), (2, 3, 4), (3, 4, 2), (4, 2, 3))));

    [Fact]
    public void The_second_node_that_still_names_the_head_is_no_new_head() =>
        Assert.Equal((CollectionFaultKind.NodeCycle, false), Only(Ring(4, (1, 2, 4), (2, 3, 1), (3, 4, 2), (4, 2, 3))));

    [Fact]
    public void Neighbours_that_disagree_may_be_an_insertion() =>
        Assert.Equal((CollectionFaultKind.BrokenLink, true), Only(Ring(3, (1, 2, 2), (2, 3, 1), (3, 1, 2))));

    [Fact]
    public void A_node_without_successor_is_broken() => Assert.Equal((CollectionFaultKind.BrokenLink, false), Only(Ring(2, (1, 2, 2), (2, 0, 1))));

    [Fact]
    public void A_ring_of_another_length_may_be_half_done() => Assert.Equal((CollectionFaultKind.CountMismatch, true), Only(Ring(3, (1, 2, 2), (2, 1, 1))));

    [Fact]
    public void A_long_ring_takes_no_memory_a_node()
    {
        const ulong Length = 300_000;
        long before = GC.GetAllocatedBytesForCurrentThread();
        Assert.Empty(new RingCheck((int)Length, n => n == Length ? 1 : n + 1, n => n == 1 ? Length : n - 1).Run(1));
        Assert.InRange(GC.GetAllocatedBytesForCurrentThread() - before, 0, 10_000);
    }
}
