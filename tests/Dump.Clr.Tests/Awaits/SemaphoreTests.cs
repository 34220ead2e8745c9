using Dump.Model.Managed;
using Dump.Model.Waits;

namespace Dump.Clr.Tests.Awaits;

/// <summary>Semaphores that cannot be entered, their waiters, and who else could release them, on heaps made by hand.</summary>
public sealed class SemaphoreTests
{
    private const string Wait = "SemaphoreSlim.WaitAsync";

    /// <summary>A semaphore that two methods wait for, both of which keep it.</summary>
    private static (ulong Semaphore, ulong First, ulong Second) Leaked(AsyncHeap heap, int count = 0, int blocked = 0)
    {
        ulong second = heap.Task(Wait), first = heap.Task(Wait, link: second), semaphore = heap.Semaphore(count, first, blocked);
        ulong one = heap.Method("Load", first), two = heap.Method("Store", second);
        heap.Set(one, 6, semaphore);
        heap.Set(two, 6, semaphore);
        return (semaphore, one, two);
    }

    private static AwaitedSemaphore Look(AsyncHeap heap, params WaitFact[] waits) => Assert.Single(heap.Look(waits)!.Semaphores);

    [Fact]
    public void Semaphore_that_only_its_waiters_have_is_out_of_reach_of_anybody_else()
    {
        AsyncHeap heap = new();
        (ulong semaphore, ulong load, _) = Leaked(heap);
        ulong handle = heap.Method("Handle", load);
        heap.Set(handle, 6, semaphore);
        AwaitedSemaphore found = Look(heap);
        Assert.Equal((semaphore, 2, 2, 0, SemaphoreUsers.OnlyWaiters), (found.Address, found.Waiters, found.Unlimited, found.Blocked, found.Users));
        Assert.Equal<AwaitingMethod>([new AwaitingMethod("Load", 1), new AwaitingMethod("Store", 1)], found.Methods);
        Assert.Equal<string>(["Handle", "Load", "Store"], found.Stopped);
    }

    /// <summary>A call that holds the semaphore and waits for what waits for it, and one that goes on.</summary>
    [Fact]
    public void Calls_that_hold_it_are_told_with_what_they_wait_for()
    {
        AsyncHeap heap = new();
        (ulong semaphore, ulong load, _) = Leaked(heap);
        ulong stuck = heap.Method("Save", load, state: 1), free = heap.Method("Save", heap.Task("Task.Delay"), state: 2);
        heap.Held.AddRange([(stuck, semaphore), (free, semaphore), (free, semaphore + 8)]);
        SemaphoreHolder[] holders = [.. Look(heap).Holders];
        Assert.Equal(2, holders.Length);
        Assert.All(holders, h => Assert.Equal(("Save", 1), (h.Method.Name, h.Method.Count)));
        Assert.Single(holders, h => h.Behind.IsEmpty);
        Assert.Equal<ulong>([semaphore], Assert.Single(holders, h => !h.Behind.IsEmpty).Behind);
    }

    /// <summary>Code that cannot be read may hold anything, and so may calls that the runtime suspends.</summary>
    [Theory]
    [InlineData(true, false, true)]
    [InlineData(false, false, false)]
    [InlineData(true, true, false)]
    public void Holders_are_known_where_all_code_is(bool areCodesKnown, bool isSuspended, bool expected)
    {
        AsyncHeap heap = new() { AreCodesKnown = areCodesKnown };
        Leaked(heap);
        if (isSuspended)
        {
            heap.Suspended(heap.Task("Task.Delay"), ("Shop.Save", 0));
        }

        Assert.Equal(expected, Look(heap).AreHoldersKnown);
    }

    [Fact]
    public void Two_that_hold_one_and_wait_for_the_other_are_behind_each_other()
    {
        AsyncHeap heap = new();
        ulong first = heap.Task(Wait), second = heap.Task(Wait), one = heap.Semaphore(0, first), other = heap.Semaphore(0, second);
        heap.Held.AddRange([(heap.Method("Copy", first, state: 1), other), (heap.Method("Move", second, state: 1), one)]);
        AwaitedSemaphore[] found = [.. heap.Look()!.Semaphores];
        Assert.Equal([(one, "Move", other), (other, "Copy", one)], found.Select(s => (s.Address, s.Holders.Single().Method.Name, s.Holders.Single().Behind.Single())).Order());
    }

    [Fact]
    public void Semaphore_that_can_be_entered_is_none() => Assert.Empty(Semaphores(count: 1));

    private static IEnumerable<AwaitedSemaphore> Semaphores(int count)
    {
        AsyncHeap heap = new();
        Leaked(heap, count);
        return heap.Look()!.Semaphores;
    }

