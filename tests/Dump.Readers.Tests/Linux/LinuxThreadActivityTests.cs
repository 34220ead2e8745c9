using Dump.Model.Process;
using Dump.Model.Waits;
using Dump.Readers.ElfCore;
using Dump.Readers.Linux;

namespace Dump.Readers.Tests.Linux;

/// <summary>What a thread does, by the registers of its system call.</summary>
public sealed class LinuxThreadActivityTests
{
    private const ulong Word = 0x7f00_0000_1000;
    private const ulong Private = 128;

    /// <summary>Operations of futex(2): those that wake others never put their caller to sleep.</summary>
    [Theory]
    [InlineData(0, ThreadActivityKind.Waiting)]
    [InlineData(9, ThreadActivityKind.Waiting)]
    [InlineData(6, ThreadActivityKind.Waiting)]
    [InlineData(11, ThreadActivityKind.Waiting)]
    [InlineData(13, ThreadActivityKind.Waiting)]
    [InlineData(1, ThreadActivityKind.Running)]
    [InlineData(3, ThreadActivityKind.Running)]
    [InlineData(4, ThreadActivityKind.Running)]
    [InlineData(5, ThreadActivityKind.Running)]
    [InlineData(7, ThreadActivityKind.Running)]
    [InlineData(10, ThreadActivityKind.Running)]
    public void Who_wakes_others_does_not_wait(ulong operation, ThreadActivityKind kind)
    {
        Assert.Equal(kind, LinuxThreadActivity.Of(InFutex(operation)).Kind);
        Assert.Equal(kind, LinuxThreadActivity.Of(InFutex(operation | Private)).Kind);
        Assert.Equal("futex", LinuxThreadActivity.Of(InFutex(operation)).SystemCall);
    }

    [Fact]
    public void Without_registers_the_activity_is_unknown()
    {
        ElfThread thread = InFutex(1) with { Registers = [] };
        Assert.Equal(ThreadActivityKind.Unknown, LinuxThreadActivity.Of(thread).Kind);
        Assert.Null(LinuxThreadActivity.Limit(thread));
    }

    [Theory]
    [InlineData(0, 0, WaitTimeout.Infinite)]
    [InlineData(9, 0, WaitTimeout.Infinite)]
    [InlineData(9, 0x7fff_0000, WaitTimeout.Finite)]
    public void Wait_tells_its_limit_its_word_and_the_value_that_it_began_with(ulong operation, ulong limit, WaitTimeout timeout)
    {
        KernelWait wait = LinuxThreadActivity.Limit(InFutex(operation | Private, value: 7, limit))!;
        Assert.Equal((timeout, Word, 7u), (wait.Timeout, wait.Evidence.Address, wait.Expected));
    }

    [Fact]
    public void Wake_has_no_limit() => Assert.Null(LinuxThreadActivity.Limit(InFutex(1)));

    private static ElfThread InFutex(ulong operation, ulong value = 0, ulong limit = 0)
    {
        ulong[] registers = new ulong[ElfCoreLayout.RegisterCount];
        registers[ElfCoreLayout.RegisterOriginalRax] = 202;
        registers[ElfCoreLayout.RegisterRdi] = Word;
        registers[ElfCoreLayout.RegisterRsi] = operation;
        registers[ElfCoreLayout.RegisterRdx] = value;
        registers[ElfCoreLayout.RegisterR10] = limit;
        return new ElfThread(1, 0, TimeSpan.Zero, TimeSpan.Zero, registers);
    }
}
