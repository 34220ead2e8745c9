using Dump.Model.Waits;
using Dump.Readers.ElfCore;
using Dump.Readers.Linux.Waits;
using Dump.Readers.Tests.Unwinding;

namespace Dump.Readers.Tests.Linux.Waits;

/// <summary>What system calls wait for by their arguments, and calls of which the arguments say that they never wait.</summary>
public sealed class SystemCallWaitTests
{
    private const ulong Time = 0x5000;
    private readonly SparseMemory _memory = new();

    /// <summary>Number and arguments; kind, identity, limit.</summary>
    [Theory]
    [InlineData(0, 5ul, 0ul, 0ul, 0ul, ResourceKind.FileDescriptor, 5ul, WaitTimeout.Unknown, null)]
    [InlineData(0, 0ul, 0ul, 0ul, 0ul, ResourceKind.FileDescriptor, 0ul, WaitTimeout.Unknown, null)]
    [InlineData(43, 7ul, 0ul, 0ul, 0ul, ResourceKind.FileDescriptor, 7ul, WaitTimeout.Unknown, null)]
    [InlineData(7, 0ul, 1ul, 0xffff_fffful, 0ul, ResourceKind.Work, 0ul, WaitTimeout.Infinite, null)]
    [InlineData(7, 0ul, 1ul, 250ul, 0ul, ResourceKind.Work, 0ul, WaitTimeout.Finite, 250L)]
    [InlineData(232, 3ul, 0ul, 0ul, 0xffff_fffful, ResourceKind.Work, 0ul, WaitTimeout.Infinite, null)]
    [InlineData(281, 3ul, 0ul, 0ul, 9ul, ResourceKind.Work, 0ul, WaitTimeout.Finite, 9L)]
    [InlineData(271, 3ul, 0ul, Time, 0ul, ResourceKind.Work, 0ul, WaitTimeout.Finite, 2_500L)]
    [InlineData(271, 3ul, 0ul, 0ul, 0ul, ResourceKind.Work, 0ul, WaitTimeout.Infinite, null)]
    [InlineData(35, Time, 0ul, 0ul, 0ul, ResourceKind.Time, 0ul, WaitTimeout.Finite, 2_500L)]
    [InlineData(35, 0x9000ul, 0ul, 0ul, 0ul, ResourceKind.Time, 0ul, WaitTimeout.Finite, null)]
    [InlineData(230, 1ul, 0ul, Time, 0ul, ResourceKind.Time, 0ul, WaitTimeout.Finite, 2_500L)]
    [InlineData(230, 1ul, 1ul, Time, 0ul, ResourceKind.Time, 0ul, WaitTimeout.Finite, null)]
    [InlineData(61, 77ul, 0ul, 0ul, 0ul, ResourceKind.ChildProcess, 77ul, WaitTimeout.Infinite, null)]
    [InlineData(61, 0xffff_fffful, 0ul, 0ul, 0ul, ResourceKind.ChildProcess, 0ul, WaitTimeout.Infinite, null)]
    [InlineData(247, 1ul, 78ul, 0ul, 4ul, ResourceKind.ChildProcess, 78ul, WaitTimeout.Infinite, null)]
    [InlineData(247, 0ul, 78ul, 0ul, 4ul, ResourceKind.ChildProcess, 0ul, WaitTimeout.Infinite, null)]
    [InlineData(73, 6ul, 2ul, 0ul, 0ul, ResourceKind.FileLock, 6ul, WaitTimeout.Infinite, null)]
    [InlineData(72, 6ul, 7ul, 0ul, 0ul, ResourceKind.FileLock, 6ul, WaitTimeout.Infinite, null)]
    public void Call_names_what_it_waits_for(
        long call, ulong first, ulong second, ulong third, ulong fourth, ResourceKind kind, ulong identity, WaitTimeout timeout, long? milliseconds)
    {
        _memory.Slot(Time, 2).Slot(Time + 8, 500_000_000);
        WaitFact wait = SystemCallWait.Of(_memory, Thread(call, first, second, third, fourth), null)!;
        Assert.Equal((kind, identity, timeout, milliseconds), (wait.Resource.Kind, wait.Resource.Identity, wait.Timeout, wait.Milliseconds));
    }

    /// <summary>Kind of lock, type, whence, start and length as the call has them; what is wanted, in words.</summary>
    [Theory]
    [InlineData(7ul, 1, 0, 50L, 11L, "an exclusive lock of bytes 50 to 60")]
    [InlineData(7ul, 0, 0, 0L, 0L, "a shared lock of all bytes")]
    [InlineData(7ul, 1, 0, 10L, 0L, "an exclusive lock of bytes 10 to the end")]
    [InlineData(7ul, 1, 0, 10L, -4L, "an exclusive lock of bytes 6 to 9")]
    [InlineData(38ul, 1, 0, 0L, 1L, "an exclusive lock of bytes 0 to 0 for the open file (F_OFD_SETLKW)")]
    [InlineData(7ul, 1, 1, 0L, 5L, "an exclusive lock of bytes that are unknown")]
    [InlineData(7ul, 1, 0, 3L, -4L, "an exclusive lock of bytes that are unknown")]
    [InlineData(7ul, 1, 0, long.MaxValue, 5L, "an exclusive lock of bytes that are unknown")]
    [InlineData(7ul, 9, 0, 0L, 5L, "a lock of bytes that are unknown")]
    public void Lock_of_bytes_tells_which(ulong command, short type, short whence, long start, long length, string expected)
    {
        _memory.Write(Time, BitConverter.GetBytes(type)).Write(Time + 2, BitConverter.GetBytes(whence)).Write(Time + 4, new byte[4])
            .Slot(Time + 8, unchecked((ulong)start)).Slot(Time + 16, unchecked((ulong)length));
        Assert.EndsWith($"; wanted is {expected}",
            SystemCallWait.Of(_memory, Thread(72, 6, command, Time, 0), null)!.Evidence[0].Text, StringComparison.Ordinal);
    }

