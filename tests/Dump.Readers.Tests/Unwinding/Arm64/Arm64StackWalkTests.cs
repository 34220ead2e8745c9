using Dump.Model.Process;
using Dump.Readers.Instructions;
using Dump.Readers.Pe;
using Dump.Readers.Registers;
using Dump.Readers.Unwinding;
using Dump.Readers.Unwinding.Frames;

namespace Dump.Readers.Tests.Unwinding.Arm64;

/// <summary>Whole walks over ARM64 stacks drawn by hand.</summary>
public sealed class Arm64StackWalkTests
{
    private const ulong Base = HandBuiltProcess.Base;
    private const ulong Stack = 0x10_0800;
    private const ulong Signature = 0x00A5_8000_0000_0000;

    // Packed: 16 instructions, no registers but frame pointer and link register, a frame of 0x20 bytes.
    private const uint Chained = 1 | 16 << 2 | 3 << 21 | 2 << 23;

    /// <summary>A leaf at 0x1400 called by a function at 0x1100, which one at 0x1200 has called.</summary>
    private static HandBuiltArm64Process TwoCallers(out Arm64Registers leaf, ulong signature = 0)
    {
        HandBuiltArm64Process process = new();
        process.Function(0x1100, Chained);
        process.Function(0x1200, Chained);
        ulong first = process.CallAt(0x1110);
        process.Push(Stack, Stack + 0x20);
        process.Push(Stack + 8, process.CallAt(0x1210) | signature);
        leaf = new Arm64Registers { Pc = Base + 0x1404, Sp = Stack, Fp = Stack, Lr = first | signature };
        return process;
    }

    [Fact]
    public void A_leaf_returns_to_the_link_register()
    {
        WalkedStack stack = TwoCallers(out Arm64Registers leaf).Walk(leaf);
        Assert.Equal([Base + 0x1404, Base + 0x1114, Base + 0x1214], stack.Frames.Select(f => f.InstructionPointer));
        Assert.Equal([Stack, Stack, Stack + 0x20], stack.Frames.Select(f => f.StackPointer));
        Assert.Equal([FrameTrust.Context, FrameTrust.UnwindInfo, FrameTrust.UnwindInfo], stack.Frames.Select(f => f.Trust));
        Assert.Equal([null, Base + 0x1100, Base + 0x1200], stack.Frames.Select(f => f.FunctionStart));
        Assert.Equal(StackEnd.Complete, stack.End);
    }

    [Fact]
    public void Authentication_codes_are_removed_and_the_call_before_the_address_keeps_the_trust()
    {
        WalkedStack stack = TwoCallers(out Arm64Registers leaf, Signature).Walk(leaf);
        Assert.Equal([Base + 0x1404, Base + 0x1114, Base + 0x1214], stack.Frames.Select(f => f.InstructionPointer));
        Assert.All(stack.Frames.Skip(1), f => Assert.Equal(FrameTrust.UnwindInfo, f.Trust));
    }

    [Fact]
    public void A_signed_address_without_a_call_before_it_is_no_more_than_a_guess()
    {
        HandBuiltArm64Process process = TwoCallers(out Arm64Registers leaf, Signature);
        process.Push(Stack + 8, (Base + 0x1224) | Signature);
        Assert.Equal([FrameTrust.Context, FrameTrust.UnwindInfo, FrameTrust.Scan], process.Walk(leaf).Frames.Select(f => f.Trust));
    }

    [Theory]
    [InlineData(0x9500_0000u, true)]
    [InlineData(0xD63F_0100u, true)]
    [InlineData(0xD63F_091Fu, true)]
    [InlineData(0xD73F_0911u, true)]
    [InlineData(0x1400_0000u, false)]
    [InlineData(0xD61F_0100u, false)]
    [InlineData(0xD65F_03C0u, false)]
    [InlineData(0xD503_201Fu, false)]
    public void Call_instructions_are_told_from_others(uint instruction, bool expected)
    {
        SparseMemory memory = new();
        memory.Write(0x1000, BitConverter.GetBytes(instruction));
        Assert.Equal(expected, Arm64CallInstruction.Precedes(memory, 0x1004));
        Assert.False(Arm64CallInstruction.Precedes(memory, 0x1003));
        Assert.Null(Arm64CallInstruction.Precedes(memory, 0x2000));
    }

