using Dump.Model.Facts;
using Dump.Model.Managed;
using Dump.Model.Process;
using Dump.Model.Waits;

namespace Dump.Clr.Tests;

/// <summary>The two halves of a Windows process become one: joined by thread and stack pointer, with one wait for each thread that waits.</summary>
public sealed class MergedSnapshotTests
{
    private static readonly Resource s_event = new(ResourceKind.Event, 0x84);
    private static readonly Resource s_section = new(ResourceKind.CriticalSection, 0x9000);

    [Fact]
    public void Managed_wait_takes_the_place_of_the_event_that_carries_it_out()
    {
        ProcessSnapshot merged = MergedSnapshot.Of(ManagedHalves.Native(ManagedHalves.Wait(s_event)), ManagedHalves.Managed());
        Assert.Equal(ManagedHalves.Monitor, Assert.Single(merged.Waits).Resource);
        Assert.Equal("App.Account", merged.ResourceNames[ManagedHalves.Monitor]);
    }

    [Fact]
    public void Native_lock_and_waits_of_other_threads_stay()
    {
        ProcessSnapshot merged = MergedSnapshot.Of(ManagedHalves.Native(ManagedHalves.Wait(s_section), ManagedHalves.Wait(s_event, ManagedHalves.Owner)),
            ManagedHalves.Managed());
        Assert.Equal([s_section, s_event, ManagedHalves.Monitor], merged.Waits.Select(w => w.Resource));
    }

    [Fact]
    public void Facts_about_threads_that_the_dump_does_not_have_are_dropped()
    {
        const uint Stranger = 99;
        ManagedHalf managed = ManagedHalves.Managed();
        managed = managed with
        {
            Waits = [ManagedHalves.Wait(ManagedHalves.Monitor, Stranger)],
            TaskWaits = [managed.TaskWaits[0] with { ThreadId = Stranger }],
            Ownerships = [managed.Ownerships[0] with { OwnerThreadId = Stranger }],
            Threads = [managed.Threads[0] with { Id = Stranger }],
        };
        ProcessSnapshot merged = MergedSnapshot.Of(ManagedHalves.Native(), managed);
        Assert.Empty(merged.Waits);
        Assert.Empty(merged.TaskWaits);
        Assert.Empty(merged.Ownerships);
        Assert.Equal(2, merged.Threads.Length);
        Assert.All(merged.Threads, t => Assert.Null(t.ManagedId));
    }

    [Fact]
    public void What_a_search_found_stands_behind_the_native_frames_of_a_thread_that_cannot_be_walked()
    {
        ManagedHalf managed = ManagedHalves.Managed();
        managed = managed with
        {
            Threads = [managed.Threads[0] with { Frames = [], Found = [ManagedHalves.Frame(0x8, "app.dll", function: "App.Inner"),
                ManagedHalves.Frame(0x40, "app.dll", function: "App.Work")] }],
        };
        ThreadStack stack = MergedSnapshot.Of(ManagedHalves.Native(), managed).Threads[0].Stack;
        Assert.Equal([(null, FrameTrust.UnwindInfo), ("App.Work", FrameTrust.Scan)], stack.Frames.Select(f => (f.Function, f.Trust)));
        Assert.Equal(StackEnd.Inconsistent, stack.End);
    }

