using Dump.Readers.Registers;
using Dump.Readers.Unwinding.X64;

namespace Dump.Readers.Tests.Unwinding;

public sealed class EpilogDecoderTests
{
    private const ulong Function = 0x5000;
    private const ulong Stack = 0x1000;

    private static bool Finish(byte[] code, out X64Registers registers)
    {
        SparseMemory memory = new SparseMemory().Write(Function, code).Slot(Stack + 0x28, 0xBB).Slot(Stack, 0xBB);
        registers = default;
        registers.Rip = Function;
        registers.Rsp = Stack;
        return EpilogDecoder.TryFinish(memory, ref registers, Function, Function + 0x40, X64Register.Rax);
    }

    [Fact]
    public void Stack_adjustment_pop_and_return_are_carried_out()
    {
        Assert.True(Finish([0x48, 0x83, 0xC4, 0x28, 0x5B, 0xC3], out X64Registers registers)); // add rsp,28h; pop rbx; ret
        Assert.Equal((Stack + 0x30, 0xBBUL), (registers.Rsp, registers[X64Register.Rbx]));
    }

    [Fact]
    public void Return_alone_leaves_the_stack_as_it_is()
    {
        Assert.True(Finish([0xC3], out X64Registers registers));
        Assert.Equal(Stack, registers.Rsp);
    }

    [Theory]
    [InlineData(new byte[] { 0x90, 0xC3 })]                          // nop; ret
    [InlineData(new byte[] { 0x5B, 0x48, 0x83, 0xC4, 0x28, 0xC3 })]  // pop before the adjustment
    [InlineData(new byte[] { 0xEB, 0x10 })]                          // jump inside the function
    public void Other_code_is_no_epilog(byte[] code)
    {
        Assert.False(Finish(code, out X64Registers registers));
        Assert.Equal(Stack, registers.Rsp);
    }
}
