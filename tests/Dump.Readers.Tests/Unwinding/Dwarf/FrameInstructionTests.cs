using Dump.Readers.Unwinding.Dwarf;

namespace Dump.Readers.Tests.Unwinding.Dwarf;

/// <summary>Instructions and expressions of call-frame information, written by hand after DWARF 5, 6.4 and 2.5.</summary>
public sealed class FrameInstructionTests
{
    private const ulong Function = 0x1000;
    private static readonly byte[] s_common = [0x0C, 7, 8, 0x90, 1];

    /// <summary>push rbp; mov rbp, rsp; ...; leave; ret: how the frame's address is found at each instruction.</summary>
    [Theory]
    [InlineData(0, 7, 8)]
    [InlineData(1, 7, 16)]
    [InlineData(4, 6, 16)]
    [InlineData(0x1f, 6, 16)]
    [InlineData(0x20, 7, 8)]
    public void Row_of_an_address_is_that_of_the_last_location_before_it(int offset, int register, long distance)
    {
        byte[] own = [0x41, 0x0E, 16, 0x86, 2, 0x43, 0x0D, 6, 0x02, 0x1c, 0x0C, 7, 8];
        FrameState state = At(own, offset)!.Value;
        Assert.Equal((register, distance), (state.Base, state.Distance));
        Assert.Equal((RegisterRuleKind.Offset, -8L), (state.Rules[16].Kind, state.Rules[16].Number));
        Assert.Equal(offset == 0 ? RegisterRuleKind.SameValue : RegisterRuleKind.Offset, state.Rules[6].Kind);
    }

    [Fact]
    public void Remembered_rows_come_back()
    {
        byte[] own = [0x0A, 0x41, 0x0E, 64, 0x83, 4, 0x41, 0x0B];
        Assert.Equal(64, At(own, 1)!.Value.Distance);
        FrameState restored = At(own, 2)!.Value;
        Assert.Equal((8L, RegisterRuleKind.SameValue), (restored.Distance, restored.Rules[3].Kind));
    }

    [Fact]
    public void Restored_register_has_its_first_rule()
    {
        byte[] own = [0x86, 2, 0x41, 0xC6];
        Assert.Equal(RegisterRuleKind.Offset, At(own, 0)!.Value.Rules[6].Kind);
        Assert.Equal(RegisterRuleKind.SameValue, At(own, 1)!.Value.Rules[6].Kind);
    }

    [Fact]
    public void Undefined_return_address_is_the_outermost_frame() => Assert.Equal(RegisterRuleKind.Undefined, At([0x07, 16], 0)!.Value.Rules[16].Kind);

    /// <summary>An unknown instruction, a row that nobody remembered, an operand behind the end, a frame counted from a vector register.</summary>
    [Theory]
    [InlineData(new byte[] { 0x3F })]
    [InlineData(new byte[] { 0x0B })]
    [InlineData(new byte[] { 0x0C, 7 })]
    [InlineData(new byte[] { 0x0C, 17, 8 })]
    [InlineData(new byte[] { 0x0F, 0x7F, 0x30 })]
    public void Unsound_instructions_give_no_row(byte[] own) => Assert.Null(At(own, 0));

    [Theory]
    [InlineData(new byte[] { 0x77, 8 }, 0x2008)]
    [InlineData(new byte[] { 0x38, 0x36, 0x22 }, 14)]
    [InlineData(new byte[] { 0x35, 0x2F, 1, 0, 0x39, 0x23, 2 }, 7)]
    [InlineData(new byte[] { 0x35, 0x31, 0x28, 1, 0, 0x12, 0x23, 2 }, 7)]
    [InlineData(new byte[] { 0x11, 0x78, 0x1F }, 8)]
    [InlineData(new byte[] { 0x77, 0, 0x06 }, 0xBEEF)]
    [InlineData(new byte[] { 0x08, 200, 0x35, 0x1B }, 40)]
    [InlineData(new byte[] { 0x35, 0x30, 0x1B }, null)]
    [InlineData(new byte[] { 0x22 }, null)]
    [InlineData(new byte[] { 0x2F, 0xFD, 0xFF }, null)]
    [InlineData(new byte[] { 0xE0 }, null)]
    public void Expressions_are_evaluated_within_limits(byte[] expression, int? expected)
    {
        ulong?[] registers = new ulong?[17];
        registers[7] = 0x2000;
        ulong? value = FrameExpression.Evaluate(expression, registers, new SparseMemory().Slot(0x2000, 0xBEEF), null);
        Assert.Equal(expected is { } number ? (ulong)number : null, value);
    }

    private static FrameState? At(byte[] own, int offset) => FrameInstructions.At(
        new FrameDescription(Function, Function + 0x100, 1, -8, false, s_common, own, 0), Function + (ulong)offset);
}
