using Dump.Readers.Pe;
using Dump.Readers.Registers;
using Dump.Readers.Unwinding.X64;

namespace Dump.Readers.Tests.Unwinding;

/// <summary>Each unwind code on a stack drawn by hand. Codes stand as in the file: offset in the prolog, then operation and argument.</summary>
public sealed class UnwindCodeInterpreterTests
{
    private const ulong Stack = 0x1000;
    private const uint Body = 0x100;

    private static UnwindInfo Info(ushort[] codes, X64Register frame = X64Register.Rax, uint frameOffset = 0, int version = 1) =>
        new(version, false, frame, frameOffset, codes, default);

    private static ushort Code(int offset, int operation, int argument) => (ushort)(offset | operation << 8 | argument << 12);

    private static X64Registers At(ulong stackPointer)
    {
        X64Registers registers = default;
        registers.Rsp = stackPointer;
        return registers;
    }

    [Fact]
    public void Push_pops_the_register()
    {
        X64Registers registers = At(Stack);
        SparseMemory memory = new SparseMemory().Slot(Stack, 0xAB);     // saved rbx
        Assert.Equal(UnwindCodeInterpreter.Result.Done, UnwindCodeInterpreter.Undo(memory, Info([Code(1, 0, 3)]), Body, ref registers));
        Assert.Equal((0xABUL, Stack + 8), (registers[X64Register.Rbx], registers.Rsp));
    }

    [Theory]
    [InlineData(new ushort[] { 0x4204 }, 0x28)]                 // small: 4 * 8 + 8
    [InlineData(new ushort[] { 0x0107, 0x0020 }, 0x100)]        // large: 0x20 * 8
    [InlineData(new ushort[] { 0x1107, 0x5678, 0x0001 }, 0x15678)] // large, 32 bits
    public void Allocations_are_released(ushort[] codes, int expected)
    {
        X64Registers registers = At(Stack);
        UnwindCodeInterpreter.Undo(new SparseMemory(), Info(codes), Body, ref registers);
        Assert.Equal(Stack + (ulong)expected, registers.Rsp);
    }

    [Fact]
    public void Frame_register_restores_the_stack_pointer()
    {
        X64Registers registers = At(0x1);
        registers[X64Register.Rbp] = Stack + 0x20;
        UnwindCodeInterpreter.Undo(new SparseMemory(), Info([Code(5, 3, 0)], X64Register.Rbp, 0x20), Body, ref registers);
        Assert.Equal(Stack, registers.Rsp);
    }

    [Theory]
    [InlineData(new ushort[] { 0x6408, 0x0003 }, 0x18)]          // near: 3 * 8
    [InlineData(new ushort[] { 0x6508, 0x0018, 0x0000 }, 0x18)]  // far: unscaled
    public void Saved_registers_are_read_without_moving_the_stack(ushort[] codes, int offset)
    {
        X64Registers registers = At(Stack);
        UnwindCodeInterpreter.Undo(new SparseMemory().Slot(Stack + (ulong)offset, 0xCD), Info(codes), Body, ref registers);
        Assert.Equal((0xCDUL, Stack), (registers[X64Register.Rsi], registers.Rsp));
    }

    [Theory]
    [InlineData(0)]
    [InlineData(1)]
    public void Machine_frame_gives_instruction_and_stack_pointer(int hasErrorCode)
    {
        ulong frame = Stack + (ulong)hasErrorCode * 8;
        SparseMemory memory = new SparseMemory()
            .Slot(frame, 0x7FF0_1234)        // rip
            .Slot(frame + 0x18, 0x2000);     // rsp
        X64Registers registers = At(Stack);
        Assert.Equal(UnwindCodeInterpreter.Result.MachineFrame, UnwindCodeInterpreter.Undo(memory, Info([Code(0, 10, hasErrorCode)]), Body, ref registers));
        Assert.Equal((0x7FF0_1234UL, 0x2000UL), (registers.Rip, registers.Rsp));
    }

    [Fact]
    public void In_the_prolog_only_what_has_been_executed_is_undone()
    {
        // push rbx ends at 2, sub rsp,28h at 6; the thread stands at 2.
        X64Registers registers = At(Stack);
        UnwindCodeInterpreter.Undo(new SparseMemory().Slot(Stack, 0xAB), Info([Code(6, 2, 4), Code(2, 0, 3)]), 2, ref registers);
        Assert.Equal((0xABUL, Stack + 8), (registers[X64Register.Rbx], registers.Rsp));
    }

    [Fact]
    public void Epilog_codes_of_version_2_change_nothing()
    {
        X64Registers registers = At(Stack);
        UnwindCodeInterpreter.Undo(new SparseMemory(), Info([Code(5, 6, 1), Code(0, 6, 0), Code(4, 2, 4)], version: 2), Body, ref registers);
        Assert.Equal(Stack + 0x28, registers.Rsp);
    }

    [Theory]
    [InlineData(new ushort[] { 0x0104 })]     // large allocation without its size
    [InlineData(new ushort[] { 0x2104, 0 })]  // large allocation of an unknown form
    [InlineData(new ushort[] { 0x0B04 })]     // no such operation
    public void Codes_that_cannot_be_are_inconsistent(ushort[] codes)
    {
        X64Registers registers = At(Stack);
        Assert.Equal(UnwindCodeInterpreter.Result.Inconsistent, UnwindCodeInterpreter.Undo(new SparseMemory(), Info(codes), Body, ref registers));
    }

    [Fact]
    public void Missing_stack_memory_is_said()
    {
        X64Registers registers = At(Stack);
        Assert.Equal(UnwindCodeInterpreter.Result.MemoryMissing, UnwindCodeInterpreter.Undo(new SparseMemory(), Info([Code(1, 0, 3)]), Body, ref registers));
    }
}
