using Dump.Model.Process;
using Dump.Readers.ElfCore;
using Dump.Readers.Linux.Stacks;
using Dump.Readers.Tests.Unwinding;
using Dump.Readers.Unwinding.Dwarf;

namespace Dump.Readers.Tests.Linux.Stacks;

/// <summary>Steps from a frame of ARM64 to its caller: by tables, by the frame record, and out of a handler of signals.</summary>
public sealed class Arm64FrameTests
{
    private const ulong Code = 0xAAAA_0000_1000, Caller = 0xAAAA_0000_2000, Stack = 0xFFFF_C000_0000;
    private const ulong Signed = 0x0035_0000_0000_0000 | Caller;

    // def_cfa_offset 32, offset x29 at -32, offset x30 at -24, as GCC writes them behind a data factor of -8; and the sign state's change before.
    private static readonly byte[] s_rules = [0x0E, 0x20, 0x9D, 0x04, 0x9E, 0x03];
    private static readonly byte[] s_initial = [0x0C, 0x1F, 0x00];

    [Fact]
    public void Table_leads_to_the_caller_and_its_registers()
    {
        SparseMemory memory = new SparseMemory().Slot(Stack, Stack + 0x40).Slot(Stack + 8, Caller);
        WalkedFrame frame = new(Thread((29, Stack), (30, 0), (31, Stack), (32, Code)));
        Assert.Null(frame.Caller(State(s_rules), memory));
        Assert.Equal((Caller, Stack + 32), (frame.Next, frame.Stack));
    }

    /// <summary>Code that signs return addresses says where they are signed; an address that is not said to be is taken as it is.</summary>
    [Theory]
    [InlineData(1, Caller)]
    [InlineData(0, Signed)]
    [InlineData(2, Signed)]
    public void Signed_address_loses_its_code_where_the_table_says_that_it_has_one(int changes, ulong next)
    {
        SparseMemory memory = new SparseMemory().Slot(Stack, 0).Slot(Stack + 8, Signed);
        WalkedFrame frame = new(Thread((31, Stack), (32, Code)));
        Assert.Null(frame.Caller(State([.. Enumerable.Repeat((byte)0x2D, changes), .. s_rules]), memory));
        Assert.Equal(next, frame.Next);
    }

    [Fact]
    public void Leaf_has_its_caller_in_the_link_register_and_no_stack()
    {
        WalkedFrame frame = new(Thread((30, Caller), (31, Stack), (32, Code)));
        Assert.Null(frame.Caller(State([]), new SparseMemory()));
        Assert.Equal((Caller, Stack), (frame.Next, frame.Stack));
    }

    [Fact]
    public void First_function_of_a_thread_has_no_caller() =>
        Assert.Equal(StackEnd.Complete, new WalkedFrame(Thread((31, Stack), (32, Code))).Caller(State([0x07, 0x1E]), new SparseMemory()));

    /// <summary>X64 knows no such instruction: its tables are not sound with it.</summary>
    [Fact]
    public void Sign_state_is_no_instruction_of_x64() =>
        Assert.Null(FrameInstructions.At(new FrameDescription(Code, Code + 0x100, 1, -8, false, [0x0C, 0x07, 0x08], [0x2D], 0), Code));

    [Fact]
    public void Record_leads_on_where_there_is_no_table()
    {
        SparseMemory memory = new SparseMemory().Slot(Stack + 0x20, Stack + 0x80).Slot(Stack + 0x28, Signed);
        WalkedFrame frame = new(Thread((29, Stack + 0x20), (30, Code + 8), (31, Stack), (32, Code)));
        Assert.Null(frame.CallerByRecord(memory, hasCalled: true, a => a == Caller, _ => false));
        Assert.Equal((Caller, Stack + 0x30), (frame.Next, frame.Stack));

        // Where its frame ends is not known: a table that counts from the stack pointer has nothing to count from, but for one that tells where the record is.
        Assert.Equal(StackEnd.UnwindInfoMissing, frame.Caller(State([0x0E, 0x20, 0x9E, 0x03]), memory));
        Assert.Equal(StackEnd.UnwindInfoMissing, frame.Caller(State([0x0E, 0x20, 0x9D, 0x04, 0x9E, 0x02]), memory));
        memory.Slot(Stack + 0x80, 0).Slot(Stack + 0x88, Caller + 0x40);
        Assert.Null(frame.Caller(State(s_rules), memory));
        Assert.Equal((Caller + 0x40, Stack + 0xA0), (frame.Next, frame.Stack));
    }