    [Fact]
    public void Without_unwind_information_frame_pointers_lead_on()
    {
        HandBuiltArm64Process process = TwoCallers(out Arm64Registers leaf);
        process.Push(Stack + 0x20, 0);
        process.Push(Stack + 0x28, process.CallAt(0x1310));
        process.ForgetTables();
        WalkedStack stack = process.Walk(leaf);
        Assert.Equal([Base + 0x1404, Base + 0x1114, Base + 0x1214, Base + 0x1314], stack.Frames.Select(f => f.InstructionPointer));
        Assert.Equal([FrameTrust.Context, FrameTrust.Scan, FrameTrust.Scan, FrameTrust.Scan], stack.Frames.Select(f => f.Trust));
        Assert.NotEqual(StackEnd.Complete, stack.End);
    }

    /// <summary>The same return address in the link register and in the frame is one caller, not two.</summary>
    [Fact]
    public void Without_unwind_information_a_caller_is_not_found_twice()
    {
        HandBuiltArm64Process process = TwoCallers(out Arm64Registers leaf);
        leaf.Lr = process.CallAt(0x1210);
        process.ForgetTables();
        Assert.Equal([Base + 0x1404, Base + 0x1214], process.Walk(leaf).Frames.Select(f => f.InstructionPointer));
    }

    /// <summary>
    /// Behind a frame pointer the stack pointer is not known: a function that does not restore it from the frame pointer cannot be unwound from there.
    /// </summary>
    [Fact]
    public void A_function_that_counts_from_an_unknown_stack_pointer_is_not_unwound()
    {
        // Packed: 16 instructions, the link register stored alone, a frame of 0x20 bytes.
        const uint Unchained = 1 | 16 << 2 | 1 << 21 | 2 << 23;
        HandBuiltArm64Process process = new();
        process.Function(0x1100, Unchained);
        ulong at = process.CallAt(0x1110);
        process.Push(Stack + 0x40, 0);
        process.Push(Stack + 0x48, at);

        // This is where the function's frame would keep its return address if it began directly behind the pair.
        process.Push(Stack + 0x50, process.CallAt(0x1210));
        WalkedStack stack = process.Walk(new Arm64Registers { Pc = 0x666_0000, Sp = Stack, Fp = Stack + 0x40, Lr = 0x777_0000 });
        Assert.Equal([0x666_0000UL, at, Base + 0x1214], stack.Frames.Select(f => f.InstructionPointer));
        Assert.Equal([FrameTrust.Context, FrameTrust.FramePointer, FrameTrust.Scan], stack.Frames.Select(f => f.Trust));
    }

    /// <summary>
    /// Without code nothing says that a call stands before an address; the pair of frame pointer and return address is what is left, and no more than a guess.
    /// </summary>
    [Fact]
    public void Without_any_image_pairs_of_frame_pointer_and_return_address_are_guesses()
    {
        HandBuiltArm64Process process = TwoCallers(out Arm64Registers leaf);
        process.Push(Stack + 0x18, Base + 0x1514);
        process.Push(Stack + 0x20, 0);
        process.Push(Stack + 0x28, Base + 0x1314);
        process.Push(Stack + 0x60, Stack + 0x90);
        process.Push(Stack + 0x68, Base + 0x1414);
        process.ForgetImage();
        WalkedStack stack = process.Walk(leaf);
        Assert.Equal([Base + 0x1404, Base + 0x1114, Base + 0x1214, Base + 0x1414], stack.Frames.Select(f => f.InstructionPointer));
        Assert.All(stack.Frames.Skip(1), f => Assert.Equal(FrameTrust.Scan, f.Trust));
        Assert.NotEqual(StackEnd.Complete, stack.End);
    }

