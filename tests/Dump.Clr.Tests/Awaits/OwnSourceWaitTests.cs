using Dump.Clr.Awaits;
using Dump.Model.Managed;
using Dump.Model.Waits;

namespace Dump.Clr.Tests.Awaits;

/// <summary>Calls that each await a completion source of their own, and what may complete these, on heaps made by hand.</summary>
public sealed class OwnSourceWaitTests
{
    private const string OfSource = "TaskCompletionSource";

    /// <summary>Calls with a source each, kept in a collection that a client has; the client, and the handlers of the calls.</summary>
    private static (ulong Client, ulong[] Handlers) Pending(AsyncHeap heap, int calls = 120, bool isKept = true)
    {
        List<ulong> kept = [], handlers = [];
        for (int i = 0; i < calls; i++)
        {
            ulong task = heap.Task(OfSource);
            handlers.Add(heap.Method("App.Handle", heap.Method("App.Call", task)));
            kept.Add(heap.Source(task));
        }

        while (isKept && kept.Count > 1)
        {
            kept = [.. kept.Chunk(6).Select(c => heap.Other(ReferenceRole.Inside, c))];
        }

        return (heap.Other("Client", isKept ? kept[0] : 0), [.. handlers]);
    }

    private static AwaitedSources Look(AsyncHeap heap, params WaitFact[] waits) => Assert.Single(heap.Look(waits)!.Sources);

    [Fact]
    public void Calls_that_nobody_answers_are_told_with_their_methods()
    {
        AsyncHeap heap = new();
        Pending(heap);
        AwaitedSources found = Look(heap);
        Assert.Equal((AsyncHeap.Start, 120, 120, 0, 0), (found.Address, found.Count, found.Open, found.Abandoned, found.Further));
        Assert.Equal<AwaitingMethod>([new AwaitingMethod("App.Call", 120)], found.Methods);
        Assert.Equal<string>(["App.Call", "App.Handle"], found.Stopped);
        Assert.Empty(found.Leads);
        Assert.Empty(heap.Look()!.Tasks);
    }

    /// <summary>Where all of them stand at one await; calls of one method that stand at several have no place in common.</summary>
    [Theory]
    [InlineData(0)]
    [InlineData(1)]
    public void Await_at_which_all_calls_stand_is_told(int stateOfTheLast)
    {
        AsyncHeap heap = new();
        MethodPlace code = new(0, 0x0600_0007);
        heap.Codes["App.Call"] = code;
        for (int i = 0; i < 12; i++)
        {
            ulong task = heap.Task(OfSource);
            heap.Source(task);
            heap.Method("App.Call", task, i < 11 ? 0 : stateOfTheLast);
        }

        AwaitPlace? expected = stateOfTheLast == 0 ? new AwaitPlace(code, 0) : null;
        Assert.Equal<AwaitingMethod>([new AwaitingMethod("App.Call", 12) { Place = expected }], Look(heap).Methods);
    }

    [Theory]
    [InlineData(9, false, null)]
    [InlineData(10, true, 10)]
    [InlineData(99, true, 99)]
    [InlineData(100, true, 100)]
    public void Fewer_than_ten_calls_are_not_told(int calls, bool isTold, int? open)
    {
        AsyncHeap heap = new();
        Pending(heap, calls);
        Assert.Equal(isTold ? [(calls, open)] : Array.Empty<(int, int?)>(), heap.Look()!.Sources.Select(s => (s.Count, s.Open)));
    }

