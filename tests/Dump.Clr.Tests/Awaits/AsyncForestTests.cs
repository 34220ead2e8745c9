using Dump.Clr.Awaits;
using Dump.Clr.Tasks;
using Dump.Model.Managed;

namespace Dump.Clr.Tests.Awaits;

/// <summary>Chains of awaits on heaps made by hand.</summary>
public sealed class AsyncForestTests
{
    private static string Text(AsyncChain chain) => $"{chain.Count} {Text(chain.Steps)}";

    private static string Text(IEnumerable<AsyncStep> steps) => string.Join(" > ", steps.Select(s =>
        $"{s.Name}{(s.State is { } state ? $":{state}" : "")}{(s.IsRepeated ? "*" : "")}{(s.Branches.IsEmpty ? "" : $"[{string.Join(" | ", s.Branches.Select(b => $"{b.Count} {Text(b.Steps)}"))}]")}"));

    private static string[] Texts(AsyncForest forest) => [.. forest.Chains.Select(Text)];

    [Fact]
    public void Equal_chains_are_one_with_their_number_whatever_they_end_at()
    {
        AsyncHeap heap = new();
        for (int i = 0; i < 3; i++)
        {
            heap.Method("Handle", heap.Method("Load", heap.Task("Task.Delay"), state: 2));
        }

        heap.Method("Handle", heap.Method("Load", heap.Task("Task.Delay"), state: 1));
        AsyncForest forest = heap.Scan();
        Assert.Equal(["3 Handle:0 > Load:2 > Task.Delay", "1 Handle:0 > Load:1 > Task.Delay"], Texts(forest));
        Assert.Equal((8, 4, 3), (forest.PendingMethods, forest.OtherPendingTasks, forest.Chains[0].Ends));
        Assert.All(forest.Chains, c => Assert.Equal((AsyncLoss.None, false), (c.Loss, c.IsCycle)));
    }

    /// <summary>Methods of .NET 11 without state machines: the calls of a task are steps, and tasks of both makes await each other.</summary>
    [Fact]
    public void Suspended_calls_of_a_task_are_steps_of_its_chain()
    {
        AsyncHeap heap = new();
        ulong inner = heap.Suspended(heap.Method("Load", heap.Task("Task.Delay"), state: 1), ("Read", 2), ("Handle", 0));
        ulong outer = heap.Method("Serve", inner, state: 3);
        heap.Set(inner, 2, outer);
        AsyncForest forest = heap.Scan();
        Assert.Equal(["1 Serve:3 > Handle:0 > Read:2 > Load:1 > Task.Delay"], Texts(forest));
        Assert.Equal((4, 1), (forest.PendingMethods, forest.OtherPendingTasks));
    }

    [Fact]
    public void Suspended_calls_that_wait_for_a_semaphore_are_counted()
    {
        AsyncHeap heap = new();
        ulong second = heap.Task("SemaphoreSlim.WaitAsync"), first = heap.Task("SemaphoreSlim.WaitAsync", link: second);
        heap.Suspended(first, ("Load", 0), ("Handle", 0));
        heap.Suspended(second, ("Load", 0), ("Handle", 0));
        ulong semaphore = heap.Semaphore(0, first);
        AsyncChain chain = Assert.Single(heap.Scan().Chains);
        Assert.Equal((2, semaphore, "count 0, 2 waiters"), (chain.Count, chain.End, chain.EndState));
    }

    [Fact]
    public void Suspended_method_that_runs_is_no_pending_call()
    {
        AsyncHeap heap = new();
        heap.Suspended(0);
        Assert.Equal((0, 1), (heap.Scan().PendingMethods, heap.Scan().OtherPendingTasks));
    }

    [Fact]
    public void Suspended_calls_that_name_each_other_end_the_list()
    {
        AsyncHeap heap = new();
        ulong task = heap.Suspended(0, ("Read", 0), ("Handle", 0));
        heap.Set(heap.FirstCall(task), 1, heap.FirstCall(task));
        Assert.Equal(RuntimeAsyncLayout.MostCalls, heap.Scan().PendingMethods);
    }

    [Fact]
    public void Chains_at_one_semaphore_say_so_with_its_state()
    {
        AsyncHeap heap = new();
        ulong third = heap.Task("SemaphoreSlim.WaitAsync"), second = heap.Task("SemaphoreSlim.WaitAsync", link: third), first =
            heap.Task("SemaphoreSlim.WaitAsync", link: second);
        foreach (ulong waiter in (ulong[])[first, second, third])
        {
            heap.Method("Handle", waiter);
        }

        ulong semaphore = heap.Semaphore(0, first);
        AsyncChain chain = Assert.Single(heap.Scan().Chains);
        Assert.Equal((3, 1, semaphore, "count 0, 3 waiters"), (chain.Count, chain.Ends, chain.End, chain.EndState));
    }

