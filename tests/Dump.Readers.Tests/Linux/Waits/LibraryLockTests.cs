using System.Collections.Immutable;
using Dump.Model.Facts;
using Dump.Model.Process;
using Dump.Model.Waits;
using Dump.Readers.ElfCore;
using Dump.Readers.Linux.Waits;

namespace Dump.Readers.Tests.Linux.Waits;

/// <summary>Who holds a lock of the C library that stores no owner, by the stacks of all threads; the real ones are in the reports on living programs.</summary>
public sealed class LibraryLockTests
{
    private const string Library = "libc.so.6";
    private const string Handled = "@signal";
    private static readonly Resource s_lock = new(ResourceKind.LibraryLock, 0x7000);
    private static readonly LibraryLock s_log = LibraryLock.Of([Frame("syslog")]).Single().Lock;
    private static readonly string[] s_waiter = ["syslog", "handler!on_signal", Handled, "connect", "syslog", "shop!work"];

    [Fact]
    public void Interrupted_function_holds_the_lock()
    {
        OwnershipFact fact = Assert.Single(Owners(s_log, s_waiter, ["pause", "shop!idle"]));
        Assert.Equal((1u, true, Grade.Derived), (fact.OwnerThreadId, fact.OwnerIsAlive, fact.Grade));
    }

    /// <summary>One that another handler interrupted there is the holder all the same, whatever it waits for itself.</summary>
    [Fact]
    public void Holder_may_be_another_thread() => Assert.Equal(2u, Assert.Single(Owners(
        s_log, ["syslog", "shop!work"], ["pthread_mutex_lock", "shop!on_signal", Handled, "syslog", "shop!work"])).OwnerThreadId);

    /// <summary>A thread inside of the function leaves it by itself; of two that were interrupted there either may hold it.</summary>
    [Theory]
    [InlineData("openlog shop!work")]
    [InlineData("pause shop!on_signal @signal vsyslog shop!work")]
    public void Second_thread_inside_leaves_the_holder_unknown(string second) =>
        Assert.Empty(Owners(s_log, s_waiter, second.Split(' ')));

    [Fact]
    public void Interrupted_code_that_takes_another_lock_holds_nothing() =>
        Assert.Empty(Owners(s_log, ["syslog", "shop!on_signal", Handled, "localtime", "shop!work"], ["pause", "shop!idle"]));

    [Fact]
    public void Stack_that_is_not_known_to_its_end_may_hold_it() =>
        Assert.Empty(Owners(s_log, StackEnd.UnwindInfoMissing, s_waiter, ["pause", "shop!idle"]));

    /// <summary>Of a lock of which only the waiting function is known, a handler that interrupted that function tells nothing.</summary>
    [Fact]
    public void Lock_of_an_unknown_function_has_no_holder() => Assert.Empty(Owners(
        LibraryLock.In("getaddrinfo"), ["getaddrinfo", "shop!on_signal", Handled, "getaddrinfo", "shop!work"], ["pause", "shop!idle"]));

    [Fact]
    public void Only_thread_waits_for_what_is_left_behind()
    {
        OwnershipFact fact = Assert.Single(Owners(LibraryLock.In("getaddrinfo"), ["getaddrinfo", "shop!work"]));
        Assert.Equal((0u, false, Grade.Derived), (fact.OwnerThreadId, fact.OwnerIsAlive, fact.Grade));
    }

    [Fact]
    public void One_of_several_threads_waits_for_what_any_may_release() =>
        Assert.Empty(Owners(LibraryLock.In("getaddrinfo"), ["getaddrinfo", "shop!work"], ["pause", "shop!idle"]));

    /// <summary>Functions of the same name in the program or another library are not the C library's.</summary>
    [Fact]
    public void Function_of_the_program_takes_no_lock_of_the_library() =>
        Assert.Empty(Owners(s_log, ["syslog", "shop!on_signal", Handled, "shop!syslog", "shop!work"], ["pause", "shop!idle"]));

    /// <summary>A function may call code of others, which calls the library again; a fork takes malloc's locks.</summary>
    [Theory]
    [InlineData("syslog", "nanosleep libnss_slow.so.2!look syslog shop!work")]
    [InlineData("malloc", "_Fork fork shop!work")]
    [InlineData("malloc", "nanosleep shop!allocated realloc shop!work")]
    public void Function_further_out_may_hold_it(string function, string other)
    {
        LibraryLock taken = LibraryLock.Of([Frame(function)]).Single().Lock;
        Assert.Single(Owners(taken, [function, "shop!on_signal", Handled, "memcpy", function, "shop!work"], ["pause", "shop!idle"]));
        Assert.Empty(Owners(taken, [function, "shop!on_signal", Handled, "memcpy", function, "shop!work"], other.Split(' ')));
    }

    /// <summary>A thread that was interrupted while it waited for the lock has it not; what it had taken before, it has.</summary>
    [Fact]
    public void Interrupted_wait_holds_what_was_taken_before()
    {
        string[] stack = ["syslog", "shop!on_signal", Handled, "__lll_lock_wait_private", "localtime", "syslog", "shop!work"];
        Assert.Equal(1u, Assert.Single(Owners(s_log, stack, ["pause", "shop!idle"])).OwnerThreadId);
        Assert.Empty(Owners(s_log, ["syslog", "shop!on_signal", Handled, "__lll_lock_wait_private", "syslog", "shop!work"], ["pause", "shop!idle"]));
    }

    [Fact]
    public void Memory_of_another_process_is_held_by_its_threads() => Assert.Empty(Owners(s_log, StackEnd.Complete, memoryIsOfAnother: true, ["syslog", "shop!work"]));

    private static OwnershipFact[] Owners(LibraryLock taken, params string[][] stacks) => Owners(taken, StackEnd.Complete, stacks);

    private static OwnershipFact[] Owners(LibraryLock taken, StackEnd end, params string[][] stacks) => Owners(taken, end, memoryIsOfAnother: false, stacks);

    private static OwnershipFact[] Owners(LibraryLock taken, StackEnd end, bool memoryIsOfAnother, params string[][] stacks)
    {
        (ElfThread Thread, ThreadStack Stack)[] threads =
        [
            .. stacks.Select((s, i) => (new ElfThread((uint)i + 1, i, TimeSpan.Zero, TimeSpan.Zero, []),
                new ThreadStack([.. s.Select(Frame)], i == 0 ? StackEnd.Complete : end))),
        ];
        WaitFact wait = new(1, s_lock, WaitTimeout.Infinite, Grade.Proven, [new Evidence(EvidenceSource.Register, "futex wait")]);
        return [.. LibraryLockOwners.Find(threads, [wait], ImmutableDictionary<Resource, LibraryLock>.Empty.Add(s_lock, taken), memoryIsOfAnother)];
    }

    private static StackFrame Frame(string text)
    {
        string[] parts = text.Split('!');
        return new StackFrame(
            0x1000, 0x2000, parts.Length == 1 ? Library : parts[0], 0x10, text == Handled ? "__restore_rt" : parts[^1], 0, FrameTrust.UnwindInfo,
            SymbolSource.SymbolTable) { IsOfSignal = text == Handled };
    }
}