    /// <summary>
    /// The stack at an exception gets the managed frames that lie further out, and not what the thread did after it; what a search found in the runtime before
    /// the first of them goes.
    /// </summary>
    [Fact]
    public void Managed_frames_stand_on_the_stack_of_the_exception()
    {
        ManagedHalf managed = ManagedHalves.Managed();
        managed = managed with
        {
            Threads = [managed.Threads[0] with { Frames = [ManagedHalves.Frame(0x8, "app.dll", function: "App.Later"), .. managed.Threads[0].Frames] }],
            Thrown = [new ThrownException("App.Error", "no order")],
        };
        StackFrame[] frames = [ManagedHalves.Frame(0x10, "coreclr.dll"), ManagedHalves.Frame(0x20, "coreclr.dll", FrameTrust.Scan),
            ManagedHalves.Frame(0x30, "driver.dll", FrameTrust.Scan), ManagedHalves.Frame(0x40, "app.dll", FrameTrust.Scan),
            ManagedHalves.Frame(0x50, "kernel32.dll", FrameTrust.Scan)];
        ProcessSnapshot native = ManagedHalves.Native() with
        {
            Exception = new RecordedException(ManagedHalves.Waiter) { Code = 0xE0434352, Stack = new ThreadStack([.. frames], StackEnd.Complete) },
        };
        RecordedException exception = MergedSnapshot.Of(native, managed).Exception!;
        Assert.Equal("App.Error", Assert.Single(exception.Thrown).TypeName);
        Assert.Equal([("coreclr.dll", null), ("driver.dll", null), ("app.dll", "App.Work"), ("kernel32.dll", null)],
            exception.Stack.Frames.Select(f => (f.Module, f.Function)));
    }

    [Fact]
    public void Thread_that_returned_from_main_is_known_as_such_and_async_waits_lose_threads_that_the_dump_does_not_have()
    {
        ManagedHalf managed = ManagedHalves.Managed();
        AsyncWaits look = new()
        {
            Cycles = [new AwaitCycle([new AwaitLink(0x50, "App.A", 0, Grade.Proven)], 1, Grade.Proven) { Threads = [ManagedHalves.Waiter, 99] }],
            Semaphores = [new AwaitedSemaphore(0x60) { Threads = [99] }],
        };
        managed = managed with { AsyncWaits = look, Threads = [managed.Threads[0] with { HasReturnedFromMain = true, IsForeground = false }] };
        ProcessSnapshot merged = MergedSnapshot.Of(ManagedHalves.Native(), managed);
        Assert.Equal((true, false), (merged.Threads[0].HasReturnedFromMain, merged.Threads[0].IsForeground));
        Assert.Equal<uint>([ManagedHalves.Waiter], merged.AsyncWaits!.Cycles[0].Threads);
        Assert.Empty(merged.AsyncWaits.Semaphores[0].Threads);
    }

    [Fact]
    public void Ownership_of_an_ended_thread_stays()
    {
        ManagedHalf managed = ManagedHalves.Managed();
        managed = managed with { Ownerships = [managed.Ownerships[0] with { OwnerThreadId = 0, OwnerIsAlive = false }] };
        Assert.Single(MergedSnapshot.Of(ManagedHalves.Native(), managed).Ownerships);
    }

    /// <summary>While an exception is being thrown the runtime's walk may break off at once and pass on a frame without a name.</summary>
    [Theory]
    [InlineData(null, StackEnd.UnwindInfoMissing, false)]
    [InlineData("App.Work", StackEnd.Complete, true)]
    public void A_managed_walk_without_a_single_method_completes_no_stack(string? function, StackEnd expected, bool isComplete)
    {
        ProcessSnapshot native = ManagedHalves.Native();
        native = native with
        {
            Threads = [.. native.Threads.Select(t => t.Id == ManagedHalves.Waiter ? t with { Stack = t.Stack with { End = StackEnd.UnwindInfoMissing } } : t)],
            Available = native.Available with { Stacks = false },
        };
        ManagedHalf managed = ManagedHalves.Managed();
        managed = managed with { Threads = [managed.Threads[0] with { Frames = [ManagedHalves.Frame(0x40, "coreclr.dll", function: function)] }] };
        ProcessSnapshot merged = MergedSnapshot.Of(native, managed);
        Assert.Equal(expected, merged.Threads.Single(t => t.Id == ManagedHalves.Waiter).Stack.End);
        Assert.Equal(isComplete, merged.Available.Stacks);
    }