    /// <summary>From what goes on by itself to the client; what leads there and what does not.</summary>
    [Theory]
    [InlineData("reader", "App.Read (a socket)")]
    [InlineData("reader > delegate > object", "App.Read (a socket)")]
    [InlineData("reader > object > object", "App.Read (a socket)")]
    [InlineData("reader > object > object > object", null)]
    [InlineData("reader > container", null)]
    [InlineData("timer", "a timer")]
    [InlineData("timer > delegate > object", "a timer")]
    [InlineData("timer that has ended", null)]
    [InlineData("registration > delegate", "a registration with a cancellation token")]
    [InlineData("work", "work in the queue of the thread pool")]
    [InlineData("operation > delegate", "an operation of the system (Operation)")]
    [InlineData("method in a delay", "App.Read (Task.Delay)")]
    [InlineData("method in an endless delay", null)]
    [InlineData("method that runs", "App.Read (running)")]
    [InlineData("method at a semaphore", null)]
    [InlineData("method at a source", null)]
    [InlineData("method at a source of a timer", "a timer")]
    [InlineData("queued task", "Task (running)")]
    [InlineData("completed task", null)]
    public void What_goes_on_by_itself_may_complete_them(string way, string? expected)
    {
        AsyncHeap heap = new();
        (ulong at, _) = Pending(heap);
        foreach (string step in way.Split(" > ").Reverse())
        {
            at = Step(heap, step, at);
        }

        AwaitedSources found = Look(heap);
        Assert.Equal<AwaitingMethod>(expected is null ? [] : [new AwaitingMethod(expected, 120)], found.Leads);
        Assert.Equal(expected is null ? 120 : 0, found.Open);
    }

    private static ulong Step(AsyncHeap heap, string step, ulong to) => step switch
    {
        "reader" => Having(heap, heap.Method("App.Read", heap.Other("a socket")), to),
        "method in a delay" => Having(heap, heap.Method("App.Read", Timed(heap)), to),
        "method in an endless delay" => Having(heap, heap.Method("App.Read", heap.Task("Task.Delay")), to),
        "method that runs" => Having(heap, heap.Method("App.Read", 0, state: -1), to),
        "method at a semaphore" => Having(heap, heap.Method("App.Read", heap.Task("SemaphoreSlim.WaitAsync")), to),
        "method at a source" => Having(heap, heap.Method("App.Read", heap.Task(OfSource)), to),
        "method at a source of a timer" => Having(heap, heap.Method("App.Read", OfTimer(heap)), to),
        "queued task" => heap.Task("Task", code: heap.Delegate(to)),
        "completed task" => heap.Task("Task", flags: 0x100_0000, code: heap.Delegate(to)),
        "container" => heap.Other(ReferenceRole.Everybody, to),
        "timer" => heap.Other(ReferenceRole.Timer, to),
        "timer that has ended" => heap.Other(ReferenceRole.Timer, to, 0, 0, 0, uint.MaxValue),
        "registration" => heap.Other(ReferenceRole.Registration, to),
        "work" => heap.Other(ReferenceRole.WorkItem, to),
        "operation" => heap.Other(ReferenceRole.Operation, to),
        "delegate" => heap.Delegate(to),
        _ => heap.Other("Part", to),
    };

    private static ulong Having(AsyncHeap heap, ulong method, ulong what)
    {
        heap.Set(method, 6, what);
        return method;
    }

    private static ulong Timed(AsyncHeap heap)
    {
        ulong delay = heap.Task("Task.Delay");
        heap.Set(delay, 7, 0x1000);
        return delay;
    }

    private static ulong OfTimer(AsyncHeap heap)
    {
        ulong task = heap.Task(OfSource);
        heap.Other(ReferenceRole.Timer, heap.Source(task));
        return task;
    }

    [Fact]
    public void Of_very_many_some_are_looked_at()
    {
        AsyncHeap heap = new();
        (ulong client, _) = Pending(heap, 5_000);
        Assert.Equal((5_000, 2_048, 2_048), Look(heap) is var open ? (open.Count, open.Looked, open.Open) : default);
        Step(heap, "reader", client);
        AwaitedSources led = Look(heap);
        Assert.Equal((2_048, 0), (led.Looked, led.Open));
        Assert.Equal<AwaitingMethod>([new AwaitingMethod("App.Read (a socket)", 2_048)], led.Leads);
    }

