namespace Dump.Clr.Tests.Awaits;

/// <summary>Async methods of the program that await time are told from those that somebody else must continue.</summary>
public sealed class TimedAwaitTests
{
    private const int TimerWord = 7;
    private const int ContinuationWord = 2;

    /// <summary>A delay without an end has no timer; methods of the platform are its own affair.</summary>
    [Theory]
    [InlineData("App.RetryAsync", 0x9000, true)]
    [InlineData("App.RetryAsync", 0, false)]
    [InlineData("System.Diagnostics.ProcessWaitState.WaitForExitAsync", 0x9000, false)]
    [InlineData("Microsoft.Extensions.Hosting.Host.StartAsync", 0x9000, false)]
    public void Delay_behind_other_tasks_is_found(string method, ulong timer, bool expected)
    {
        AsyncHeap heap = new();
        ulong delay = heap.Task("Task.Delay");
        ulong all = heap.Task("Task.WhenAll");
        heap.Set(delay, TimerWord, timer);
        heap.Set(delay, ContinuationWord, all);
        heap.Method(method, heap.Method("System.IO.Stream.CopyToAsync", all));
        Assert.Equal(expected, heap.Look()!.AwaitsTime);
    }

    [Theory]
    [InlineData("PeriodicTimer.WaitForNextTickAsync", true)]
    [InlineData("a socket", false)]
    public void Tick_of_a_timer_is_time(string awaited, bool expected)
    {
        AsyncHeap heap = new();
        heap.Method("App.Service.ExecuteAsync", heap.Other(awaited));
        Assert.Equal(expected, heap.Look()!.AwaitsTime);
    }

    [Fact]
    public void Task_that_nobody_completes_is_no_time()
    {
        AsyncHeap heap = new();
        heap.Method("App.LoadAsync", heap.Task("TaskCompletionSource"));
        Assert.False(heap.Look()!.AwaitsTime);
    }

    /// <summary>A chain that leads back into itself ends the search.</summary>
    [Fact]
    public void Methods_that_await_each_other_await_no_time()
    {
        AsyncHeap heap = new();
        heap.Method("App.First", heap.Next + 64);
        heap.Method("App.Second", AsyncHeap.Start);
        Assert.False(heap.Look()!.AwaitsTime);
    }
}
