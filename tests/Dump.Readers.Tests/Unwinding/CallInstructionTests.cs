using Dump.Readers.Instructions;

namespace Dump.Readers.Tests.Unwinding;

public sealed class CallInstructionTests
{
    [Theory]
    [InlineData(new byte[] { 0x90, 0x90, 0xE8, 1, 2, 3, 4 }, true)]                // call rel32
    [InlineData(new byte[] { 0x90, 0x90, 0x90, 0x90, 0x90, 0xFF, 0xD0 }, true)]    // call rax
    [InlineData(new byte[] { 0x90, 0x90, 0x90, 0x90, 0xFF, 0x50, 0x10 }, true)]    // call [rax+10h]
    [InlineData(new byte[] { 0x90, 0xFF, 0x15, 1, 2, 3, 4 }, true)]                // call [rip+...]
    [InlineData(new byte[] { 0xFF, 0x94, 0x24, 1, 2, 3, 4 }, true)]                // call [rsp+disp32]
    [InlineData(new byte[] { 0x90, 0x90, 0x90, 0x90, 0x90, 0xFF, 0xE0 }, false)]   // jmp rax
    [InlineData(new byte[] { 0x90, 0x90, 0x90, 0x90, 0x90, 0x90, 0x90 }, false)]
    public void Calls_are_told_from_other_code(byte[] before, bool expected) =>
        Assert.Equal(expected, CallInstruction.Precedes(new SparseMemory().Write(0x1000, before), 0x1000 + (ulong)before.Length));

    [Fact]
    public void Unreadable_code_is_unknown() => Assert.Null(CallInstruction.Precedes(new SparseMemory(), 0x1000));
}
