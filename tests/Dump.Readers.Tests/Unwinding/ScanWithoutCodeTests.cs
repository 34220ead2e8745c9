using Dump.Model.Process;
using Dump.Readers.Registers;
using Dump.Readers.Unwinding;
using Dump.Readers.Unwinding.Frames;

namespace Dump.Readers.Tests.Unwinding;

/// <summary>Scans of stacks through a module of which nothing is in the dump: only place and form tell return addresses from other values.</summary>
public sealed class ScanWithoutCodeTests
{
    private const ulong Module = HandBuiltProcess.Base;

    // The stack pointer of a thread in a system call's stub: its return address has just been pushed.
    private const ulong Stack = 0x10_0808;
    private const ulong Innermost = Module + 0x1234;
    private const ulong First = Module + 0x1101;

    [Fact]
    public void Return_addresses_stand_where_calls_put_them_and_not_nearer_than_frames_are_long()
    {
        WalkedStack stack = Walk((Stack, First), (Stack + 0x30, Module + 0x1302), (Stack + 0x80, Module + 0x1403));
        Assert.Equal([Innermost, First, Module + 0x1302, Module + 0x1403], stack.Frames.Select(f => f.InstructionPointer));
        Assert.Equal([FrameTrust.Context, FrameTrust.Scan, FrameTrust.Scan, FrameTrust.Scan], stack.Frames.Select(f => f.Trust));
        Assert.Equal(StackEnd.UnwindInfoMissing, stack.End);
    }

    [Theory]
    [InlineData(0x38, 0x1302)]
    [InlineData(0x20, 0x1302)]
    [InlineData(0x30, 0x1310)]
    [InlineData(0x30, 0x0302)]
    [InlineData(0x30, 0x3302)]
    public void Other_values_are_passed_over(ulong distance, ulong rva)
    {
        WalkedStack stack = Walk((Stack, First), (Stack + distance, Module + rva), (Stack + 0x90, Module + 0x1403));
        Assert.Equal([Innermost, First, Module + 0x1403], stack.Frames.Select(f => f.InstructionPointer));
    }

    /// <summary>A multiple of 8 is rather a pointer to data, but only something better nearby says so.</summary>
    [Theory]
    [InlineData(0x20, 0x1403)]
    [InlineData(0x30, 0x1308)]
    public void A_doubtful_value_gives_way_to_a_better_one_within_the_smallest_frame(ulong behind, ulong expected)
    {
        WalkedStack stack = Walk((Stack, First), (Stack + 0x30, Module + 0x1308), (Stack + 0x30 + behind, Module + 0x1403));
        Assert.Equal(Module + expected, stack.Frames[2].InstructionPointer);
    }

    [Fact]
    public void A_doubtful_value_at_the_end_of_what_is_saved_counts()
    {
        WalkedStack stack = Walk((Stack, First), (HandBuiltProcess.StackBase - 8, Module + 0x1308));
        Assert.Equal([Innermost, First, Module + 0x1308], stack.Frames.Select(f => f.InstructionPointer));
    }

    /// <summary>Without a table the innermost function is taken for a leaf, but not against what stands on top of its stack.</summary>
    [Fact]
    public void The_value_on_top_of_the_stack_is_no_caller_when_no_call_can_have_put_it_there()
    {
        WalkedStack stack = Walk(Stack - 8, (Stack - 8, Module + 0x1501), (Stack + 0x20, First));
        Assert.Equal([Innermost, First], stack.Frames.Select(f => f.InstructionPointer));
    }

    /// <summary>The place is strong evidence: what stands there is a caller even if a value of this form would not be taken elsewhere.</summary>
    [Fact]
    public void The_value_on_top_of_the_stack_may_have_any_form()
    {
        WalkedStack stack = Walk((Stack, Module + 0x1550), (Stack + 0x30, Module + 0x1660), (Stack + 0x60, First));
        Assert.Equal([Innermost, Module + 0x1550, First], stack.Frames.Select(f => f.InstructionPointer));
    }

    /// <summary>Where code is readable, a call before the address decides and place and form do not.</summary>
    [Fact]
    public void Code_decides_where_there_is_some()
    {
        HandBuiltProcess process = new();
        process.Image[..0x1000].Clear();
        process.Code(0x1130, 0xE8, 0, 0, 0, 0);
        process.Push(Stack, First);
        process.Push(Stack + 0x18, Module + 0x1135);
        WalkedStack stack = process.Walk(new X64Registers { Rip = Innermost, Rsp = Stack });
        Assert.Equal([Innermost, Module + 0x1135], stack.Frames.Select(f => f.InstructionPointer));
    }

    private static WalkedStack Walk(params ReadOnlySpan<(ulong Slot, ulong Value)> values) => Walk(Stack, values);

    private static WalkedStack Walk(ulong stackPointer, params ReadOnlySpan<(ulong Slot, ulong Value)> values)
    {
        HandBuiltProcess process = new();
        foreach ((ulong slot, ulong value) in values)
        {
            process.Push(slot, value);
        }

        return process.WithoutImage().Walk(new X64Registers { Rip = Innermost, Rsp = stackPointer });
    }
}
