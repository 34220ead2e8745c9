using Dump.Model.Managed;

namespace Dump.Clr.Tests.Awaits;

/// <summary>Pending calls by method, await and what follows, on heaps made by hand.</summary>
public sealed class PendingCallTests
{
    /// <summary>The word of a delay with its timer; one without an end has none.</summary>
    private const int Timer = 7;

    private static string Text(PendingCalls calls) =>
        $"{calls.Count} {string.Join(" > ", calls.Steps.Select(s => s.Name))} ({calls.Methods}) {calls.End} {calls.Ends}";

    /// <summary>Each method has calls of its own, whoever awaits it; equal ones are one with their number.</summary>
    [Fact]
    public void Calls_of_each_method_are_told_with_what_they_wait_for()
    {
        AsyncHeap heap = new();
        for (int i = 0; i < 3; i++)
        {
            heap.Method("Handle", heap.Method("Load", heap.Task("TaskCompletionSource")));
        }

        heap.Method("Poll", heap.Task("Task.Delay"));
        Assert.Equal(
            ["3 Handle > Load > TaskCompletionSource (1) OtherCode 3", "3 Load > TaskCompletionSource (1) OtherCode 3"],
            heap.Look()!.Calls.Where(c => c.Count > 1).Select(Text));
    }

    [Theory]
    [InlineData("a socket", AwaitEndKind.InputOutput)]
    [InlineData("PeriodicTimer.WaitForNextTickAsync", AwaitEndKind.Time)]
    [InlineData("ChannelReader.ReadAsync", AwaitEndKind.NewWork)]
    [InlineData("ChannelReader.WaitToReadAsync", AwaitEndKind.NewWork)]
    [InlineData("ChannelWriter.WriteAsync", AwaitEndKind.OtherCode)]
    [InlineData("PipeWriter.FlushAsync", AwaitEndKind.OtherCode)]
    public void What_is_awaited_decides_what_must_happen(string operation, AwaitEndKind expected)
    {
        AsyncHeap heap = new();
        heap.Method("Serve", heap.Other(operation));
        Assert.Equal(expected, Assert.Single(heap.Look()!.Calls).End);
    }

    [Theory]
    [InlineData(0, AwaitEndKind.OtherCode)]
    [InlineData(1, AwaitEndKind.Time)]
    public void Delay_goes_on_by_itself_where_it_has_a_timer(ulong timer, AwaitEndKind expected)
    {
        AsyncHeap heap = new();
        ulong delay = heap.Task("Task.Delay");
        heap.Set(delay, Timer, timer);
        heap.Method("Poll", delay);
        Assert.Equal(expected, Assert.Single(heap.Look()!.Calls).End);
    }

    [Fact]
    public void Calls_at_one_semaphore_say_so_with_its_state()
    {
        AsyncHeap heap = new();
        ulong second = heap.Task("SemaphoreSlim.WaitAsync"), first = heap.Task("SemaphoreSlim.WaitAsync", link: second);
        heap.Method("Load", first);
        heap.Method("Load", second);
        ulong semaphore = heap.Semaphore(0, first);
        PendingCalls calls = Assert.Single(heap.Look()!.Calls);
        Assert.Equal((2, 1, semaphore, "count 0, 2 waiters"), (calls.Count, calls.Ends, calls.Object, calls.ObjectState));
    }

    /// <summary>What the runtime suspends is one task with several methods.</summary>
    [Fact]
    public void Suspended_calls_of_a_task_belong_together()
    {
        AsyncHeap heap = new();
        heap.Suspended(heap.Task("TaskCompletionSource"), ("Load", 0), ("Handle", 1));
        Assert.Equal(["1 Handle > Load > TaskCompletionSource (2) OtherCode 1"], heap.Look()!.Calls.Select(Text));
    }

    /// <summary>A method between two awaits is on a stack, and what it awaits is over.</summary>
    [Fact]
    public void Method_that_runs_waits_for_nothing()
    {
        AsyncHeap heap = new();
        heap.Method("Work", heap.Task("TaskCompletionSource"), state: -1);
        Assert.Empty(heap.Look()!.Calls);
    }

    /// <summary>A wait with a token alone ends when somebody cancels it; which of the two it has is not known.</summary>
    [Fact]
    public void Wait_with_a_limit_or_a_token_does_not_go_on_by_itself()
    {
        AsyncHeap heap = new();
        heap.Method("Serve", heap.Task("Task.WaitAsync"));
        Assert.Equal(AwaitEndKind.OtherCode, Assert.Single(heap.Look()!.Calls).End);
    }

    /// <summary>Of several tasks that all must complete the delay is not the last.</summary>
    [Fact]
    public void Delay_beside_a_task_that_nobody_completes_ends_nothing()
    {
        AsyncHeap heap = new();
        ulong all = heap.Task("Task.WhenAll");
        heap.Method("Serve", all);
        heap.Set(heap.Task("Task.Delay", continuation: all), Timer, 1);
        heap.Task("TaskCompletionSource", continuation: all);
        PendingCalls calls = Assert.Single(heap.Look()!.Calls);
        Assert.Equal((2, AwaitEndKind.OtherCode), (calls.Steps[^1].Branches.Length, calls.End));
    }

    /// <summary>Chains are as long as a heap makes them, and each of their methods has calls of its own.</summary>
    [Fact]
    public void Very_long_chain_is_followed_once()
    {
        AsyncHeap heap = new();
        ulong awaited = heap.Task("TaskCompletionSource"), end = awaited;
        for (int i = 0; i < 300_000; i++)
        {
            awaited = heap.Method(i % 2 == 0 ? "Even" : "Odd", awaited);
        }

        PendingCalls calls = heap.Look()!.Calls[0];
        Assert.Equal((1, end), (calls.Ends, calls.Object));
    }
}
