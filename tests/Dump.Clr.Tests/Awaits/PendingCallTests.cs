using Dump.Model.Managed;

namespace Dump.Clr.Tests.Awaits;

/// <summary>Pending calls by method, await and what follows, on heaps made by hand.</summary>
public sealed class PendingCallTests
{
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

        heap.Method("Poll", heap.Task("Task.Delay", link: 1));
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
}