    [Theory]
    [InlineData(Stack - 0x10)]
    [InlineData(HandBuiltProcess.StackBase)]
    [InlineData(ulong.MaxValue - 7)]
    [InlineData(Stack + 4)]
    public void Frame_pointers_outside_the_stack_are_not_followed(ulong pointer)
    {
        HandBuiltArm64Process process = TwoCallers(out Arm64Registers leaf);
        process.ForgetTables();
        leaf.Lr = 0x1234;
        Assert.Contains(process.Walk(leaf).Frames, f => f.Trust == FrameTrust.FramePointer);
        leaf.Fp = pointer;
        Assert.DoesNotContain(process.Walk(leaf).Frames, f => f.Trust == FrameTrust.FramePointer);
    }

    [Fact]
    public void Frame_pointers_in_a_circle_end()
    {
        HandBuiltArm64Process process = TwoCallers(out Arm64Registers leaf);
        process.Push(Stack + 0x20, Stack);
        process.Push(Stack + 0x28, Base + 0x1114);
        process.ForgetTables();
        Assert.InRange(process.Walk(leaf).Frames.Count, 2, 8);
    }

    [Fact]
    public void A_machine_frame_and_a_context_lead_to_interrupted_code()
    {
        // Records of one word of codes and no epilog: machine frame, end; context, end.
        HandBuiltArm64Process process = TwoCallers(out Arm64Registers leaf);
        process.Function(0x1500, 0x600, 16 | 1 << 27, 0xE9, 0xE4, 0xE3, 0xE3);
        process.Function(0x1600, 0x620, 16 | 1 << 27, 0xEA, 0xE4, 0xE3, 0xE3);
        process.Push(Stack - 0x400, Stack - 0x390);
        process.Push(Stack - 0x400 + 8, Base + 0x1610);
        process.Push(Stack - 0x390 + 0xF0, leaf.Fp);
        process.Push(Stack - 0x390 + 0xF8, leaf.Lr);
        process.Push(Stack - 0x390 + 0x100, leaf.Sp);
        process.Push(Stack - 0x390 + 0x108, leaf.Pc);
        WalkedStack stack = process.Walk(new Arm64Registers { Pc = Base + 0x1510, Sp = Stack - 0x400 });
        Assert.Equal([Base + 0x1510, Base + 0x1610, Base + 0x1404, Base + 0x1114, Base + 0x1214], stack.Frames.Select(f => f.InstructionPointer));
        Assert.Equal(StackEnd.Complete, stack.End);
    }

    [Fact]
    public void A_part_of_a_function_is_unwound_by_the_codes_of_the_whole_and_has_no_beginning()
    {
        HandBuiltArm64Process process = TwoCallers(out Arm64Registers leaf);

        // end_c: the prolog stands elsewhere; then set_fp, save_fplr_x of 0x20 bytes, end.
        process.Function(0x1300, 0x600, 16 | 1 << 27, 0xE5, 0xE1, 0x83, 0xE4);
        leaf.Pc = Base + 0x1300;
        WalkedStack stack = process.Walk(leaf);
        Assert.Equal([Base + 0x1300, Base + 0x1214], stack.Frames.Select(f => f.InstructionPointer));
        Assert.Null(stack.Frames[0].FunctionStart);
    }

    [Theory]
    [InlineData(0x0804_0010u, StackEnd.UnwindInfoMissing)]
    [InlineData(0xF800_0010u, StackEnd.Inconsistent)]
    [InlineData(0x0800_0010u, StackEnd.Inconsistent)]
    public void A_record_that_makes_no_sense_ends_the_walk(uint header, StackEnd expected)
    {
        HandBuiltArm64Process process = new();
        process.Function(0x1300, 0x600, header, 0xE6, 0xE6, 0xE6, 0xE6);
        WalkedStack stack = process.Walk(new Arm64Registers { Pc = Base + 0x1320, Sp = Stack });
        Assert.Equal((1, expected), (stack.Frames.Count, stack.End));
    }
}
