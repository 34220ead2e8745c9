using Dump.Model.Managed;

namespace Dump.Clr.Tests.Awaits;

/// <summary>Hosts that start or stop, and what stands at the end of their awaits, on heaps made by hand.</summary>
public sealed class HostTransitionTests
{
    private const string Start = "Microsoft.Extensions.Hosting.Internal.Host.StartAsync";
    private const string Stop = "Microsoft.Extensions.Hosting.Internal.Host.StopAsync";
    private const string Request = "Microsoft.AspNetCore.Server.Kestrel.Core.Internal.Http.HttpProtocol.ProcessRequests";

    private const int TimerWord = 7;

    private static HostTransition Look(AsyncHeap heap) => Assert.Single(heap.Look()!.Hosts);

    /// <summary>The host awaits a method of the platform's, that one of the program's, and that a task.</summary>
    [Theory]
    [InlineData(Start, "TaskCompletionSource", true, null, false)]
    [InlineData(Stop, "TaskCompletionSource", false, null, false)]
    [InlineData(Start, "SemaphoreSlim.WaitAsync", true, null, false)]
    [InlineData(Start, "Task.WaitAsync", true, "Task.WaitAsync", false)]
    [InlineData(Stop, "Task.WaitAsync", false, "Task.WaitAsync", false)]
    public void Host_is_told_with_what_it_waits_for(string name, string awaited, bool isStart, string? end, bool endsByItself)
    {
        AsyncHeap heap = new();
        ulong host = heap.Method(name, heap.Method("Microsoft.Extensions.Hosting.Internal.Host.ForeachService", heap.Method("App.Start", heap.Task(awaited))));
        HostTransition found = Look(heap);
        Assert.Equal((host, isStart, "App.Start", end, endsByItself), (found.Address, found.IsStart, found.Method?.Name, found.End, found.EndsByItself));
    }

    /// <summary>Code that runs, and a delay that has a timer.</summary>
    [Theory]
    [InlineData(true)]
    [InlineData(false)]
    public void Host_goes_on_by_itself_where_time_or_running_code_is_at_the_end(bool runs)
    {
        AsyncHeap heap = new();
        ulong delay = heap.Task("Task.Delay");
        heap.Set(delay, TimerWord, 0x9000);
        heap.Method(Start, runs ? heap.Method("App.Start", 0, state: -1) : heap.Method("App.Start", delay));
        Assert.True(Look(heap).EndsByItself);
    }

    /// <summary>One that runs has not stopped anywhere; a method of another host, or with a longer name, is none.</summary>
    [Theory]
    [InlineData(Start, -1)]
    [InlineData("App." + Start, 0)]
    [InlineData(Start + "Core", 0)]
    [InlineData("Microsoft.Extensions.Hosting.HostingAbstractionsHostExtensions.RunAsync", 0)]
    public void Other_methods_are_none(string name, int state)
    {
        AsyncHeap heap = new();
        heap.Method(name, heap.Task("TaskCompletionSource"), state);
        Assert.Empty(heap.Look()!.Hosts);
    }

    /// <summary>Requests that cannot be answered before the semaphore is released, whichever methods are between.</summary>
    [Theory]
    [InlineData(Request, 2)]
    [InlineData("App." + Request, 0)]
    public void Requests_behind_a_semaphore_are_counted(string outer, int requests)
    {
        AsyncHeap heap = new();
        ulong second = heap.Task("SemaphoreSlim.WaitAsync"), first = heap.Task("SemaphoreSlim.WaitAsync", link: second);
        heap.Semaphore(0, first);
        heap.Method(outer, heap.Method("App.Handle", heap.Method("App.Load", first)));
        heap.Method(outer, heap.Method("App.Load", second));
        heap.Method(outer, heap.Method("App.Other", heap.Task("Task.Delay")));
        Assert.Equal(requests, Assert.Single(heap.Look()!.Semaphores).Requests);
    }
}
