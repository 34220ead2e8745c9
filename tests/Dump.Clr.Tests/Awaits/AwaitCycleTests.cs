using Dump.Clr.Awaits;
using Dump.Model.Facts;
using Dump.Model.Managed;

namespace Dump.Clr.Tests.Awaits;

/// <summary>Tasks that await each other, on heaps made by hand, and what only looks like it.</summary>
public sealed class AwaitCycleTests
{
    private static string Text(AwaitCycle cycle) => string.Join(" > ", cycle.Links.Select(l => $"{l.Name}{(l.State is { } state ? $":{state}" : "")}"));

    /// <summary>Two methods that await each other; the second is the continuation of the first only if it is wanted to be.</summary>
    private static (ulong One, ulong Two) Pair(AsyncHeap heap, string one = "One", string two = "Two", bool isRegistered = true)
    {
        ulong second = heap.Next + 64;
        ulong first = heap.Method(one, second, continuation: isRegistered ? second : 0);
        Assert.Equal(second, heap.Method(two, first, continuation: first));
        if (!isRegistered)
        {
            heap.Set(first, 2, 0);
        }

        return (first, second);
    }

    [Fact]
    public void Methods_that_await_each_other_are_a_proven_cycle_with_all_that_is_behind_it()
    {
        AsyncHeap heap = new();
        (ulong one, ulong two) = Pair(heap);
        ulong behind = heap.Method("Handle", heap.Method("Load", one));
        heap.Method("Elsewhere", heap.Task("Task.Delay"));
        AwaitCycle cycle = Assert.Single(heap.Look((7, behind), (8, two), (9, 0x1234))!.Cycles);
        Assert.Equal("One:0 > Two:0", Text(cycle));
        Assert.Equal((2, 1, 2, Grade.Proven), (cycle.Length, cycle.Count, cycle.Behind, cycle.Grade));
        Assert.Equal<uint>([7, 8], cycle.Threads);
    }

    [Fact]
    public void Method_that_awaits_its_own_task_is_a_cycle_of_one()
    {
        AsyncHeap heap = new();
        heap.Method("Own", heap.Next, continuation: heap.Next);
        Assert.Equal("Own:0", Text(Assert.Single(heap.Look()!.Cycles)));
    }

    [Fact]
    public void Cycle_through_a_task_that_awaits_several_is_one_and_through_one_that_awaits_any_is_none()
    {
        AsyncHeap all = new(), any = new();
        foreach ((AsyncHeap heap, string kind) in ((AsyncHeap, string)[])[(all, "Task.WhenAll"), (any, "Task.WhenAny")])
        {
            ulong promise = heap.Task(kind), handle = heap.Method("Handle", promise);
            heap.Method("Load", handle, continuation: promise);
            heap.Task("Task.Delay", continuation: promise);
        }

        AwaitCycle cycle = Assert.Single(all.Look()!.Cycles);
        Assert.Equal(("Handle:0 > Task.WhenAll > Load:0", Grade.Proven), (Text(cycle), cycle.Grade));
        Assert.Empty(any.Look()!.Cycles);
    }

    [Fact]
    public void Await_of_which_only_one_side_knows_is_derived()
    {
        AsyncHeap heap = new();
        Pair(heap, isRegistered: false);
        Assert.Equal(Grade.Derived, Assert.Single(heap.Look()!.Cycles).Grade);
    }

    [Theory]
    [InlineData("a method that runs")]
    [InlineData("a task that has completed")]
    [InlineData("a completion source")]
    public void Ring_with_somebody_who_may_go_on_is_none(string who)
    {
        AsyncHeap heap = new();
        (ulong one, ulong two) = Pair(heap);
        switch (who)
        {
            case "a method that runs":
                heap.Set(one, 3, uint.MaxValue);
                break;
            case "a task that has completed":
                heap.Set(one, 1, 0x1000000);
                break;
            case "a completion source":
                heap.Set(one, 4, heap.Task("TaskCompletionSource", continuation: two));
                break;
        }

        Assert.Empty(heap.Look()!.Cycles);
    }

    [Fact]
    public void Cycles_of_the_same_methods_are_one_with_their_number_and_others_are_others()
    {
        AsyncHeap heap = new();
        Pair(heap);
        Pair(heap, "Two", "One");
        (ulong other, _) = Pair(heap, "Alpha", "Beta");
        heap.Method("Handle", other);
        Assert.Equal([("One:0 > Two:0", 2, 0), ("Alpha:0 > Beta:0", 1, 1)], heap.Look()!.Cycles.Select(c => (Text(c), c.Count, c.Behind)));
    }

    [Fact]
    public void Two_circles_with_a_task_in_common_are_one_finding()
    {
        AsyncHeap heap = new();
        ulong promise = heap.Task("Task.WhenAll"), handle = heap.Method("Handle", promise);
        heap.Method("Load", handle, continuation: promise);
        heap.Method("Store", handle, continuation: promise);
        Assert.Equal("Handle:0 > Task.WhenAll > Load:0", Text(Assert.Single(heap.Look()!.Cycles)));
    }

    [Fact]
    public void Very_long_cycle_is_found_and_cut()
    {
        AsyncHeap heap = new();
        const int Length = 50_000;
        ulong first = heap.Next, last = first + ((Length - 1) * 64);
        for (int i = 0; i < Length; i++)
        {
            heap.Method($"M{i % 3}", heap.Next == last ? first : heap.Next + 64, continuation: heap.Next == first ? last : heap.Next - 64);
        }

        AwaitCycle cycle = Assert.Single(heap.Look()!.Cycles);
        Assert.Equal((Length, 100, Grade.Proven), (cycle.Length, cycle.Links.Length, cycle.Grade));
    }

    [Fact]
    public void Heap_with_a_task_that_could_not_be_read_says_nothing()
    {
        AsyncHeap heap = new();
        Pair(heap);
        heap.Absent.Add(heap.Method("Handle", heap.Task("Task.Delay")));
        Assert.Equal(HeapLookGap.BrokenOff, heap.Look()!.Gap);
    }
}
