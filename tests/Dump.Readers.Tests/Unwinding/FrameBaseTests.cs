using Dump.Model.Process;
using Dump.Readers.Pe;
using Dump.Readers.Registers;
using Dump.Readers.Unwinding;
using Dump.Readers.Unwinding.Frames;

namespace Dump.Readers.Tests.Unwinding;

/// <summary>Cases in which the stack pointer alone does not tell where a frame's saved registers and return address lie.</summary>
public class FrameBaseTests
{
    private const ulong Caller = HandBuiltProcess.Base + 0x1105;
    private const ulong Outermost = 0;

    // Allocates 0x20 bytes: ALLOC_SMALL 3 at prolog offset 4.
    private static readonly byte[] s_allocates = [0x01, 0x04, 0x01, 0x00, 0x04, 0x32];

    [Fact]
    public void Saved_registers_lie_relative_to_the_frame_register_when_the_stack_pointer_has_moved_on()
    {
        HandBuiltProcess process = WithCaller();

        // sub rsp,0x20 (4); lea rbp,[rsp+0x10] (9); mov [rsp+0x18],rbx (14), undone from the last to the first.
        process.Function(0x1200, 0x1280, 0x620, 0x01, 0x0E, 0x04, 0x15, 0x0E, 0x34, 0x03, 0x00, 0x09, 0x03, 0x04, 0x32);
        process.Code(0x1240, 0x90, 0x90, 0x90);
        const ulong Fixed = 0x10_0800;
        X64Registers context = At(0x1240, Fixed - 0x300);
        context[X64Register.Rbp] = Fixed + 0x10;
        process.Push(Fixed - 0x300 + 0x18, 0xBAD);
        process.Push(Fixed + 0x18, 0x600D);
        process.Push(Fixed + 0x20, Caller);
        process.Push(Fixed + 0x28 + 0x20, Outermost);

        WalkedStack stack = process.Walk(context);

        Assert.Equal(StackEnd.Complete, stack.End);
        Assert.Equal(2, stack.Frames.Count);
        Assert.Equal(0x600DUL, ((X64Registers)stack.Frames[1].Registers)[X64Register.Rbx]);
        Assert.Equal(Fixed + 0x28, stack.Frames[1].StackPointer);
    }

    [Fact]
    public void A_jump_to_another_part_of_the_function_is_no_epilog()
    {
        HandBuiltProcess process = WithCaller();
        process.Function(0x1200, 0x1280, 0x620, s_allocates);

        // The cold part is chained to the function at 0x1200 and jumps back into it; the frame still stands.
        process.Function(0x1300, 0x1340, 0x640, 0x21, 0x00, 0x00, 0x00, 0x00, 0x12, 0x00, 0x00, 0x80, 0x12, 0x00, 0x00, 0x20, 0x06, 0x00, 0x00);
        process.Code(0x1310, 0xE9, 0x0B, 0xFF, 0xFF, 0xFF);
        process.Push(0x10_0800, 0x1234);
        process.Push(0x10_0820, Caller);
        process.Push(0x10_0848, Outermost);

        WalkedStack stack = process.Walk(At(0x1310, 0x10_0800));

        Assert.Equal(2, stack.Frames.Count);
        Assert.Equal(FrameTrust.UnwindInfo, stack.Frames[1].Trust);
        Assert.Equal(0x10_0828UL, stack.Frames[1].StackPointer);
        Assert.Equal(HandBuiltProcess.Base + 0x1200, stack.Frames[0].FunctionStart);
    }

    [Fact]
    public void A_jump_to_another_function_on_a_return_address_is_an_epilog()
    {
        HandBuiltProcess process = WithCaller();
        process.Function(0x1200, 0x1280, 0x620, s_allocates);
        process.Code(0x1240, 0xE9, 0xBB, 0x01, 0x00, 0x00);
        process.Push(0x10_0800, Caller);
        process.Push(0x10_0828, Outermost);

        WalkedStack stack = process.Walk(At(0x1240, 0x10_0800));

        Assert.Equal(2, stack.Frames.Count);
        Assert.Equal(FrameTrust.UnwindInfo, stack.Frames[1].Trust);
        Assert.Equal(0x10_0808UL, stack.Frames[1].StackPointer);
    }

    [Fact]
    public void No_frame_is_trusted_more_than_the_frame_that_it_was_found_from()
    {
        HandBuiltProcess process = WithCaller();

        // A leaf returns to code that nothing covers; a scan leads to a function that pushed RBP, and the popped RBP starts a chain.
        process.Function(0x1200, 0x1280, 0x620, 0x01, 0x01, 0x01, 0x00, 0x01, 0x50);
        process.Code(0x1200, 0xE8, 0, 0, 0, 0);
        process.Code(0x1300, 0xE8, 0, 0, 0, 0);
        process.Code(0x1400, 0xE8, 0, 0, 0, 0);
        process.Push(0x10_0800, HandBuiltProcess.Base + 0x1305);
        process.Push(0x10_0810, HandBuiltProcess.Base + 0x1205);
        process.Push(0x10_0818, 0x10_0880);
        process.Push(0x10_0820, HandBuiltProcess.Base + 0x1405);
        process.Push(0x10_0880, 0x10_0900);
        process.Push(0x10_0888, Caller);
        process.Push(0x10_08B0, Outermost);

        IReadOnlyList<WalkedFrame> frames = process.Walk(At(0x1500, 0x10_0800)).Frames;

        Assert.Equal(
            [FrameTrust.Context, FrameTrust.UnwindInfo, FrameTrust.Scan, FrameTrust.Scan, FrameTrust.Scan],
            frames.Select(frame => frame.Trust));
        Assert.Equal(Caller, frames[^1].InstructionPointer);
    }

    /// <summary>A process whose code at <see cref="Caller"/> follows a call in a function that allocates 0x20 bytes.</summary>
    private static HandBuiltProcess WithCaller()
    {
        HandBuiltProcess process = new();
        process.Function(0x1100, 0x1180, 0x600, s_allocates);
        process.Code(0x1100, 0xE8, 0, 0, 0, 0);
        return process;
    }

    private static X64Registers At(int rva, ulong stackPointer) => new() { Rip = HandBuiltProcess.Base + (ulong)rva, Rsp = stackPointer };
}