    [Theory]
    [InlineData("app.dll", null, true)]
    [InlineData("app.dll", "App.Work", false)]
    [InlineData("coreclr.dll", null, false)]
    public void A_managed_stack_that_the_runtime_cannot_walk_is_missing(string nativeModule, string? function, bool expected)
    {
        ProcessSnapshot native = ManagedHalves.Native();
        native = native with
        {
            Threads = [.. native.Threads.Select(t => t.Id == ManagedHalves.Waiter
                ? t with { Stack = new ThreadStack([ManagedHalves.Frame(0x80, nativeModule, FrameTrust.Scan)], StackEnd.Complete) }
                : t with { Stack = ThreadStack.None })],
        };
        ManagedHalf managed = ManagedHalves.Managed() with { Missing = [] };
        managed = managed with { Threads = [managed.Threads[0] with { Frames = [ManagedHalves.Frame(0x40, "coreclr.dll", function: function)] }] };
        Assert.Equal(expected, MergedSnapshot.Of(native, managed).Missing.Any(m => m.What.Contains("managed stack of 1 thread", StringComparison.Ordinal)));
    }

    /// <summary>On Linux one named method somewhere does not make all stacks known.</summary>
    [Theory]
    [InlineData("App.Work", 0, true)]
    [InlineData(null, 0, false)]
    [InlineData("App.Work", 2, false)]
    public void Stacks_of_a_core_are_complete_only_when_no_managed_walk_broke_off_and_no_thread_is_lost(string? function, int lost, bool isComplete)
    {
        ManagedHalf managed = ManagedHalves.Managed() with { Missing = [], LostThreads = lost };
        managed = managed with { Threads = [managed.Threads[0], managed.Threads[0] with { Id = ManagedHalves.Owner, Frames =
            [ManagedHalves.Frame(0x40, null, function: function)], IsWalkBroken = function is null }] };
        ProcessSnapshot merged = MergedSnapshot.Of(LinuxCore(), managed);
        Assert.Equal(isComplete, merged.Available.Stacks);
        Assert.Equal(function is null, merged.Missing.Any(m => m.What.Contains("managed stack of 1 thread", StringComparison.Ordinal)));
        Assert.Equal(lost > 0, merged.Missing.Any(m => m.What.Contains("2 managed threads (the runtime's list of threads breaks off",
            StringComparison.Ordinal)));
    }

    /// <summary>
    /// A thread that handles signals, and the finalizer of older runtimes, give a nameless frame in the runtime's native code; one in compiled code, or with
    /// markers inside managed code, was not walked.
    /// </summary>
    [Theory]
    [InlineData(true, false, true)]
    [InlineData(false, false, false)]
    [InlineData(true, true, false)]
    public void A_nameless_frame_of_a_core_is_a_broken_walk_only_in_managed_code(bool isInNativeModule, bool isWalkBroken, bool isComplete)
    {
        ProcessSnapshot native = LinuxCore();
        StackFrame frame = ManagedHalves.Frame(0x40, null, function: null);
        ModuleSnapshot module = ManagedHalves.Native().Modules[0] with { BaseAddress = frame.InstructionPointer - 0x10, Size = 0x1000 };
        native = native with { Modules = isInNativeModule ? [module] : [] };
        ManagedHalf managed = ManagedHalves.Managed() with { Missing = [] };
        managed = managed with { Threads = [managed.Threads[0], managed.Threads[0] with { Id = ManagedHalves.Owner, Frames = [frame], IsWalkBroken =
            isWalkBroken }] };
        ProcessSnapshot merged = MergedSnapshot.Of(native, managed);
        Assert.Equal(isComplete, merged.Available.Stacks);
        Assert.Equal(!isComplete, merged.Missing.Any(m => m.What.Contains("managed stack of 1 thread", StringComparison.Ordinal)));
    }

