using Dump.Model.Process;
using Dump.Readers.Minidump;
using Dump.Readers.Pe;
using Dump.Readers.Windows;
using Dump.Testing.Synthetic;

namespace Dump.Readers.Tests.Unwinding;

/// <summary>Code made at run time lies in no module; the dump's FunctionTable stream says how to unwind it.</summary>
public sealed class DynamicFunctionTests
{
    private const ulong Code = 0x2_0000_0000;
    private const ulong Stack = 0x1000_0000;
    private const int Inner = 0x100;
    private const int Outer = 0x200;
    private const int Unwind = 0x800;

    [Fact]
    public void Stacks_through_dynamic_functions_are_unwound()
    {
        ThreadStack stack = Walk(withTable: true);
        Assert.Equal(StackEnd.Complete, stack.End);
        Assert.Equal([Code + Inner + 0x10, Code + Outer + 0x10], stack.Frames.Select(f => f.InstructionPointer));
        Assert.Equal([Code + Inner, Code + Outer], stack.Frames.Select(f => f.FunctionStart));
        Assert.Equal([FrameTrust.Context, FrameTrust.UnwindInfo], stack.Frames.Select(f => f.Trust));
        Assert.Equal(Stack + 0x28, stack.Frames[1].StackPointer);
        Assert.All(stack.Frames, f => Assert.Null(f.Module));
    }

    [Fact]
    public void Without_the_table_nothing_is_known_of_them()
    {
        ThreadStack stack = Walk(withTable: false);
        Assert.Single(stack.Frames);
        Assert.NotEqual(StackEnd.Complete, stack.End);
    }

    [Theory]
    [InlineData(Code + Inner - 1, null)]
    [InlineData(Code + Inner, Inner)]
    [InlineData(Code + Inner + 0x3F, Inner)]
    [InlineData(Code + Inner + 0x40, null)]
    [InlineData(Code + Outer + 0x3F, Outer)]
    [InlineData(Code + Outer + 0x40, null)]
    [InlineData(0UL, null)]
    [InlineData(ulong.MaxValue, null)]
    public void Functions_are_found_by_address_although_the_table_is_not_sorted(ulong address, int? expected)
    {
        using MinidumpFile dump = MinidumpFile.FromBytes(File(withTable: true));
        Assert.Equal(expected is { } begin ? Code + (ulong)begin : null, dump.FindDynamicFunction(address)?.Begin);
    }

    [Fact]
    public void Functions_over_the_limit_are_left_out()
    {
        using MinidumpFile dump = MinidumpFile.FromBytes(File(withTable: true), new ReadLimits { MaxDynamicFunctions = 1 });
        Assert.NotNull(dump.FindDynamicFunction(Code + Outer));
        Assert.Null(dump.FindDynamicFunction(Code + Inner));
    }

    private static ThreadStack Walk(bool withTable)
    {
        using MinidumpFile dump = MinidumpFile.FromBytes(File(withTable));
        Assert.Empty(dump.Problems);
        return Assert.Single(WindowsSnapshotReader.Read(dump, "dynamic").Threads).Stack;
    }

    private static byte[] File(bool withTable)
    {
        // Both functions have a frame of 0x20 bytes: ALLOC_SMALL 3 at prolog offset 4.
        ByteWriter code = new ByteWriter().PadTo(Inner + 0x10).Bytes(0x90).PadTo(Outer + 0x0B).Bytes(0xE8, 0, 0, 0, 0).PadTo(Unwind).Bytes(1, 4, 1, 0, 4, 0x32)
            .PadTo(0x900);
        ByteWriter stack = new ByteWriter().PadTo(0x20).UInt64(Code + Outer + 0x10).PadTo(0x48).UInt64(0).PadTo(0x80);
        ByteWriter context = new ByteWriter().PadTo(0x30).UInt32(0x10001F).PadTo(0x98).UInt64(Stack).PadTo(0xF8).UInt64(Code + Inner + 0x10).PadTo(0x4D0);
        RawMinidump file = new RawMinidump().System();
        int registers = file.Data(context.ToArray());
        int codeBytes = file.Data(code.ToArray());
        int stackBytes = file.Data(stack.ToArray());
        file.Stream(3, new ByteWriter().UInt32(1).UInt32(4).PadTo(4 + 0x28).UInt32(0x4D0).UInt32(registers).ToArray());
        file.Stream(5, new ByteWriter().UInt32(2).UInt64(Code).UInt32(code.Length).UInt32(codeBytes).UInt64(Stack).UInt32(stack.Length).UInt32(stackBytes)
            .ToArray());
        if (withTable)
        {
            // The outer function comes first: tables that the program adds need no order.
            file.Stream(13, new ByteWriter().UInt32(24).UInt32(32).UInt32(0).UInt32(12).UInt32(1).UInt32(0)
                .UInt64(Code).UInt64(Code + 0x1000).UInt64(Code).UInt32(2).UInt32(0)
                .UInt32(Outer).UInt32(Outer + 0x40).UInt32(Unwind).UInt32(Inner).UInt32(Inner + 0x40).UInt32(Unwind).ToArray());
        }

        return file.ToArray();
    }
}
