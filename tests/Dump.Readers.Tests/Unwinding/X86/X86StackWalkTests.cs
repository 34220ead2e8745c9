using Dump.Model.Process;
using Dump.Readers.Pe;
using Dump.Readers.Registers;
using Dump.Readers.Unwinding;
using Dump.Readers.Unwinding.Frames;
using Dump.Readers.Unwinding.X86;

namespace Dump.Readers.Tests.Unwinding.X86;

/// <summary>Walks over 32-bit stacks drawn by hand; the code is what compilers make for functions with and without a frame pointer.</summary>
public sealed class X86StackWalkTests
{
    private const uint Base = X86Process.Base;
    private const uint Stack = 0x10_0800;

    // A caller at 0x1100: call, then leave and ret. Its return address is 0x1108.
    private const uint Caller = Base + 0x1108;
    private static readonly byte[] s_caller = [0x55, 0x8B, 0xEC, 0xE8, 0xF8, 0, 0, 0, 0xC9, 0xC3];

    [Fact]
    public void A_stub_returns_and_takes_its_arguments_off_the_stack()
    {
        // mov eax,4; mov edx,..; call edx; ret 0Ch: a system call's stub, behind its call. Its caller keeps nothing, so only the exact stack pointer leads on.
        X86Process process = new X86Process()
            .Export("NtWaitForSingleObject", 0x1200, 0xB8, 4, 0, 0, 0, 0xBA, 0, 0, 0, 0, 0xFF, 0xD2, 0xC2, 0x0C, 0)
            .Code(0x1300, 0xE8, 0, 0, 0, 0, 0x83, 0xC4, 0x08, 0x5B, 0xC3) // call; add esp,8; pop ebx; ret
            .Code(0x1100, s_caller);
        process.Push(Stack, Base + 0x1305).Push(Stack + 4, 0x44).Push(Stack + 8, 0).Push(Stack + 0xC, 0);
        process.Push(Stack + 0x18, 0xB0).Push(Stack + 0x1C, Caller);
        WalkedStack stack = process.Walk(0x120C, Stack);
        Assert.Equal([Base + 0x120C, Base + 0x1305, Caller], stack.Frames.Select(f => f.InstructionPointer));
        Assert.Equal([Stack, Stack + 4, Stack + 0x20], stack.Frames.Select(f => f.StackPointer));
        Assert.Equal([FrameTrust.Context, FrameTrust.Instructions, FrameTrust.Instructions], stack.Frames.Select(f => f.Trust));
        Assert.Equal(Base + 0x1200, stack.Frames[0].FunctionStart);
        X86Registers caller = (X86Registers)stack.Frames[2].Registers;
        Assert.Equal((0xB0u, Stack + 0x20), (caller[X86Register.Ebx], caller[X86Register.Esp]));
    }

    [Fact]
    public void A_call_on_the_way_takes_off_what_its_function_says()
    {
        // push 1; push 2; call 0x1400 (ret 8); test eax,eax; jne +1; nop; add esp,4; ret
        X86Process process = new X86Process()
            .Code(0x1300, 0xE8, 0xFB, 0, 0, 0, 0x6A, 1, 0x6A, 2, 0xE8, 0xF2, 0, 0, 0, 0x85, 0xC0, 0x75, 1, 0x90, 0x83, 0xC4, 4, 0xC3)
            .Code(0x1400, 0x33, 0xC0, 0xC2, 8, 0)
            .Code(0x1100, s_caller);
        process.Push(Stack, Base + 0x1305).Push(Stack + 0x10, Caller);

        // The thread stands at the callee's ret 8: two arguments lie between its return address and what its caller keeps.
        WalkedStack stack = process.Walk(0x1402, Stack);
        Assert.Equal([Base + 0x1402, Base + 0x1305, Caller], stack.Frames.Select(f => f.InstructionPointer));
        Assert.Equal(Base + 0x1400, stack.Frames[0].FunctionStart);
        Assert.All(stack.Frames.Skip(1), f => Assert.Equal(FrameTrust.Instructions, f.Trust));
    }

