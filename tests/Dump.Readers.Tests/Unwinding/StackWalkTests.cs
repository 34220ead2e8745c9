using Dump.Model.Process;
using Dump.Readers.Pe;
using Dump.Readers.Registers;
using Dump.Readers.Unwinding;
using Dump.Readers.Unwinding.Frames;
using Dump.Readers.Unwinding.X64;

namespace Dump.Readers.Tests.Unwinding;

/// <summary>Whole walks over stacks drawn by hand; unwind information as "x64 exception handling" of Microsoft's documentation lays it out.</summary>
public sealed class StackWalkTests
{
    private const ulong Base = HandBuiltProcess.Base;
    private const ulong Caller = Base + 0x1105;
    private const ulong Stack = 0x10_0800;
    private const ulong Outermost = 0;

    // Version 1, prolog of 4 bytes, one code: ALLOC_SMALL 3 (0x20 bytes) at offset 4.
    private static readonly byte[] s_allocates = [0x01, 0x04, 0x01, 0x00, 0x04, 0x32];

    [Fact]
    public void Chained_information_is_undone_part_after_part()
    {
        HandBuiltProcess process = WithCaller();

        // The function pushes RBX; its first cold part allocates 0x10 bytes; the second, chained to the first, saves RSI at its stack pointer + 8.
        process.Function(0x1200, 0x1280, 0x620, 0x01, 0x01, 0x01, 0x00, 0x01, 0x30);
        process.Function(0x1300, 0x1340, 0x640, [0x21, 0x04, 0x01, 0x00, 0x04, 0x12, 0, 0, .. Entry(0x1200, 0x1280, 0x620)]);
        process.Function(0x1400, 0x1440, 0x660, [0x21, 0x05, 0x02, 0x00, 0x05, 0x64, 0x01, 0x00, .. Entry(0x1300, 0x1340, 0x640)]);
        process.Code(0x1420, 0x90);
        process.Push(Stack + 8, 0x51);
        process.Push(Stack + 0x10, 0xB8);
        process.Push(Stack + 0x18, Caller);
        process.Push(Stack + 0x40, Outermost);

        WalkedStack stack = process.Walk(At(0x1420, Stack));

        Assert.Equal(StackEnd.Complete, stack.End);
        Assert.Equal([Base + 0x1420, Caller], stack.Frames.Select(f => f.InstructionPointer));
        Assert.Equal(Stack + 0x20, stack.Frames[1].StackPointer);
        Assert.Equal((0xB8UL, 0x51UL), (((X64Registers)stack.Frames[1].Registers)[X64Register.Rbx],
            ((X64Registers)stack.Frames[1].Registers)[X64Register.Rsi]));
        Assert.Equal(Base + 0x1200, stack.Frames[0].FunctionStart);
        Assert.Equal(new CodeRange(Base + 0x1400, Base + 0x1440), stack.Frames[0].Code);
    }

    [Fact]
    public void An_entry_that_shares_the_information_of_another_is_followed()
    {
        HandBuiltProcess process = WithCaller();
        Entry(0x1100, 0x1180, 0x600).CopyTo(process.Image[0x680..]);
        process.Function(0x1200, 0x1280, 0x681);
        process.Code(0x1240, 0x90);
        process.Push(Stack + 0x20, Caller);
        process.Push(Stack + 0x48, Outermost);
        WalkedStack stack = process.Walk(At(0x1240, Stack));
        Assert.Equal([Base + 0x1240, Caller], stack.Frames.Select(f => f.InstructionPointer));
        Assert.Equal(FrameTrust.UnwindInfo, stack.Frames[1].Trust);
    }

