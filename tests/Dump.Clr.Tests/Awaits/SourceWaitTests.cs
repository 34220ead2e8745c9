using Dump.Model.Managed;

namespace Dump.Clr.Tests.Awaits;

/// <summary>Tasks of completion sources that many async methods await, and what may complete them by itself, on heaps made by hand.</summary>
public sealed class SourceWaitTests
{
    private const string OfSource = "TaskCompletionSource";

    /// <summary>A task with so many methods that await it, all in one list of continuations, as the runtime keeps them.</summary>
    private static ulong Awaited(AsyncHeap heap, int waiters, string name = OfSource, ulong code = 0, int state = 0)
    {
        ulong task = heap.Task(name, code: code);
        ulong[] methods = [.. Enumerable.Range(0, waiters).Select(_ => heap.Method("Handle", heap.Method("Load", task, state)))];
        ulong[] direct = [.. methods.Select(m => m - 0x40)];
        heap.Set(task, 2, heap.LongList(direct));
        return task;
    }

    private static AwaitedTask Look(AsyncHeap heap) => Assert.Single(heap.Look()!.Tasks);

    [Fact]
    public void Task_that_many_methods_await_is_told_with_all_that_stand_behind_it()
    {
        AsyncHeap heap = new();
        ulong task = Awaited(heap, 12);
        heap.Source(task);
        AwaitedTask found = Look(heap);
        Assert.Equal((task, 12, 0, false), (found.Address, found.Waiters, found.Further, found.EndsByItself));
        Assert.Equal<AwaitingMethod>([new AwaitingMethod("Load", 12)], found.Methods);
        Assert.Equal<string>(["Handle", "Load"], found.Stopped);
    }

    [Theory]
    [InlineData(9, OfSource, 0ul, 0)]
    [InlineData(12, "Task.Delay", 0ul, 0)]
    [InlineData(12, "Task.WhenAny", 0ul, 0)]
    [InlineData(12, OfSource, 0xC0DEul, 0)]
    [InlineData(12, OfSource, 0ul, -1)]
    public void Few_waiters_and_tasks_of_another_kind_are_not(int waiters, string name, ulong code, int state)
    {
        AsyncHeap heap = new();
        Awaited(heap, waiters, name, code, state);
        Assert.Empty(heap.Look()!.Tasks);
    }

    [Fact]
    public void Other_calls_of_the_same_methods_are_counted()
    {
        AsyncHeap heap = new();
        Awaited(heap, 12);
        heap.Method("Handle", heap.Task("Task.Delay"), state: 1);
        heap.Method("Other", heap.Task("Task.Delay"));
        Assert.Equal(1, Look(heap).Further);
    }

    /// <summary>The way to the source: itself, what has it, and a delegate whose target either is.</summary>
    [Theory]
    [InlineData("timer > source", true)]
    [InlineData("timer > task", true)]
    [InlineData("registration > source", true)]
    [InlineData("timer > delegate > source", true)]
    [InlineData("registration > delegate > object > source", true)]
    [InlineData("object > delegate > object > source", false)]
    [InlineData("registration > delegate > object > object > source", true)]
    [InlineData("registration > delegate > object > object > object > source", false)]
    [InlineData("timer > object > object > object > object > source", false)]
    [InlineData("timer of the program > source", false)]
    public void Timers_and_registrations_may_complete_it(string way, bool expected)
    {
        AsyncHeap heap = new();
        ulong task = Awaited(heap, 12), source = heap.Source(task), at = 0;
        foreach (string step in way.Split(" > ").Reverse())
        {
            at = step switch
            {
                "source" => source,
                "task" => task,
                "delegate" => heap.Delegate(at),
                "timer" => heap.Threading("TimerQueueTimer", at),
                "registration" => heap.Threading("CancellationTokenSource+CallbackNode", at),
                "timer of the program" => heap.Other("TimerQueueTimer", at),
                _ => heap.Other("Server", at),
            };
        }

        Assert.Equal(expected, Look(heap).EndsByItself);
    }

    /// <summary>They are looked for together; an object that has both sources leads to both, also where it is met a second time.</summary>
    [Theory]
    [InlineData("neither", false, false)]
    [InlineData("first", true, false)]
    [InlineData("second", false, true)]
    [InlineData("an object with both", true, true)]
    [InlineData("an object with the second, and that of the first", true, true)]
    public void Each_task_has_its_own_answer(string who, bool first, bool second)
    {
        AsyncHeap heap = new();
        ulong one = heap.Source(Awaited(heap, 12)), two = heap.Source(Awaited(heap, 11));
        ulong at = who switch
        {
            "first" => one,
            "second" => two,
            "an object with both" => heap.Delegate(heap.Other("Server", one, two)),
            "an object with the second, and that of the first" => heap.Delegate(heap.Other("Server", two, heap.Other("Part", one))),
            _ => 0,
        };
        if (at != 0)
        {
            heap.Threading("TimerQueueTimer", at);
        }

        Assert.Equal<bool?>([first, second], heap.Look()!.Tasks.Select(t => t.EndsByItself));
    }
}