    /// <summary>The innermost function: one that has made no record, and one whose link register is stale, from a call of its own.</summary>
    [Theory]
    [InlineData(false, Caller)]
    [InlineData(true, Caller + 0x100)]
    public void Link_register_leads_to_the_caller_of_a_function_without_a_record(bool isOwn, ulong next)
    {
        SparseMemory memory = new SparseMemory().Slot(Stack + 0x20, Stack + 0x80).Slot(Stack + 0x28, Caller + 0x100);
        WalkedFrame frame = new(Thread((29, Stack + 0x20), (30, Caller), (31, Stack), (32, Code)));
        Assert.Null(frame.CallerByRecord(memory, hasCalled: false, a => a is Caller or (Caller + 0x100), _ => isOwn));
        Assert.Equal(next, frame.Next);
    }

    /// <summary>Below the stack pointer, not aligned, or with an address that no call stands before.</summary>
    [Theory]
    [InlineData(Stack - 0x20, Caller)]
    [InlineData(Stack + 0x21, Caller)]
    [InlineData(Stack + 0x20, Caller + 4)]
    public void Record_that_is_none_ends_the_walk(ulong record, ulong kept)
    {
        SparseMemory memory = new SparseMemory().Slot(record, Stack + 0x80).Slot(record + 8, kept);
        WalkedFrame frame = new(Thread((29, record), (31, Stack), (32, Code)));
        Assert.Equal(StackEnd.UnwindInfoMissing, frame.CallerByRecord(memory, hasCalled: true, a => a == Caller, _ => false));
    }

    /// <summary>The last record of a thread is empty (AAPCS64).</summary>
    [Fact]
    public void Empty_record_is_the_end()
    {
        SparseMemory memory = new SparseMemory().Slot(Stack + 0x20, 0).Slot(Stack + 0x28, 0);
        Assert.Equal(StackEnd.Complete,
            new WalkedFrame(Thread((29, Stack + 0x20), (31, Stack), (32, Code))).CallerByRecord(memory, hasCalled: true, a => a == Caller, _ => false));
    }

    [Fact]
    public void Handler_returns_to_all_registers_of_what_it_interrupted()
    {
        SparseMemory memory = new();
        for (int i = 0; i < 33; i++)
        {
            memory.Slot(Stack + 312 + ((ulong)i * 8), i switch { 31 => Stack + 0x2000, 32 => Caller, _ => (ulong)i });
        }

        WalkedFrame frame = new(Thread((31, Stack), (32, Code)));
        Assert.Null(frame.Interrupted(memory));
        Assert.Equal((Caller, Stack + 0x2000), (frame.Next, frame.Stack));
        Assert.Null(frame.Caller(State([]), memory));
        Assert.Equal(30UL, frame.Next);
        Assert.Equal(StackEnd.MemoryMissing, new WalkedFrame(Thread((31, 0x10), (32, Code))).Interrupted(memory));
    }

    private static FrameState? State(byte[] rules) => FrameInstructions.At(
        new FrameDescription(Code, Code + 0x100, 4, -8, false, s_initial, rules, 0) { Registers = DwarfRegisters.Arm64 }, Code);

    private static ElfThread Thread(params (int Place, ulong Value)[] registers)
    {
        ulong[] values = new ulong[34];
        Array.ForEach(registers, r => values[r.Place] = r.Value);
        return new ElfThread(1, 0, TimeSpan.Zero, TimeSpan.Zero, values) { Machine = LinuxMachine.Arm64 };
    }
}