    /// <summary>Whoever else has the semaphore, or has what has it.</summary>
    [Theory]
    [InlineData("a method that waits for something else", SemaphoreUsers.Others)]
    [InlineData("a method that runs", SemaphoreUsers.Others)]
    [InlineData("an array of objects", SemaphoreUsers.Others)]
    [InlineData("an object on a stack", SemaphoreUsers.Others)]
    [InlineData("a stack", SemaphoreUsers.Others)]
    [InlineData("a register", SemaphoreUsers.Others)]
    [InlineData("a queued task", SemaphoreUsers.Others)]
    [InlineData("an object that a waiter has", SemaphoreUsers.OnlyWaiters)]
    [InlineData("an object that nobody has", SemaphoreUsers.OnlyWaiters)]
    [InlineData("a task that has completed", SemaphoreUsers.OnlyWaiters)]
    public void Who_else_has_it_decides(string who, SemaphoreUsers expected)
    {
        AsyncHeap heap = new();
        (ulong semaphore, ulong one, _) = Leaked(heap);
        switch (who)
        {
            case "a method that waits for something else":
                heap.Set(heap.Method("Other", heap.Task("Task.Delay")), 6, semaphore);
                break;
            case "a method that runs":
                heap.Set(heap.Method("Other", 0, state: -1), 6, semaphore);
                break;
            case "an array of objects":
                heap.Other("Object[]", heap.Other("Server", semaphore));
                break;
            case "an object on a stack":
                heap.Stacks.Add((7, heap.Other("Server", semaphore)));
                break;
            case "a stack":
                heap.Stacks.Add((7, semaphore));
                break;
            case "a register":
                heap.Registers.Add((7, semaphore));
                break;
            case "a queued task":
                heap.Set(heap.Task("Task", code: 0xC0DE), 6, semaphore);
                break;
            case "an object that a waiter has":
                heap.Set(one, 7, heap.Other("Server", semaphore));
                break;
            case "an object that nobody has":
                heap.Other("Server", semaphore);
                break;
            case "a task that has completed":
                heap.Set(heap.Task("Task", 0x1000000), 6, semaphore);
                break;
        }

        Assert.Equal(expected, Look(heap).Users);
    }

    [Fact]
    public void Wait_with_a_limit_is_told_and_leaves_the_users_open()
    {
        AsyncHeap heap = new();
        ulong second = heap.Task(Wait), first = heap.Task(Wait, link: second);
        heap.Semaphore(0, first);
        heap.Method("Load", first);
        ulong limit = heap.Task("Task.WaitAsync");
        heap.Set(second, 2, limit);
        heap.Method("Store", heap.Method("System.Threading.SemaphoreSlim.WaitUntilCountOrTimeoutAsync", limit));
        AwaitedSemaphore found = Look(heap);
        Assert.Equal((2, 1, SemaphoreUsers.Unknown), (found.Waiters, found.Unlimited, found.Users));
        Assert.Equal<AwaitingMethod>([new AwaitingMethod("Load", 1), new AwaitingMethod("Store", 1)], found.Methods);
    }

    [Fact]
    public void Wait_of_an_older_runtime_with_a_limit_is_told_too()
    {
        AsyncHeap heap = new();
        ulong wait = heap.Task(Wait), any = heap.Task("Task.WhenAny");
        heap.Semaphore(0, wait);
        heap.Set(wait, 2, any);
        heap.Method("Load", heap.Method("System.Threading.SemaphoreSlim.WaitUntilCountOrTimeoutAsync", any));
        Assert.Equal((1, 0, "Load"), (Look(heap).Waiters, Look(heap).Unlimited, Assert.Single(Look(heap).Methods).Name));
    }

    [Fact]
    public void One_wait_alone_parks_a_program_and_is_not_judged()
    {
        AsyncHeap heap = new();
        ulong wait = heap.Task(Wait);
        heap.Semaphore(0, wait);
        heap.Method("Main", wait);
        Assert.Equal((1, SemaphoreUsers.Unknown), (Look(heap).Unlimited, Look(heap).Users));
    }

    /// <summary>Threads that the semaphore counts must all be known, and wait without an end; their stacks have it, which releases nothing.</summary>
    [Theory]
    [InlineData(1, WaitTimeout.Infinite, SemaphoreUsers.OnlyWaiters)]
    [InlineData(1, WaitTimeout.Finite, SemaphoreUsers.Unknown)]
    [InlineData(2, WaitTimeout.Infinite, SemaphoreUsers.Unknown)]
    public void Threads_that_wait_for_it_count(int counted, WaitTimeout timeout, SemaphoreUsers expected)
    {
        AsyncHeap heap = new();
        (ulong semaphore, _, _) = Leaked(heap, blocked: counted);
        heap.Stacks.Add((9, semaphore));
        heap.Registers.Add((9, semaphore));
        AwaitedSemaphore found = Look(heap, AsyncHeap.Wait(9, ResourceKind.ManagedSignal, semaphore, timeout));
        Assert.Equal((counted, expected), (found.Blocked, found.Users));
        Assert.Equal<uint>([9], found.Threads);
    }

    [Fact]
    public void Thread_that_blocks_in_a_task_behind_it_waits_for_it()
    {
        AsyncHeap heap = new();
        (ulong semaphore, ulong one, _) = Leaked(heap);
        heap.Stacks.Add((9, semaphore));
        AwaitedSemaphore found = Look(heap, AsyncHeap.Wait(9, ResourceKind.ManagedTask, one));
        Assert.Equal((0, SemaphoreUsers.OnlyWaiters), (found.Blocked, found.Users));
        Assert.Equal<uint>([9], found.Threads);
    }

    [Fact]
    public void Other_calls_of_the_same_methods_of_the_program_are_counted()
    {
        AsyncHeap heap = new();
        ulong wait = heap.Task(Wait);
        heap.Semaphore(0, wait);
        heap.Method("System.IO.Pump", heap.Method("Handle", heap.Method("Load", wait)));
        heap.Method("System.IO.Pump", heap.Method("Handle", heap.Task("Task.Delay"), state: 1));
        heap.Method("Other", heap.Task("Task.Delay"));
        Assert.Equal(1, Look(heap).Further);
    }

    [Fact]
    public void Long_way_to_who_has_it_is_given_up()
    {
        AsyncHeap heap = new();
        (ulong owner, _, _) = Leaked(heap);
        for (int i = 0; i < 20; i++)
        {
            owner = heap.Other("Link", owner);
        }

        Assert.Equal(SemaphoreUsers.Unknown, Look(heap).Users);
    }
}