    [Fact]
    public void Waiters_that_name_each_other_end_the_list()
    {
        AsyncHeap heap = new();
        ulong one = heap.Task("SemaphoreSlim.WaitAsync"), two = heap.Task("SemaphoreSlim.WaitAsync", link: one);
        heap.Set(one, 4, two);
        heap.Method("Handle", one);
        heap.Semaphore(0, two);
        Assert.Equal("count 0, 2 waiters", Assert.Single(heap.Scan().Chains).EndState);
    }

    [Fact]
    public void Methods_that_await_each_other_are_a_cycle_and_those_in_front_of_it_lead_there()
    {
        AsyncHeap heap = new();
        ulong one = heap.Method("One", heap.Next + 64);
        ulong two = heap.Method("Two", one, continuation: one);
        heap.Method("Handle", two, state: 3);
        AsyncChain chain = Assert.Single(heap.Scan().Chains);
        Assert.Equal("1 Handle:3 > Two:0 > One:0 > (a task of this chain: they await each other)", Text(chain));
        Assert.True(chain.IsCycle);
    }

    [Fact]
    public void Cycle_that_nobody_awaits_is_found_and_one_that_awaits_itself_too()
    {
        AsyncHeap heap = new();
        ulong one = heap.Method("One", heap.Next + 64);
        heap.Method("Two", one, continuation: one);
        heap.Method("Alone", heap.Next);
        Assert.Equal([true, true], heap.Scan().Chains.Select(c => c.IsCycle));
    }

    [Fact]
    public void Long_chains_are_cut_and_a_method_that_awaits_itself_is_one_step()
    {
        AsyncHeap heap = new();
        ulong alternating = heap.Task("Task.Delay"), same = heap.Task("Task.Delay");
        for (int i = 0; i < 50_000; i++)
        {
            alternating = heap.Method(i % 2 == 0 ? "Even" : "Odd", alternating);
            same = heap.Method("Retry", same);
        }

        AsyncForest forest = heap.Scan();
        Assert.Equal("1 Retry:0* > Task.Delay", Text(forest.Chains[1]));
        Assert.InRange(forest.Chains[0].Steps.Length, 2, AwaitShapes.DeepestShape + 1);
        Assert.Equal("(further awaits are left out)", forest.Chains[0].Steps[^1].Name);
    }

    [Fact]
    public void Blocked_threads_stand_at_the_task_that_they_wait_for_also_inside_of_a_chain()
    {
        AsyncHeap heap = new();
        ulong load = heap.Method("Load", heap.Task("Task.Delay"));
        ulong handle = heap.Method("Handle", load);
        AsyncForest forest = heap.Scan((7, handle), (9, handle), (8, load), (5, 0x1234));
        Assert.Equal(["1 Handle:0 > Load:0 > Task.Delay", "1 Load:0 > Task.Delay"], Texts(forest));
        Assert.Equal([[7u, 9u], [8u]], forest.Chains.Select(c => c.Threads.ToArray()));
    }

    [Fact]
    public void Task_that_awaits_several_branches_by_what_names_it_as_continuation()
    {
        AsyncHeap heap = new();
        ulong all = heap.Task("Task.WhenAll");
        heap.Method("A", heap.Task("Task.Delay"), continuation: all);
        heap.Method("A", heap.Task("Task.Delay"), continuation: heap.List(1, all));
        heap.Task("TaskCompletionSource", continuation: all);
        heap.Method("Handle", all);
        Assert.Equal("1 Handle:0 > Task.WhenAll[2 A:0 > Task.Delay | 1 TaskCompletionSource]", Text(Assert.Single(heap.Scan().Chains)));
    }

    [Fact]
    public void List_that_claims_to_be_endless_is_read_as_far_as_there_is_memory()
    {
        AsyncHeap heap = new();
        ulong all = heap.Task("Task.WhenAll");
        heap.Method("A", heap.Task("Task.Delay"), continuation: heap.List(int.MaxValue, all));
        Assert.Equal("1 Task.WhenAll > A:0 > Task.Delay", Text(Assert.Single(heap.Scan().Chains)));
    }

    [Fact]
    public void Method_that_runs_and_one_that_awaits_no_task_say_so()
    {
        AsyncHeap heap = new();
        ulong running = heap.Method("Running", 0, state: -1);
        heap.Method("Yielded", 0, state: 1);
        heap.Method("Custom", heap.Other("SocketOperation"));
        Assert.Equal(
            ["1 Custom:0 > SocketOperation", "1 Running:-1 > (running)", "1 Yielded:1 > (no task: Task.Yield, or an awaiter that keeps none)"],
                Texts(heap.Scan()));
        heap.Running[running] = 7;
        Assert.Equal([null, 7u, null], heap.Scan().Chains.Select(c => c.Steps[^1].RunningThread));
    }

