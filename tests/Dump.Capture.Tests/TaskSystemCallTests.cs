using Dump.Capture.Proc;
using Dump.Readers.ElfCore;

namespace Dump.Capture.Tests;

/// <summary>Lines of <c>/proc/PID/task/TID/syscall</c>.</summary>
public sealed class TaskSystemCallTests
{
    [Fact]
    public void Call_with_its_arguments()
    {
        TaskSystemCall call = TaskSystemCall.Parse("202 0x55eb21474624 0x189 0x0 0x7ffd0 0x0 0xffffffff 0x7f2e4676b320 0x7f6a1d3f5f16\n")!;
        Assert.Equal((202L, 0x7f2e4676b320UL, 0x7f6a1d3f5f16UL), (call.Number, call.StackPointer, call.InstructionPointer));
        Assert.Equal([0x55eb21474624UL, 0x189UL, 0UL, 0x7ffd0UL, 0UL, 0xffffffffUL], call.Arguments);
    }

    [Fact]
    public void Thread_outside_of_system_calls()
    {
        TaskSystemCall running = TaskSystemCall.Parse("running\n")!;
        Assert.Equal((-1L, (ulong?)null), (running.Number, running.StackPointer));
        Assert.Equal((-1L, (ulong?)0x10UL), (TaskSystemCall.Parse("-1 0x10 0x20")!.Number, TaskSystemCall.Parse("-1 0x10 0x20")!.StackPointer));
    }

    [Theory]
    [InlineData(null)]
    [InlineData("")]
    [InlineData("0x10 0x20 0x30")]
    [InlineData("202 0x1 0x2")]
    [InlineData("202 1 2 3 4 5 6 7 8")]
    [InlineData("-1 0x10 0x20 0x30")]
    public void Other_text_is_none(string? text) => Assert.Null(TaskSystemCall.Parse(text));

    /// <summary>
    /// epoll_pwait on ARM64, which a stop ends: X8, X0, X1, SP and PC of the stopped thread. One that has come back with a result, or stands elsewhere, is left alone.
    /// </summary>
    [Theory]
    [InlineData(22, -4L, 0x100, 0x7000, 0x1000, true)]
    [InlineData(22, 1L, 0x100, 0x7000, 0x1000, false)]
    [InlineData(98, -4L, 0x100, 0x7000, 0x1000, false)]
    [InlineData(22, -4L, 0x180, 0x7000, 0x1000, false)]
    [InlineData(22, -4L, 0x100, 0x6FF0, 0x1000, false)]
    [InlineData(22, -4L, 0x100, 0x7000, 0x1004, false)]
    public void Call_that_the_stop_ended_has_its_first_argument_back(ulong number, long result, ulong second, ulong sp, ulong pc, bool isSame)
    {
        TaskSystemCall call = TaskSystemCall.Parse("22 0x5 0x100 0x40 0xffffffff 0x0 0x8 0x7000 0x1000")!;
        ulong[] registers = new ulong[34];
        (registers[8], registers[0], registers[1], registers[2], registers[3], registers[31], registers[32]) =
            (number, unchecked((ulong)result), second, 0x40, 0xFFFF_FFFF, sp, pc);
        Assert.Equal(isSame ? new EnteredCall(22, false) : null, call.EndedIn(LinuxMachine.Arm64, registers));
        Assert.Equal(isSame ? 5UL : unchecked((ulong)result), registers[0]);
    }
}
