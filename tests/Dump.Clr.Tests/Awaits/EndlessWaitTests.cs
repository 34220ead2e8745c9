using Dump.Clr.Awaits;
using Dump.Model.Facts;
using Dump.Model.Managed;
using Dump.Model.Waits;

namespace Dump.Clr.Tests.Awaits;

/// <summary>Threads that wait for what only they reach, and all that keeps such a wait from being one, on heaps made by hand.</summary>
public sealed class EndlessWaitTests
{
    private const int Invoked = 0x3_0000;

    /// <summary>What threads wait for.</summary>
    private static WaitFact Signal(uint thread, ulong address) => AsyncHeap.Wait(thread, ResourceKind.ManagedSignal, address);

    private static WaitFact Task(uint thread, ulong address) => AsyncHeap.Wait(thread, ResourceKind.ManagedTask, address);

    private static uint[] Found(AsyncHeap heap, params WaitFact[] waits) => [.. heap.Look(waits)!.Endless.Select(w => w.ThreadId)];

    /// <summary>Thread 1 waits for an event, and its stack alone has it.</summary>
    private static ulong Alone(AsyncHeap heap)
    {
        ulong signal = heap.Other("ManualResetEvent");
        heap.Stacks.Add((1, signal));
        return signal;
    }

    [Fact]
    public void Thread_that_alone_has_what_it_waits_for_waits_without_an_end()
    {
        AsyncHeap heap = new();
        Assert.Equal<uint>([1], Found(heap, Signal(1, Alone(heap))));
    }

    /// <summary>Whoever goes on and has it, or has what leads to it.</summary>
    [Theory]
    [InlineData("a stack", true)]
    [InlineData("a place inside of an object on a stack", true)]
    [InlineData("a register", true)]
    [InlineData("a strong handle", true)]
    [InlineData("an array of objects", true)]
    [InlineData("a timer that a handle keeps", true)]
    [InlineData("a weak reference on a stack", true)]
    [InlineData("the condition of an object on a stack", true)]
    [InlineData("a weak handle that native code has", true)]
    [InlineData("a segment that is never collected", true)]
    [InlineData("a delegate that continues the method", true)]
    [InlineData("a method that goes on by time", true)]
    [InlineData("what is inside of it", true)]
    [InlineData("a queued task on a stack", true)]
    [InlineData("an object that nobody has", false)]
    [InlineData("a weak reference that nobody has", false)]
    [InlineData("the condition of an object that nobody has", false)]
    [InlineData("a running task of the waiting thread", false)]
    public void Who_reaches_it_decides(string who, bool isReached)
    {
        AsyncHeap heap = new();
        ulong signal = Alone(heap), holder = heap.Other("Closure", signal);
        ILookup<ulong, ulong> none = Enumerable.Empty<ulong>().ToLookup(a => a);
        Dictionary<ulong, ulong> weak = new() { [0x7000] = holder };
        HashSet<ulong> never = [];
        switch (who)
        {
            case "a stack":
                heap.Stacks.Add((2, holder));
                break;
            case "a place inside of an object on a stack":
                heap.Stacks.Add((2, holder + 16));
                break;
            case "a register":
                heap.Registers.Add((2, holder));
                break;
            case "a strong handle":
                heap.Handles = new HandleReferences([holder], new Dictionary<ulong, ulong>(), none, never);
                break;
            case "an array of objects":
                heap.Other("Object[]", holder);
                break;
            case "a timer that a handle keeps":
                heap.Handles = new HandleReferences([heap.Threading("TimerQueueTimer", heap.Delegate(holder))], new Dictionary<ulong, ulong>(), none, never);
                break;
            case "a weak reference on a stack":
                heap.Handles = new HandleReferences([], weak, none, never);
                heap.Stacks.Add((2, heap.Other("WeakReference", 0x7001)));
                break;
            case "the condition of an object on a stack":
                ulong key = heap.Other("Key");
                heap.Stacks.Add((2, key));
                heap.Handles = new HandleReferences(
                    [], new Dictionary<ulong, ulong>(), new[] { (key, holder) }.ToLookup(d => d.key, d => d.holder), never);
                break;
            case "a weak handle that native code has":
                heap.Handles = new HandleReferences([], weak, none, never);
                break;
            case "a segment that is never collected":
                heap.Handles = new HandleReferences([], new Dictionary<ulong, ulong>(), none, new HashSet<ulong> { AsyncHeap.Start });
                break;
            case "a delegate that continues the method":
                ulong method = heap.Method("App.Wait", heap.Task("TaskCompletionSource"));
                heap.Set(method, 6, holder);
                heap.Stacks.Add((2, heap.Delegate(method)));
                break;
            case "a method that goes on by time":
                ulong delay = heap.Task("Task.Delay");
                heap.Set(heap.Method("App.Tick", delay), 6, holder);
                heap.Handles = new HandleReferences([delay], new Dictionary<ulong, ulong>(), none, never);
                break;
            case "what is inside of it":
                ulong inside = heap.Other("SafeWaitHandle");
                heap.Set(signal, 1, inside);
                heap.Stacks.Add((2, inside));
                break;
            case "a queued task on a stack":
                heap.Stacks.Add((2, heap.Task("Task", 0x1_0000, code: heap.Delegate(holder))));
                break;
            case "a weak reference that nobody has":
                heap.Other("WeakReference", 0x7001);
                heap.Handles = new HandleReferences([], weak, none, never);
                break;
            case "the condition of an object that nobody has":
                heap.Handles = new HandleReferences(
                    [], new Dictionary<ulong, ulong>(), new[] { (heap.Other("Key"), holder) }.ToLookup(d => d.Item1, d => d.holder), never);
                break;
            case "a running task of the waiting thread":
                heap.Handles = new HandleReferences([heap.Task("Task", Invoked, code: heap.Delegate(holder))], new Dictionary<ulong, ulong>(), none, never);
                break;
        }

        Assert.Equal<uint>(isReached ? [] : [1], Found(heap, Signal(1, signal)));
    }