    /// <summary>
    /// Of a walk that turned in a circle or broke off the inner methods stand, but outer ones and the objects on the stack are missing, and the report says so.
    /// </summary>
    [Theory]
    [InlineData(true)]
    [InlineData(false)]
    public void A_walk_that_broke_off_leaves_its_inner_methods_and_is_named(bool isLinux)
    {
        ManagedHalf managed = ManagedHalves.Managed() with { Missing = [] };
        managed = managed with { Threads = [managed.Threads[0] with { IsWalkCut = true }] };
        ProcessSnapshot merged = MergedSnapshot.Of(isLinux ? LinuxCore() : ManagedHalves.Native(), managed);
        ThreadSnapshot thread = merged.Threads.Single(t => t.Id == managed.Threads[0].Id);
        Assert.Contains(thread.Stack.Frames, f => f.Function == managed.Threads[0].Frames[0].Function);
        Assert.Equal(StackEnd.Inconsistent, thread.Stack.End);

        // The snapshot of Windows has another thread that the runtime does not know.
        Assert.Contains(merged.Missing, m => m.What.Contains(isLinux ? "managed stack of 1 thread " : "managed stack of 2 threads ", StringComparison.Ordinal));
        Assert.Equal(!isLinux && ManagedHalves.Native().Available.Stacks, merged.Available.Stacks);
    }

    /// <summary>
    /// What an earlier look at a living process could walk was on its way, and lacks nothing; that it is unclear now is kept for the next look.
    /// </summary>
    [Theory]
    [InlineData(true)]
    [InlineData(false)]
    public void A_walk_that_broke_off_only_now_loses_nothing(bool wasSeen)
    {
        ManagedHalf managed = ManagedHalves.Managed() with { Missing = [], UnidentifiedWaiters = [77] };
        managed = managed with { Threads = [managed.Threads[0], managed.Threads[0] with { Id = ManagedHalves.Owner, Frames = [], IsWalkCut = true }] };
        ProcessSnapshot merged = MergedSnapshot.Of(LinuxCore(), managed, wasSeen ? new HashSet<uint> { ManagedHalves.Owner } : null);
        Assert.Equal(wasSeen, merged.Available.Stacks);
        Assert.Equal(wasSeen, merged.Missing.IsEmpty);
        Assert.Equal<uint>([ManagedHalves.Owner, 77], merged.UnclearThreads);
    }

    /// <summary>Who waits for a collection that is carried out, or for something without a name but was elsewhere a moment ago, goes on by itself.</summary>
    [Theory]
    [InlineData(true, false, true)]
    [InlineData(false, true, true)]
    [InlineData(false, false, false)]
    public void Wait_that_ends_by_itself_is_told_from_one_that_is_unknown(bool wasSeen, bool isCollection, bool expected)
    {
        ManagedHalf managed = ManagedHalves.Managed() with
        {
            UnidentifiedWaiters = isCollection ? [] : [ManagedHalves.Owner],
            CollectionWaiters = isCollection ? [ManagedHalves.Owner] : [],
        };
        ProcessSnapshot merged = MergedSnapshot.Of(LinuxCore(), managed, wasSeen ? new HashSet<uint> { ManagedHalves.Owner } : null);
        Assert.Equal(expected, merged.Threads.Single(t => t.Id == ManagedHalves.Owner).IsPassing);
        Assert.All(merged.Threads.Where(t => t.Id != ManagedHalves.Owner), t => Assert.False(t.IsPassing));
    }

    [Fact]
    public void Objects_that_were_not_asked_for_are_missing_and_the_stack_is_not()
    {
        ManagedHalf managed = ManagedHalves.Managed() with { Missing = [] };
        managed = managed with { Threads = [managed.Threads[0] with { IsAvoided = true }, .. managed.Threads[1..]] };
        ProcessSnapshot merged = MergedSnapshot.Of(LinuxCore(), managed);
        Assert.True(merged.Available.Stacks);
        Assert.Contains("the objects on the stack of 1 thread (", Assert.Single(merged.Missing).What, StringComparison.Ordinal);
    }

    /// <summary>The runtime's own threads have no managed frames, and nothing is missing of them.</summary>
    [Fact]
    public void A_thread_of_a_core_without_any_frame_lacks_nothing()
    {
        ManagedHalf managed = ManagedHalves.Managed() with { Missing = [] };
        managed = managed with { Threads = [managed.Threads[0], managed.Threads[0] with { Id = ManagedHalves.Owner, Frames = [] }] };
        ProcessSnapshot merged = MergedSnapshot.Of(LinuxCore(), managed);
        Assert.True(merged.Available.Stacks);
        Assert.Empty(merged.Missing);
    }