    [Fact]
    public void Epilog_codes_of_version_2_are_skipped()
    {
        HandBuiltProcess process = WithCaller();

        // Three UWOP_EPILOG slots (size 6 at the function's end, and at 0x30 and 0x50 before it), then ALLOC_SMALL 3 and PUSH_NONVOL RDI.
        process.Function(0x1200, 0x1280, 0x620, 0x02, 0x05, 0x05, 0x00, 0x06, 0x16, 0x30, 0x06, 0x50, 0x06, 0x05, 0x32, 0x01, 0x70);
        process.Code(0x1240, 0x90);
        process.Push(Stack + 0x20, 0xD1);
        process.Push(Stack + 0x28, Caller);
        process.Push(Stack + 0x50, Outermost);
        WalkedStack stack = process.Walk(At(0x1240, Stack));
        Assert.Equal([Base + 0x1240, Caller], stack.Frames.Select(f => f.InstructionPointer));
        Assert.Equal(0xD1UL, ((X64Registers)stack.Frames[1].Registers)[X64Register.Rdi]);
        Assert.Equal(FrameTrust.UnwindInfo, stack.Frames[1].Trust);
    }

    [Fact]
    public void A_function_behind_a_machine_frame_may_be_a_leaf()
    {
        HandBuiltProcess process = WithCaller();
        process.Function(0x1200, 0x1280, 0x620, 0x01, 0x00, 0x01, 0x00, 0x00, 0x0A);
        process.Code(0x1240, 0x90);
        process.Push(Stack, Base + 0x1500);
        process.Push(Stack + 0x18, Stack + 0x100);
        process.Push(Stack + 0x100, Caller);
        process.Push(Stack + 0x128, Outermost);
        WalkedStack stack = process.Walk(At(0x1240, Stack));
        Assert.Equal([Base + 0x1240, Base + 0x1500, Caller], stack.Frames.Select(f => f.InstructionPointer));
        Assert.All(stack.Frames.Skip(1), f => Assert.Equal(FrameTrust.UnwindInfo, f.Trust));
        Assert.Equal(StackEnd.Complete, stack.End);
    }

    [Fact]
    public void A_machine_frame_that_leads_down_the_stack_is_not_followed()
    {
        HandBuiltProcess process = new();
        process.Function(0x1200, 0x1280, 0x620, 0x01, 0x00, 0x01, 0x00, 0x00, 0x0A);
        process.Code(0x1240, 0x90);
        process.Push(Stack, Base + 0x1240);
        process.Push(Stack + 0x18, Stack - 8);
        WalkedStack stack = process.Walk(At(0x1240, Stack));
        Assert.Equal(StackEnd.Inconsistent, stack.End);
        Assert.Single(stack.Frames);
    }

    [Fact]
    public void Only_the_innermost_function_may_be_a_leaf()
    {
        HandBuiltProcess process = WithCaller();
        process.Code(0x1500, 0xE8, 0, 0, 0, 0);
        process.Push(Stack, Base + 0x1505);
        process.Push(Stack + 8, Base + 0x1540);

        // Where nothing covers the code, the caller's frame has no known size: what stands next on the stack need not be its return address.
        WalkedStack stack = process.Walk(At(0x1600, Stack));
        Assert.Equal([Base + 0x1600, Base + 0x1505], stack.Frames.Select(f => f.InstructionPointer));
        Assert.Equal(StackEnd.Inconsistent, stack.End);
    }

    [Theory]
    [InlineData(0x21, 0x620, 0x620)]
    [InlineData(0x21, 0x620, 0x640)]
    [InlineData(0x21, 0x621, 0x621)]
    public void Information_that_is_chained_to_itself_ends_the_walk(byte versionAndFlags, int first, int second)
    {
        HandBuiltProcess process = new();
        process.Function(0x1200, 0x1280, first);
        byte[] chainedToSecond = [versionAndFlags, 0, 0, 0, .. Entry(0x1200, 0x1280, second)];
        chainedToSecond.CopyTo(process.Image[0x620..]);
        byte[] chainedToFirst = [versionAndFlags, 0, 0, 0, .. Entry(0x1200, 0x1280, first)];
        chainedToFirst.CopyTo(process.Image[0x640..]);
        process.Code(0x1240, 0x90);
        WalkedStack stack = process.Walk(At(0x1240, Stack));
        Assert.Single(stack.Frames);
        Assert.NotEqual(StackEnd.Complete, stack.End);
    }

    [Fact]
    public void Frames_end_at_the_limit()
    {
        HandBuiltProcess process = WithCaller();
        process.Code(0x1110, 0x90);
        for (ulong slot = Stack + 0x20; slot < HandBuiltProcess.StackBase; slot += 0x28)
        {
            process.Push(slot, Caller);
        }

        WalkedStack stack = process.Walk(At(0x1110, Stack), new ReadLimits { MaxFrames = 10 });
        Assert.Equal((10, StackEnd.Limit), (stack.Frames.Count, stack.End));
    }

