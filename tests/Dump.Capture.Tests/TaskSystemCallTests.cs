using Dump.Capture.Proc;

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
}