    [Fact]
    public void Too_many_tasks_are_not_looked_at()
    {
        AsyncHeap heap = new();
        Pending(heap);
        Assert.Equal((360L, 0), heap.Look([], mostTasks: 359) is { } few ? (few.TasksLeftOut, few.Sources.Length) : default);
        Assert.Equal((null, 1), heap.Look([], mostTasks: 360) is { } all ? (all.TasksLeftOut, all.Sources.Length) : default);
    }

    [Fact]
    public void Method_that_waits_itself_leads_nowhere()
    {
        AsyncHeap heap = new();
        (ulong client, ulong[] handlers) = Pending(heap);
        Having(heap, handlers[7], client);
        Assert.Equal(120, Look(heap).Open);
    }

    [Fact]
    public void Only_those_that_something_leads_to_are_taken_out()
    {
        AsyncHeap heap = new();
        ulong own = heap.Task(OfSource);
        heap.Method("App.Call", own);
        heap.Other(ReferenceRole.Registration, heap.Source(own));
        Pending(heap);
        AwaitedSources found = Look(heap);
        Assert.Equal((121, 120), (found.Count, found.Open));
        Assert.Equal<AwaitingMethod>([new AwaitingMethod("a registration with a cancellation token", 1)], found.Leads);
    }

    /// <summary>Calls that nothing refers to any more are what the next collection takes; a root anywhere outwards keeps them.</summary>
    [Theory]
    [InlineData("nothing", 120, 0)]
    [InlineData("a completed task", 120, 0)]
    [InlineData("an array", 0, 120)]
    [InlineData("a stack", 0, 120)]
    public void Abandoned_calls_are_not_open(string who, int abandoned, int open)
    {
        AsyncHeap heap = new();
        (_, ulong[] handlers) = Pending(heap, isKept: false);
        foreach (ulong handler in handlers)
        {
            switch (who)
            {
                case "a completed task":
                    heap.Task("Task", flags: 0x100_0000, link: handler);
                    break;
                case "an array":
                    heap.Other(ReferenceRole.Inside, handler);
                    break;
                case "a stack":
                    heap.Stacks.Add((7, handler));
                    break;
            }
        }

        AwaitedSources found = Look(heap);
        Assert.Equal((abandoned, open), (found.Abandoned, found.Open));
    }

    /// <summary>Who waits for the first of two goes on with the other; who waits for all does not.</summary>
    [Theory]
    [InlineData("Task.WhenAny", true, 0)]
    [InlineData("Task.WhenAny", false, 120)]
    [InlineData("Task.WhenAll", true, 120)]
    [InlineData("Task.WaitAsync", false, 0)]
    public void Calls_that_their_callers_leave_are_not_open(string how, bool isTimed, int open)
    {
        AsyncHeap heap = new();
        (_, ulong[] handlers) = Pending(heap);
        foreach (ulong handler in handlers)
        {
            ulong promise = heap.Task(how);
            heap.Method("App.Serve", promise);
            heap.Set(handler, 2, promise);
            if (isTimed)
            {
                heap.Set(Timed(heap), 2, promise);
            }
        }

        Assert.Equal(open, Look(heap).Open);
    }

    [Fact]
    public void Other_calls_of_the_same_methods_are_counted()
    {
        AsyncHeap heap = new();
        Pending(heap);
        heap.Method("App.Call", heap.Task("Task.Delay"), state: 1);
        heap.Method("App.Other", heap.Task("Task.Delay"));
        Assert.Equal(1, Look(heap).Further);
    }

    [Fact]
    public void Threads_that_lead_to_them_are_told_but_those_that_wait_for_them()
    {
        AsyncHeap heap = new();
        (ulong client, ulong[] handlers) = Pending(heap);
        heap.Registers.AddRange([(7, client), (8, client), (9, handlers[0])]);
        AwaitedSources found = Look(heap, AsyncHeap.Wait(8, ResourceKind.ManagedTask, handlers[3]));
        Assert.Equal<uint>([7], found.Threads);
        Assert.Equal(120, found.Open);
    }
}