    /// <summary>Giving bytes back never waits.</summary>
    [Fact]
    public void Unlocking_is_no_wait()
    {
        _memory.Slot(Time, 2).Slot(Time + 8, 0).Slot(Time + 16, 0);
        Assert.Null(SystemCallWait.Of(_memory, Thread(72, 6, 7, Time, 0), null));
    }

    /// <summary>How many completions at least, flags and argument of io_uring_enter; the limit is at 16 bytes of the extended argument.</summary>
    [Theory]
    [InlineData(1ul, 1ul, 0ul, WaitTimeout.Infinite, null)]
    [InlineData(1ul, 9ul, 0x6000ul, WaitTimeout.Finite, 2_500L)]
    [InlineData(1ul, 9ul, 0x6100ul, WaitTimeout.Infinite, null)]
    [InlineData(1ul, 9ul, 0x9000ul, WaitTimeout.Unknown, null)]
    [InlineData(1ul, 73ul, 0x10ul, WaitTimeout.Unknown, null)]
    public void Ring_tells_that_completions_are_waited_for(ulong least, ulong flags, ulong argument, WaitTimeout timeout, long? milliseconds)
    {
        _memory.Slot(0x6010, Time).Slot(0x6110, 0).Slot(Time, 2).Slot(Time + 8, 500_000_000);
        WaitFact wait = SystemCallWait.Of(_memory, Thread(426, 9, 0, least, flags, argument), null)!;
        Assert.Equal((ResourceKind.Work, timeout, milliseconds), (wait.Resource.Kind, wait.Timeout, wait.Milliseconds));
        Assert.Equal("completions of io_uring file descriptor 9 (rdi), at least 1 (rdx)", wait.Evidence[0].Text);
    }

    /// <summary>Entries are only handed over.</summary>
    [Theory]
    [InlineData(1ul, 0ul)]
    [InlineData(0ul, 1ul)]
    public void Ring_that_is_not_waited_for_is_no_wait(ulong least, ulong flags) =>
        Assert.Null(SystemCallWait.Of(_memory, Thread(426, 9, 1, least, flags), null));

    /// <summary>Locks and children that are only asked for, other commands, code that runs, and a call that goes on without saying which.</summary>
    [Theory]
    [InlineData(73, 6ul, 6ul, 0ul, 0ul)]
    [InlineData(72, 6ul, 6ul, 0ul, 0ul)]
    [InlineData(61, 77ul, 0ul, 1ul, 0ul)]
    [InlineData(247, 1ul, 78ul, 0ul, 5ul)]
    [InlineData(-1, 5ul, 0ul, 0ul, 0ul)]
    [InlineData(219, 5ul, 0ul, 0ul, 0ul)]
    [InlineData(34, 0ul, 0ul, 0ul, 0ul)]
    public void Other_calls_are_no_waits_for_something(long call, ulong first, ulong second, ulong third, ulong fourth) =>
        Assert.Null(SystemCallWait.Of(_memory, Thread(call, first, second, third, fourth), null));

    /// <summary>A call that goes on after a stop still has its arguments, and its function tells which it is.</summary>
    [Theory]
    [InlineData("poll", ResourceKind.Work)]
    [InlineData("nanosleep", ResourceKind.Time)]
    [InlineData("clock_nanosleep", ResourceKind.Time)]
    public void Restarted_call_is_told_by_its_function(string function, ResourceKind kind) =>
        Assert.Equal(kind, SystemCallWait.Of(_memory, Thread(219, 0, 0, 100, 0), function)?.Resource.Kind);

    /// <summary>Parts of a second that are none.</summary>
    [Fact]
    public void Time_that_is_none_is_unknown()
    {
        _memory.Slot(Time, 2).Slot(Time + 8, 1_000_000_000);
        Assert.Null(SystemCallWait.Of(_memory, Thread(35, Time, 0, 0, 0), null)!.Milliseconds);
    }

    [Fact]
    public void Without_registers_nothing_is_said() =>
        Assert.Null(SystemCallWait.Of(_memory, new ElfThread(1, 0, TimeSpan.Zero, TimeSpan.Zero, []), null));

    private static ElfThread Thread(long call, ulong first, ulong second, ulong third, ulong fourth, ulong fifth = 0)
    {
        ulong[] registers = new ulong[27];
        (registers[15], registers[14], registers[13], registers[12], registers[7]) = (unchecked((ulong)call), first, second, third, fourth);
        registers[9] = fifth;
        return new ElfThread(1, 0, TimeSpan.Zero, TimeSpan.Zero, registers);
    }
}