    [Fact]
    public void A_realigned_frame_leads_to_the_true_return_address_and_not_to_its_copy()
    {
        // As GCC realigns: lea ecx,[esp+4]; and esp,-16; push [ecx-4]; push ebp; mov ebp,esp; push ecx; ... call; mov ecx,[ebp-4]; leave; lea esp,[ecx-4]; ret
        X86Process process = new X86Process()
            .Code(0x1300, 0x8D, 0x4C, 0x24, 4, 0x83, 0xE4, 0xF0, 0xFF, 0x71, 0xFC, 0x55, 0x8B, 0xEC, 0x51, 0xE8, 0, 0, 0, 0, 0x8B, 0x4D, 0xFC, 0xC9, 0x8D, 0x61,
                0xFC, 0xC3)
            .Code(0x1400, 0xC3)
            .Code(0x1100, s_caller);
        process.Push(Stack, Base + 0x1313);
        process.Push(Stack + 0x1C, Stack + 0x38).Push(Stack + 0x20, Stack + 0x60).Push(Stack + 0x24, Caller).Push(Stack + 0x34, Caller);
        WalkedStack stack = process.Walk(0x1400, Stack, ebp: Stack + 0x20);
        Assert.Equal(Stack + 0x38, stack.Frames[2].StackPointer);
        Assert.Equal(Caller, stack.Frames[2].InstructionPointer);
        Assert.Equal(FrameTrust.Instructions, stack.Frames[2].Trust);
    }

    [Theory]
    [InlineData(8u, FrameTrust.UnwindInfo)]     // the arguments of its call are known
    [InlineData(0u, FrameTrust.Scan)]           // they are not: the return address is found shortly above
    public void Frame_data_lead_over_locals_registers_and_arguments(uint parameters, FrameTrust expected)
    {
        // Without code: the innermost function keeps nothing; its caller 0x10 bytes of locals and one register, and has pushed two arguments.
        X86Process process = new() { HasCode = false };
        process.Push(Stack, Base + 0x1305).Push(Stack + 4, 0x1111).Push(Stack + 8, 0x2222).Push(Stack + 0x1C, 0xEB).Push(Stack + 0x20, Caller);
        Described descriptions = new(new()
        {
            [0x1400] = new FrameDescription(0, parameters, 0, false, null),
            [0x1304] = new FrameDescription(0x10, 0, 4, false, "$T0 .raSearch = $eip $T0 ^ = $esp $T0 4 + = $ebx $T0 4 - ^ ="),
        });
        WalkedStack stack = process.Walk(0x1400, Stack, descriptions: descriptions);
        Assert.Equal([Base + 0x1400, Base + 0x1305, Caller], stack.Frames.Take(3).Select(f => f.InstructionPointer));
        Assert.Equal((expected, 0xEBu), (stack.Frames[2].Trust, ((X86Registers)stack.Frames[2].Registers)[X86Register.Ebx]));
    }

    [Fact]
    public void The_frame_pointer_leads_where_the_code_never_returns()
    {
        // call; jmp to itself: a thread function without end.
        X86Process process = new X86Process().Code(0x1300, 0xE8, 0, 0, 0, 0, 0xEB, 0xFE).Code(0x1400, 0xC3).Code(0x1100, s_caller);
        process.Push(Stack, Base + 0x1305).Push(Stack + 0x20, Stack + 0x40).Push(Stack + 0x24, Caller).Push(Stack + 0x40, 0).Push(Stack + 0x44, 0);
        WalkedStack stack = process.Walk(0x1400, Stack, ebp: Stack + 0x20);
        Assert.Equal([FrameTrust.Context, FrameTrust.Instructions, FrameTrust.FramePointer], stack.Frames.Select(f => f.Trust));
        Assert.Equal(Caller, stack.Frames[2].InstructionPointer);
    }

    [Fact]
    public void Zeros_for_frame_pointer_and_return_address_end_the_stack()
    {
        X86Process process = new X86Process().Code(0x1300, 0xE8, 0, 0, 0, 0, 0xEB, 0xFE);
        process.Push(Stack, 0).Push(Stack + 4, 0);
        Assert.Equal(StackEnd.Complete, process.Walk(0x1305, Stack - 0x10, ebp: Stack).End);
        process.Push(Stack, Stack + 0x100);
        Assert.NotEqual(StackEnd.Complete, process.Walk(0x1305, Stack - 0x10, ebp: Stack).End);
    }

    [Fact]
    public void Of_two_ways_the_nearer_counts_when_the_code_leaves_a_doubt()
    {
        // No frame pointer of its own, and a call on the way: its caller lies before the frame that EBP still points to.
        X86Process process = new X86Process()
            .Code(0x1300, 0xE8, 0xFB, 0, 0, 0, 0xE8, 0xF6, 0, 0, 0, 0x83, 0xC4, 8, 0xC3)
            .Code(0x1400, 0xC3)
            .Code(0x1200, 0xE8, 0, 0, 0, 0, 0xEB, 0xFE)
            .Code(0x1100, s_caller);
        process.Push(Stack, Base + 0x1305).Push(Stack + 0xC, Base + 0x1205).Push(Stack + 0x20, Stack + 0x60).Push(Stack + 0x24, Caller);
        WalkedStack stack = process.Walk(0x1400, Stack, ebp: Stack + 0x20);
        Assert.Equal([Base + 0x1400, Base + 0x1305, Base + 0x1205, Caller], stack.Frames.Select(f => f.InstructionPointer));
    }

