using Dump.Model.Process;
using Dump.Readers.Instructions;
using Dump.Readers.Pe;
using Dump.Readers.Registers;
using Dump.Readers.Unwinding;
using Dump.Readers.Unwinding.Frames;

namespace Dump.Readers.Tests.Unwinding;

/// <summary>Where a call leads and what it puts on the stack, from the caller's code: known only when nothing can have changed it.</summary>
public sealed class CallTargetReaderTests
{
    private const ulong Function = 0x5000;
    private const ulong Target = 0x7777_0000;

    private static (SparseMemory Memory, WalkedFrame Frame) Caller(byte[] code, ulong rbx = 0)
    {
        X64Registers registers = default;
        registers.Rip = Function + (ulong)code.Length;
        registers[X64Register.Rbx] = rbx;
        return (new SparseMemory().Write(Function, code).Slot(0x6000, Target), new WalkedFrame(registers, FrameTrust.UnwindInfo, Function));
    }

    private static ulong? TargetOf(byte[] code, ulong rbx = 0, Func<SparseMemory, SparseMemory>? more = null)
    {
        (SparseMemory memory, WalkedFrame frame) = Caller(code, rbx);
        return CallTargetReader.Read(more?.Invoke(memory) ?? memory, frame);
    }

    private static ulong? TargetBefore(params byte[] code) => CallTargetReader.Before(Caller(code).Memory, Function + (ulong)code.Length);

    private static ulong? FifthOf(params byte[] before)
    {
        (SparseMemory memory, WalkedFrame frame) = Caller([.. before, 0xE8, 0, 1, 0, 0]);
        return StackArgumentReader.Fifth(memory, frame);
    }

    [Fact]
    public void Direct_call_leads_to_its_address() => Assert.Equal(Function + 0x105, TargetOf([0xE8, 0, 1, 0, 0])); // call +100h

    [Fact]
    public void Call_through_the_import_table_leads_where_the_pointer_does() =>
        Assert.Equal(Target, TargetOf([0xFF, 0x15, 0xFA, 0x0F, 0, 0])); // call [rip+0FFAh]

    [Fact]
    public void Call_through_a_nonvolatile_register_leads_where_that_points()
    {
        Assert.Equal(0x1234UL, TargetOf([0xFF, 0xD3], rbx: 0x1234)); // call rbx
        Assert.Equal(Target, TargetOf([0xFF, 0x53, 0x10], rbx: 0x5FF0)); // call [rbx+10h]
    }

    [Fact]
    public void Call_through_a_register_that_the_callee_may_change_is_unknown()
    {
        Assert.Null(TargetOf([0xFF, 0xD0])); // call rax
        Assert.Null(TargetOf([0xFF, 0x50, 0x10])); // call [rax+10h]
    }

    [Fact]
    public void Jump_through_the_import_table_is_followed() => Assert.Equal(
        Target, TargetOf([0xE8, 0, 1, 0, 0], more: m => m.Write(Function + 0x105, [0xFF, 0x25, 0xF5, 0x0E, 0, 0]))); // jmp [rip+0EF5h]

    [Fact]
    public void Unreadable_pointer_leads_nowhere() => Assert.Null(TargetOf([0xFF, 0x15, 0xFA, 0x1F, 0, 0]));

    [Fact]
    public void Call_before_a_return_address_leads_on_without_registers()
    {
        Assert.Equal(Function + 0x106, TargetBefore(0x90, 0xE8, 0, 1, 0, 0)); // nop; call +100h
        Assert.Equal(Target, TargetBefore(0xFF, 0x15, 0xFA, 0x0F, 0, 0)); // call [rip+0FFAh]
        Assert.Null(TargetBefore(0xFF, 0x15, 0xFA, 0x1F, 0, 0)); // its pointer is unreadable
        Assert.Null(TargetBefore(0x90, 0x90, 0x90, 0x90, 0xFF, 0xD3)); // call rbx
        Assert.Null(TargetBefore(0x90, 0x90, 0x90, 0x90, 0x90, 0x90));
        Assert.Null(CallTargetReader.Before(new SparseMemory(), 3));
    }

    [Fact]
    public void Constant_on_the_stack_is_the_fifth_argument() =>
        Assert.Equal(0x4FFUL, FifthOf(0xC7, 0x44, 0x24, 0x20, 0xFF, 4, 0, 0)); // mov dword [rsp+20h],4FFh

    [Fact]
    public void Last_store_counts_and_one_of_something_else_is_unknown()
    {
        byte[] constant = [0xC7, 0x44, 0x24, 0x20, 0x40, 0, 0, 0];
        Assert.Equal(0x40UL, FifthOf([0xC7, 0x44, 0x24, 0x20, 0xFF, 4, 0, 0, .. constant]));
        Assert.Null(FifthOf([.. constant, 0x89, 0x44, 0x24, 0x20])); // mov [rsp+20h],eax
        Assert.Null(FifthOf([.. constant, 0xE8, 0, 1, 0, 0]));
        Assert.Null(FifthOf(0xC7, 0x44, 0x24, 0x28, 0x40, 0, 0, 0)); // the sixth
        Assert.Null(FifthOf());
    }

    /// <summary>Compilers clear the place by masking, or store a register that they have cleared; what came into the register later is unknown.</summary>
    [Fact]
    public void Fifth_argument_that_is_cleared_is_zero()
    {
        Assert.Equal(0UL, FifthOf(0x48, 0x83, 0x64, 0x24, 0x20, 0x00)); // and qword [rsp+20h], 0
        Assert.Equal(0UL, FifthOf(0x33, 0xC0, 0x48, 0x89, 0x44, 0x24, 0x20)); // xor eax, eax; mov [rsp+20h], rax
        Assert.Null(FifthOf(0x33, 0xC0, 0x48, 0x8B, 0xC1, 0x48, 0x89, 0x44, 0x24, 0x20)); // xor eax, eax; mov rax, rcx; mov [rsp+20h], rax
        Assert.Null(FifthOf(0x48, 0x83, 0x64, 0x24, 0x20, 0x01)); // and qword [rsp+20h], 1
    }
}
