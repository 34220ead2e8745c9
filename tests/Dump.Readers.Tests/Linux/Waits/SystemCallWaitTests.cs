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

    private static ElfThread Thread(long call, ulong first, ulong second, ulong third, ulong fourth)
    {
        ulong[] registers = new ulong[27];
        (registers[15], registers[14], registers[13], registers[12], registers[7]) = (unchecked((ulong)call), first, second, third, fourth);
        return new ElfThread(1, 0, TimeSpan.Zero, TimeSpan.Zero, registers);
    }
}
