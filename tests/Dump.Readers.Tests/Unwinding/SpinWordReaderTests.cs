using Dump.Model.Process;
using Dump.Model.Waits;
using Dump.Readers.Instructions;
using Dump.Readers.Pe;
using Dump.Readers.Registers;
using Dump.Readers.Unwinding;
using Dump.Readers.Unwinding.Frames;

namespace Dump.Readers.Tests.Unwinding;

/// <summary>The words that a spin loop tests, wherever in its function the loop stands.</summary>
public sealed class SpinWordReaderTests
{
    private const ulong Start = HandBuiltProcess.Base + 0x1000;
    private const ulong Word = HandBuiltProcess.Base + 0x1000_0000;

    // cmp dword ptr [rip+...],0; jne back to it.
    private const int LoopSize = 9;

    [Theory]
    [InlineData(0x100)]
    [InlineData(0x0FF8)]
    [InlineData(0x1800)]
    [InlineData(0x1F00)]
    public void A_loop_is_found_up_to_the_functions_end(int offset)
    {
        HandBuiltProcess process = Process(offset);
        SpinWord word = Assert.Single(Read(process, Start + (ulong)offset, new CodeRange(Start, Start + 0x2000)));
        Assert.Equal((Word, 7UL, true), (word.Address, word.Value, word.FromInstruction));
    }

    [Fact]
    public void A_loop_behind_the_functions_end_is_not_its_own() =>
        Assert.Empty(Read(Process(0x1800), Start + 0x1800, new CodeRange(Start, Start + 0x1804)));

    [Fact]
    public void Code_outside_of_the_loop_tests_nothing() =>
        Assert.Empty(Read(Process(0x1800), Start + 0x1700, new CodeRange(Start, Start + 0x2000)));

    [Fact]
    public void Of_nested_loops_the_inner_one_counts()
    {
        // The outer loop's own test stands before the inner loop: cmp dword ptr [rip+...],0 of another word.
        HandBuiltProcess process = Process(0x40);
        process.Code(0x1030, [0x83, 0x3D, .. BitConverter.GetBytes((int)(Word + 0x100 - (Start + 0x37))), 0]);
        process.Code(0x1040 + LoopSize, 0xEB, 0xE5);
        process.Outside.Write(Word + 0x100, 1, 0, 0, 0);
        Assert.Equal([Word], Read(process, Start + 0x40, new CodeRange(Start, Start + 0x2000)).Select(w => w.Address));
    }

    [Fact]
    public void Functions_without_a_table_entry_are_not_decoded() => Assert.Empty(Read(Process(0x100), Start + 0x100, null));

    [Fact]
    public void All_frames_together_may_have_sixteen_megabytes_of_code()
    {
        CountingMemory memory = new();
        HandBuiltProcess modules = new();
        SpinWordReader reader = new(memory, modules, new PeImages(memory, modules));
        WalkedFrame huge = new(new X64Registers { Rip = Start }, FrameTrust.Context, Start) { Code = new CodeRange(Start, Start + (9UL << 20)) };
        reader.Read(huge);
        int first = memory.CodeReads;
        reader.Read(huge);
        Assert.NotEqual(0, first);
        Assert.Equal(first, memory.CodeReads);
    }

    private static IReadOnlyList<SpinWord> Read(HandBuiltProcess process, ulong address, CodeRange? code) =>
        new SpinWordReader(process, process, new PeImages(process, process))
            .Read(new WalkedFrame(new X64Registers { Rip = address }, FrameTrust.Context, Start) { Code = code });

    private static HandBuiltProcess Process(int offset)
    {
        HandBuiltProcess process = new();
        process.Image[0x1000..].Fill(0x90);
        int displacement = (int)(Word - (Start + (ulong)offset + 7));
        process.Code(0x1000 + offset, [0x83, 0x3D, .. BitConverter.GetBytes(displacement), 0, 0x75, 0xF7]);
        process.Outside.Write(Word, 7, 0, 0, 0);
        return process;
    }

    /// <summary>Memory that has nothing and counts how often code is asked for.</summary>
    private sealed class CountingMemory : IMemory
    {
        public int CodeReads { get; private set; }

        public int Read(ulong address, Span<byte> destination)
        {
            CodeReads += address >= Start ? 1 : 0;
            return 0;
        }
    }
}