    [Fact]
    public void Frames_in_a_module_without_headers_are_no_more_than_scanned()
    {
        HandBuiltProcess process = WithCaller();
        process.Image[..0x400].Clear();
        process.Push(Stack, Caller);
        process.Push(Stack + 8, 0x1234);
        WalkedStack stack = process.Walk(At(0x1600, Stack));
        Assert.Equal([FrameTrust.Context, FrameTrust.Scan], stack.Frames.Select(f => f.Trust));
        Assert.Equal(StackEnd.UnwindInfoMissing, stack.End);
    }

    [Theory]
    [InlineData(true, FrameTrust.UnwindInfo)]
    [InlineData(false, FrameTrust.Scan)]
    public void An_address_in_a_module_without_headers_is_believed_when_a_call_stands_before_it(bool hasCode, FrameTrust expected)
    {
        const ulong Return = Other.Start + 0x1005;
        HandBuiltProcess process = WithCaller();
        if (hasCode)
        {
            process.Outside.Write(Return - 7, 0x90, 0x90, 0xE8, 0, 0, 0, 0);
        }

        process.Code(0x1140, 0x90);
        process.Push(Stack + 0x20, Return);
        Other modules = new(process);
        WalkedStack stack = new X64StackWalker(process, modules, new PeImages(process, modules))
            .Walk(At(0x1140, Stack), new StackBounds(HandBuiltProcess.StackLimit, HandBuiltProcess.StackBase));
        Assert.Equal(Return, stack.Frames[1].InstructionPointer);
        Assert.Equal(expected, stack.Frames[1].Trust);
    }

    /// <summary>A guess may lead to a zero anywhere; a thread's first function has its frame directly below the stack's base.</summary>
    [Theory]
    [InlineData(0xFFFF_FFFF_FFFF_FC00UL, StackEnd.Complete)]
    [InlineData(0x0UL, StackEnd.UnwindInfoMissing)]
    [InlineData(0x4000UL, StackEnd.UnwindInfoMissing)]
    public void A_zero_that_a_guess_leads_to_ends_the_stack_only_at_its_base(ulong beyond, StackEnd expected)
    {
        HandBuiltProcess process = WithCaller();
        process.Push(Stack, 0x666);
        process.Push(Stack + 8, Caller);
        process.Push(Stack + 0x10 + 0x20, Outermost);
        X64Registers lost = new() { Rip = 0x666_0000, Rsp = Stack };
        WalkedStack stack = new X64StackWalker(process, process, new PeImages(process, process))
            .Walk(lost, new StackBounds(HandBuiltProcess.StackLimit, unchecked(HandBuiltProcess.StackBase + beyond)));
        Assert.Equal([FrameTrust.Context, FrameTrust.Scan], stack.Frames.Select(f => f.Trust));
        Assert.Equal(expected, stack.End);
    }

    private static byte[] Entry(int begin, int end, int unwindInfo) => [.. BitConverter.GetBytes(begin), .. BitConverter.GetBytes(end),
        .. BitConverter.GetBytes(unwindInfo)];

    private static X64Registers At(int rva, ulong stackPointer) => new() { Rip = Base + (ulong)rva, Rsp = stackPointer };

    private static HandBuiltProcess WithCaller()
    {
        HandBuiltProcess process = new();
        process.Function(0x1100, 0x1180, 0x600, s_allocates);
        process.Code(0x1100, 0xE8, 0, 0, 0, 0);
        return process;
    }

    /// <summary>The hand-built module and another one whose headers are not in the dump.</summary>
    private sealed class Other(HandBuiltProcess process) : IModuleMap
    {
        public const ulong Start = 0x2_0000_0000;

        public IReadOnlyList<ModuleSnapshot> Modules { get; } = [.. process.Modules, new("b.dll", "b.dll", Start, 0x3000, 0, null, null)];

        public ModuleSnapshot? Find(ulong address) => Modules.FirstOrDefault(m => m.Contains(address));
    }
}