    [Fact]
    public void Task_with_code_says_which_and_whether_it_runs()
    {
        AsyncHeap heap = new();
        heap.Method("A", heap.Task("TaskCompletionSource", TaskFlags.Started, code: 0xC0DE));
        heap.Method("B", heap.Task("Task.ContinueWith", code: 0xC0DE));
        heap.Method("C", heap.Task("TaskCompletionSource", TaskFlags.Started | TaskFlags.Invoked, code: 0xBAD));
        Assert.Equal(
            ["1 A:0 > Task of App.Work (queued)", "1 B:0 > Task.ContinueWith of App.Work (not started)", "1 C:0 > Task of an unknown method (running)"],
                Texts(heap.Scan()));
    }

    [Fact]
    public void Awaited_task_that_nobody_is_registered_with_is_a_loss_unless_the_method_runs()
    {
        AsyncHeap heap = new();
        ulong untold = heap.Task("TaskCompletionSource");
        heap.Method("Lost", untold);
        heap.Set(untold, 2, 0);
        Assert.Equal(AsyncLoss.NotRegistered, Assert.Single(heap.Scan().Chains).Loss);
    }

    /// <summary>Who refers to a completion source, and whether that leaves somebody to complete its task.</summary>
    [Theory]
    [InlineData("nobody", AsyncLoss.NobodyCompletes)]
    [InlineData("the method that awaits the task", AsyncLoss.NobodyCompletes)]
    [InlineData("another method", AsyncLoss.None)]
    [InlineData("an object", AsyncLoss.None)]
    [InlineData("a stack", AsyncLoss.None)]
    public void Completion_source_that_nobody_else_has_is_a_loss(string who, AsyncLoss expected)
    {
        AsyncHeap heap = new();
        ulong task = heap.Task("TaskCompletionSource"), source = heap.Source(task), method = heap.Method("Handle", task);
        ulong other = heap.Method("Other", heap.Task("Task.Delay"));
        switch (who)
        {
            case "the method that awaits the task":
                heap.Set(method, 6, source);
                break;
            case "another method":
                heap.Set(other, 6, source);
                break;
            case "an object":
                heap.Other("Server", source);
                break;
            case "a stack":
                heap.Roots.Add(source);
                break;
        }

        AsyncForest forest = heap.Scan();
        Assert.False(forest.LossesAreUnknown);
        Assert.Equal(expected, forest.Chains.Single(c => c.Steps[0].Name == "Handle").Loss);
        Assert.Equal(AsyncLoss.None, forest.Chains.Single(c => c.Steps[0].Name == "Other").Loss);
    }

    /// <summary>Who would continue a method whose awaited task has completed.</summary>
    [Theory]
    [InlineData("nobody", AsyncLoss.NotContinued)]
    [InlineData("a delegate that nobody has", AsyncLoss.NotContinued)]
    [InlineData("a list that somebody keeps", AsyncLoss.NotContinued)]
    [InlineData("a delegate in a queue", AsyncLoss.None)]
    [InlineData("a delegate on a stack", AsyncLoss.None)]
    [InlineData("a worker's queue", AsyncLoss.None)]
    [InlineData("a stack", AsyncLoss.None)]
    public void Method_that_could_go_on_and_that_nothing_continues_is_a_loss(string who, AsyncLoss expected)
    {
        AsyncHeap heap = new();
        ulong method = heap.Method("Handle", heap.Task("Task.Delay", TaskFlags.Completed & ~TaskFlags.Faulted));
        switch (who)
        {
            case "a delegate that nobody has":
                heap.Delegate(method);
                break;
            case "a list that somebody keeps":
                heap.Other("Object[]", method);
                break;
            case "a delegate in a queue":
                heap.Other("Slot[]", heap.Delegate(method));
                break;
            case "a delegate on a stack":
                heap.Roots.Add(heap.Delegate(method));
                break;
            case "a worker's queue":
                heap.Queue(method);
                break;
            case "a stack":
                heap.Roots.Add(method);
                break;
        }

        AsyncChain chain = Assert.Single(heap.Scan().Chains);
        Assert.Equal(("1 Handle:0 > (completed)", expected), (Text(chain), chain.Loss));
    }

    [Fact]
    public void Completed_tasks_are_not_listed_and_failed_ones_are_by_method_and_exception()
    {
        AsyncHeap heap = new();
        heap.Task("Task.Delay", TaskFlags.Completed & ~TaskFlags.Faulted);
        foreach (ulong contingent in (ulong[])[1, 1, 2, 3])
        {
            heap.Set(heap.Task("Fail", TaskFlags.Faulted), 5, contingent);
        }

        AsyncForest forest = heap.Scan();
        Assert.Empty(forest.Chains);
        Assert.Equal([(2, "System.TimeoutException"), (1, null)], forest.Faults.Select(f => ((int)f.Count, f.Exception)));
    }

    [Fact]
    public void Tasks_without_memory_are_counted()
    {
        AsyncHeap heap = new();
        heap.Absent.Add(heap.Method("Handle", heap.Task("Task.Delay")));
        heap.Method("Handle", heap.Task("Task.Delay"));
        AsyncForest forest = heap.Scan();
        Assert.Equal(1, forest.Unreadable + forest.Walk!.Stops.Length);
    }
}