    [Theory]
    [InlineData(FrameTrust.UnwindInfo, true)]
    [InlineData(FrameTrust.Scan, false)]
    public void A_thread_with_managed_frames_that_the_runtime_does_not_list_is_missing(FrameTrust trust, bool expected)
    {
        ProcessSnapshot native = ManagedHalves.Native();
        native = native with { Threads = [native.Threads[0], ManagedHalves.Thread(ManagedHalves.Owner, ManagedHalves.Frame(0x10, "app.dll", trust))] };
        ManagedHalf managed = ManagedHalves.Managed() with { Missing = [] };
        Assert.Equal(expected, MergedSnapshot.Of(native, managed).Missing.Any(m => m.What.Contains("managed stack of 1 thread", StringComparison.Ordinal)));
    }

    private static ProcessSnapshot LinuxCore()
    {
        ProcessSnapshot native = ManagedHalves.Native();
        return native with
        {
            System = native.System with { Family = OperatingSystemFamily.Linux },
            Threads = [.. native.Threads.Select(t => t with { Stack = new ThreadStack([ManagedHalves.Frame(0x10, "libc.so.6")], StackEnd.Limit) })],
            Available = native.Available with { Stacks = false },
        };
    }

    [Fact]
    public void A_walk_that_ended_at_the_limit_on_frames_is_no_complete_stack()
    {
        ManagedHalf managed = ManagedHalves.Managed();
        managed = managed with
        {
            Threads = [managed.Threads[0] with { Frames = [.. Enumerable.Range(0, Readers.ReadLimits.Default.MaxFrames)
                .Select(i => ManagedHalves.Frame(0x1000 + (ulong)i * 8, "app.dll", function: "App.Again"))] }],
        };
        Assert.Equal(StackEnd.Limit, MergedSnapshot.Of(ManagedHalves.Native(), managed).Threads.Single(t => t.Id == ManagedHalves.Waiter).Stack.End);
    }

    [Fact]
    public void Frames_are_in_order_and_guesses_in_managed_and_runtime_code_are_left_out()
    {
        ProcessSnapshot native = ManagedHalves.Native();
        native = native with
        {
            Threads =
            [
                ManagedHalves.Thread(
                    ManagedHalves.Waiter,
                    ManagedHalves.Frame(0x10, "ntdll.dll"),
                    ManagedHalves.Frame(0x20, "coreclr.dll", FrameTrust.Scan),
                    ManagedHalves.Frame(0x48, "app.dll", FrameTrust.Scan),
                    ManagedHalves.Frame(0x50, "coreclr.dll", FrameTrust.Scan),
                    ManagedHalves.Frame(0x58, null, FrameTrust.Scan),
                    ManagedHalves.Frame(0x60, "native.dll", FrameTrust.Scan)),
            ],
        };
        ThreadSnapshot thread = Assert.Single(MergedSnapshot.Of(native, ManagedHalves.Managed()).Threads);
        Assert.Equal([0x10ul, 0x20ul, 0x40ul, 0x60ul], thread.Stack.Frames.Select(f => f.StackPointer));
        Assert.Equal("App.Work", thread.Stack.Frames[2].Function);
        Assert.Equal(3, thread.ManagedId);
    }

    [Fact]
    public void Unidentified_wait_of_a_thread_in_the_runtimes_own_code_is_left_out_and_that_of_a_program_thread_stays()
    {
        Resource unknown = new(ResourceKind.KernelObject, 0, ManagedHalves.Waiter);
        ManagedHalf managed = ManagedHalves.Managed() with { Threads = [], Waits = [] };
        Assert.Empty(MergedSnapshot.Of(ManagedHalves.Native(ManagedHalves.Wait(unknown)), managed).Waits);
        Resource other = new(ResourceKind.KernelObject, 0, ManagedHalves.Owner);
        Assert.Single(MergedSnapshot.Of(ManagedHalves.Native(ManagedHalves.Wait(other, ManagedHalves.Owner)), managed).Waits);
    }
}