    [Fact]
    public void Without_code_or_frame_pointer_the_stack_is_scanned()
    {
        X86Process process = new X86Process().Code(0x1300, 0xEB, 0xFE).Code(0x1100, s_caller);
        process.Push(Stack + 4, Base + 0x1301).Push(Stack + 0x10, Caller);
        WalkedStack stack = process.Walk(0x1300, Stack);
        Assert.Equal((Caller, FrameTrust.Scan), (stack.Frames[1].InstructionPointer, stack.Frames[1].Trust));
        Assert.Equal(Stack + 0x14, stack.Frames[1].StackPointer);
    }

    [Fact]
    public void Where_the_dump_lacks_the_code_a_chain_of_frame_pointers_is_no_surer_than_a_scan()
    {
        X86Process process = new() { HasCode = false };
        process.Push(Stack, Stack + 0x20).Push(Stack + 4, Caller).Push(Stack + 0x20, 0).Push(Stack + 0x24, Base + 0x1205);
        WalkedStack stack = process.Walk(0x1300, Stack - 0x10, ebp: Stack);
        Assert.Equal([Base + 0x1300, Caller, Base + 0x1205], stack.Frames.Select(f => f.InstructionPointer));
        Assert.All(stack.Frames.Skip(1), f => Assert.Equal(FrameTrust.Scan, f.Trust));
        Assert.NotEqual(StackEnd.Complete, stack.End);
    }

    [Theory]
    [InlineData(Stack)]                     // to itself
    [InlineData(Stack - 0x100)]             // downwards
    [InlineData(X86Process.StackBase)]      // out of the stack
    [InlineData(uint.MaxValue)]
    [InlineData(uint.MaxValue - 3)]
    public void A_hostile_chain_of_frame_pointers_ends(uint saved)
    {
        X86Process process = new X86Process().Code(0x1300, 0xE8, 0, 0, 0, 0, 0xEB, 0xFE).Code(0x1100, 0x55, 0x8B, 0xEC, 0xE8, 0xF8, 0, 0, 0, 0xEB, 0xFE);
        process.Push(Stack, saved).Push(Stack + 4, Caller);
        WalkedStack stack = process.Walk(0x1305, Stack - 0x10, ebp: Stack);
        Assert.InRange(stack.Frames.Count, 1, 3);
        Assert.All(stack.Frames.Zip(stack.Frames.Skip(1)), p => Assert.True(p.Second.StackPointer > p.First.StackPointer));
    }

    [Fact]
    public void Frames_end_at_the_limit()
    {
        X86Process process = new X86Process().Code(0x1100, s_caller);
        for (uint slot = Stack; slot < X86Process.StackBase - 8; slot += 8)
        {
            process.Push(slot, slot + 8).Push(slot + 4, Caller);
        }

        WalkedStack stack = process.Walk(0x1108, Stack - 8, ebp: Stack, limits: new ReadLimits { MaxFrames = 50 });
        Assert.Equal((50, StackEnd.Limit), (stack.Frames.Count, stack.End));
    }

    [Theory]
    [InlineData(0x1200, 0x1206, true)]      // push ebp; mov ebp,esp; jmp over a hole
    [InlineData(0x1200, 0x1230, false)]     // behind the function's end: another one without a name
    public void An_export_names_only_what_its_code_reaches(uint start, uint address, bool expected)
    {
        X86Process process = new X86Process().Export("Named", 0x1200, 0x55, 0x8B, 0xEC, 0xEB, 1, 0xCC, 0x90, 0x5D, 0xC3).Code(0x1230, 0x90, 0xC3);
        ulong? found = process.Walk(address, Stack).Frames[0].FunctionStart;
        Assert.Equal(expected ? Base + start : null, found);
    }

    [Fact]
    public void A_jump_out_of_an_export_does_not_lend_its_name()
    {
        // jmp +0x20 with the stack as at the beginning: another function that others may call too.
        X86Process process = new X86Process().Export("Forwards", 0x1200, 0xEB, 0x1E).Code(0x1220, 0x90, 0xC3);
        Assert.Null(process.Walk(0x1220, Stack).Frames[0].FunctionStart);
    }

    /// <summary>Frame data by relative address of the lookup.</summary>
    private sealed class Described(Dictionary<uint, FrameDescription> descriptions) : IFrameDescriptions
    {
        public FrameDescription? Find(uint address) => descriptions.GetValueOrDefault(address - Base);
    }
}