    [Fact]
    public void Threads_that_could_only_wake_each_other_wait_without_an_end()
    {
        AsyncHeap heap = new();
        ulong first = heap.Other("AutoResetEvent"), second = heap.Other("AutoResetEvent");
        heap.Stacks.AddRange([(1, first), (1, second), (2, first), (2, second)]);
        Assert.Equal<uint>([1, 2], Found(heap, Signal(1, first), Signal(2, second)));
        heap.Stacks.Add((3, second));
        Assert.Empty(Found(heap, Signal(1, first), Signal(2, second)));
    }

    /// <summary>Who has the task of a method has not what the method keeps: nobody can let it go on by that.</summary>
    [Theory]
    [InlineData(false, true)]
    [InlineData(true, false)]
    public void Method_whose_task_somebody_has_cannot_be_made_to_go_on(bool isSourceHeld, bool isEndless)
    {
        AsyncHeap heap = new();
        ulong task = heap.Task("TaskCompletionSource"), source = heap.Source(task);
        ulong inner = heap.Method("App.ReadAsync", task, state: 2), outer = heap.Method("App.Main", inner);
        heap.Set(inner, 6, source);
        heap.Other("Object[]", outer);
        if (isSourceHeld)
        {
            heap.Other("Object[]", source);
        }

        EndlessWait[] found = [.. heap.Look([Task(1, outer)])!.Endless];
        Assert.Equal(isEndless, found.Length == 1);
        Assert.All(found, f => Assert.Equal(("App.ReadAsync", "TaskCompletionSource", (ulong?)task), (f.Method!.Name, f.Awaited, f.AwaitedObject)));
    }

    /// <summary>As on a scheduler whose only thread is blocked.</summary>
    [Fact]
    public void Method_that_nobody_continues_is_told_apart()
    {
        AsyncHeap heap = new();
        ulong method = heap.Method("App.DepositAsync", heap.Task("TaskCompletionSource", 0x100_0000), state: 1);
        EndlessWait found = Assert.Single(heap.Look([Task(1, method)])!.Endless);
        Assert.Equal(("App.DepositAsync", null, true), (found.Method!.Name, found.Awaited, found.HasCompleted));
        heap.Stacks.Add((2, heap.Delegate(method)));
        Assert.Empty(Found(heap, Task(1, method)));
    }

    /// <summary>The thread that holds what is waited for goes on, or not.</summary>
    [Theory]
    [InlineData(2u, true)]
    [InlineData(3u, false)]
    [InlineData(0u, false)]
    public void Lock_is_released_by_its_owner_alone(uint owner, bool isEndless)
    {
        AsyncHeap heap = new();
        ulong signal = heap.Other("Barrier"), locked = heap.Other("Lock");
        heap.Stacks.AddRange([(2, signal), (1, locked), (2, locked), (3, locked)]);
        WaitFact entering = AsyncHeap.Wait(1, ResourceKind.Monitor, locked);
        IEnumerable<uint> found = heap.Look([entering, Signal(2, signal)], owners: [(entering.Resource, owner)])!.Endless.Select(w => w.ThreadId);
        Assert.Equal(isEndless ? [1, 2] : [2], found);
    }

    [Fact]
    public void Thread_that_waits_for_the_end_of_another_one_waits_as_long()
    {
        AsyncHeap heap = new();
        ulong signal = Alone(heap);
        heap.Stacks.Add((2, signal));
        WaitFact join = AsyncHeap.Wait(2, ResourceKind.Thread, 1);
        Assert.Equal<uint>([1, 2], Found(heap, Signal(1, signal), join));
        Assert.Empty(Found(heap, Signal(1, signal), join with { Resource = new Resource(ResourceKind.Thread, 3) }));
    }

    [Fact]
    public void Wait_that_may_end_otherwise_is_none()
    {
        AsyncHeap heap = new();
        ulong signal = Alone(heap);
        WaitFact wait = Signal(1, signal);
        Assert.Empty(Found(heap, wait with { Timeout = WaitTimeout.Finite }));
        Assert.Empty(Found(heap, wait with { Timeout = WaitTimeout.Unknown }));
        Assert.Empty(Found(heap, wait with { IsWaitAny = true }));
        Assert.Empty(Found(heap, wait with { IsSatisfied = true }));
        Assert.Empty(Found(heap, wait with { Grade = Grade.Suspected }));
        Assert.Empty(Found(heap, wait, AsyncHeap.Wait(1, ResourceKind.FileDescriptor, 5)));
        Assert.Empty(Found(heap, Signal(1, AsyncHeap.Start - 64)));
        heap.AreKnown = false;
        Assert.Empty(Found(heap, wait));
    }

    /// <summary>A task whose code has begun is run by somebody, who is not known.</summary>
    [Fact]
    public void Task_that_is_run_somewhere_ends_by_itself()
    {
        AsyncHeap heap = new();
        Assert.Empty(Found(heap, Task(1, heap.Task("Task", Invoked, code: 0xC0DE))));
        Assert.Equal<uint>([1], Found(heap, Task(1, heap.Task("Task", 0, code: 0xC0DE))));
    }
}
