using Dump.EndToEnd.Tests.Verdicts;
using Dump.Model.Verdicts;
using Dump.Readers.Minidump;
using Dump.Testing.Synthetic;

namespace Dump.EndToEnd.Tests.Synthetic;

/// <summary>Streams of synthetic dumps, read back by us with the values that were written, and by the debugger engine where it shows them.</summary>
public sealed class StreamTests
{
    private const uint A = LoadOwnershipScene.A;
    private const uint B = LoadOwnershipScene.B;
    private const uint AccessViolation = 0xC0000005;

    private static FakeProcess Process(params FakeStream[] streams)
    {
        FakeProcess process = new LoadOwnershipScene().Build();
        process.Streams.AddRange(streams);
        return process;
    }

    private static MinidumpFile Read(FakeProcess process)
    {
        MinidumpFile dump = MinidumpFile.FromBytes(process.ToMinidump());
        Assert.Empty(dump.Problems);
        return dump;
    }

    private static FakeStream Names { get; } = FakeStreams.ThreadNames((A, "worker é"), (B, "loader"));

    private static FakeStream Unloaded { get; } = FakeStreams.UnloadedModules(
        (0x190000000, 0x5000, 0x1234, 0x5F000000, @"C:\app\gone.dll"), (0x1A0000000, 0x6000, 0, 0x5F000001, "older.dll"));

    private static FakeStream Thrown { get; } = FakeStreams.Exception(B, AccessViolation, 0x180001010, 0x10011000, 0, 0xDEAD0);

    private static FakeStream Regions { get; } = FakeStreams.MemoryInfo(
        (0x10000000, 0x10000000, 4, 0x8000, 0x1000, 4, 0x20000), (0x10008000, 0, 0, 0x8000, 0x10000, 1, 0),
            (0x180000000, 0x180000000, 0x80, 0x1000, 0x1000, 2, 0x1000000));

    private static FakeStream Tables { get; } = FakeStreams.FunctionTable(0x200000000, 0x200010000, 0x200000000, (0x10, 0x40, 0x9000), (0x40, 0x80, 0x9008));

    [Fact]
    public void Thread_names_are_read_and_stand_in_the_sentences()
    {
        FakeProcess process = Process(Names);
        using MinidumpFile dump = Read(process);
        Assert.Equal([(A, "worker é"), (B, "loader")], dump.ThreadNames!.Select(n => (n.Key, n.Value)));
        Verdict verdict = Assert.Single(SyntheticAnalysis.Of(process).Verdicts);
        Assert.Contains(
            "Thread 1 (0x1b4 'loader') waits in the loader for load ownership (the loader's work queue), held by thread 0 (0x1a0 'worker é').",
            SyntheticAnalysis.Sentences(verdict));
    }

    [Fact]
    public void Comments_of_both_kinds_are_read()
    {
        FakeProcess process = Process(FakeStreams.CommentA("*** procdump -ma 7"), FakeStreams.CommentW("*** Hung window detected: 140aa0 é"));
        using MinidumpFile dump = Read(process);
        Assert.Equal(["*** procdump -ma 7", "*** Hung window detected: 140aa0 é"], dump.Comments.Select(c => c.Text));
        Assert.Equal("*** procdump -ma 7\n*** Hung window detected: 140aa0 é", SyntheticAnalysis.Read(process).Source.Comment);
    }

    [Fact]
    public void Unloaded_modules_are_read_by_the_entry_size_that_the_stream_declares()
    {
        using MinidumpFile dump = Read(Process(Unloaded));
        Assert.Equal(
            [new(0x190000000, 0x5000, 0x1234, 0x5F000000, @"C:\app\gone.dll"), new(0x1A0000000, 0x6000, 0, 0x5F000001, "older.dll")],
            dump.UnloadedModules!);
    }

    [Fact]
    public void Memory_regions_are_read()
    {
        using MinidumpFile dump = Read(Process(Regions));
        Assert.Equal(
            [
                new(0x10000000, 0x10000000, 4, 0x8000, 0x1000, 4, 0x20000),
                new(0x10008000, 0, 0, 0x8000, 0x10000, 1, 0),
                new(0x180000000, 0x180000000, 0x80, 0x1000, 0x1000, 2, 0x1000000),
            ],
            dump.MemoryRegions!);
    }

    [Fact]
    public void Exception_is_read_with_its_own_registers()
    {
        using MinidumpFile dump = Read(Process(Thrown));
        MinidumpException exception = dump.Exception!;
        Assert.Equal((B, AccessViolation, 0u, 0x180001010UL), (exception.ThreadId, exception.Code, exception.Flags, exception.Address));
        Assert.Equal([0UL, 0xDEAD0UL], exception.Parameters);
        Assert.Equal((0x180001010UL, 0x10011000UL), (exception.InstructionPointer, exception.StackPointer));
    }

    [Fact]
    public void Function_table_is_read()
    {
        FakeProcess process = Process(Tables);
        byte[] file = process.ToMinidump();
        using MinidumpFile dump = Read(process);
        MinidumpFunctionTable table = Assert.Single(dump.FunctionTables);
        Assert.Equal((0x200000000UL, 0x200010000UL, 0x200000000UL, 2u), (table.MinimumAddress, table.MaximumAddress, table.BaseAddress, table.EntryCount));
        byte[] entries = new ByteWriter().UInt32(0x10).UInt32(0x40).UInt32(0x9000).UInt32(0x40).UInt32(0x80).UInt32(0x9008).ToArray();
        Assert.Equal(entries, file[(int)table.Entries.Offset..(int)(table.Entries.Offset + table.Entries.Size)]);
    }

    [Fact]
    public void Memory_list_with_32_bit_positions_gives_the_same_memory_and_verdict()
    {
        using MinidumpFile wide = Read(Process());
        FakeProcess process = Short();
        using MinidumpFile dump = Read(process);
        Assert.Equal(wide.MemoryRanges.Select(r => (r.Address, r.Bytes.Size)), dump.MemoryRanges.Select(r => (r.Address, r.Bytes.Size)));
        foreach (MinidumpMemoryRange range in wide.MemoryRanges)
        {
            Assert.Equal(Bytes(wide, range), Bytes(dump, range));
        }

        Assert.Equal(
            SyntheticAnalysis.Sentences(SyntheticAnalysis.Of(Process()).Verdicts.Single()),
                SyntheticAnalysis.Sentences(SyntheticAnalysis.Of(process).Verdicts.Single()));
    }

    [SkippableFact]
    public void Debugger_finds_the_same_in_every_stream()
    {
        using SyntheticFile file = new(Process(Names, Unloaded, Thrown, Regions, Tables, FakeStreams.CommentA("made by hand"),
            FakeStreams.CommentW("zweite é")));
        string printed = file.Debugger(".dumpdebug", "~", ".exr -1");
        Assert.All(
            [
                "Thread 0x000001a0: 'worker é'.",
                "0  Id: 1000.1a0 Suspend: 0 Teb: 00000000`7f000000 Unfrozen \"worker é\"",
                @"00000001`90000000 - 00000001`90005000: 'C:\app\gone.dll'",
                "00000001`a0000000 - 00000001`a0006000: 'older.dll'",
                "ThreadID 436",
                "ExceptionAddress: 0000000180001010 (mkl_core_2+0x0000000000001010)",
                "Parameter[1]: 00000000000dead0",
                "type MemoryInfoListStream (16), size 000000A0",
                "'made by hand'",
                "'zweite é'",
                "0: min 00000002`00000000, max 00000002`00010000, base 00000002`00000000, entries 2",
                "Handle(0000000000000044,\"Event\",\"\")",
                "12 memory ranges",
                "5 modules",
                "2 threads",
            ],
            expected => Assert.Contains(expected, printed, StringComparison.Ordinal));
    }

    /// <summary>
    /// Memory and not stacks: without the full-memory flag the engine takes code and unwind information from image files only, of which there are none.
    /// </summary>
    [SkippableFact]
    public void Debugger_reads_the_same_memory_from_a_memory_list_with_32_bit_positions()
    {
        string[] commands = ["dq 10001000 L40", "db 180001000 L80", "dq 7f000000 L20", "dq 7ff930006200 L5"];
        using SyntheticFile wide = new(Process());
        using SyntheticFile narrow = new(Short());
        string[] memory = MemoryLines(narrow.Debugger(commands));
        Assert.Equal(32 + 8 + 16 + 3, memory.Length);
        Assert.Contains(memory, l => l.Contains("48 83 ec 28", StringComparison.Ordinal));
        Assert.DoesNotContain(memory, l => l.Contains("??", StringComparison.Ordinal));
        Assert.Equal(MemoryLines(wide.Debugger(commands)), memory);
    }

    /// <summary>The lines that begin with an address.</summary>
    private static string[] MemoryLines(string printed) => [.. printed.Split('\n').Where(l => l.Length > 17 && l[8] == '`' && char.IsAsciiHexDigit(l[0]))];

    private static byte[] Bytes(MinidumpFile dump, MinidumpMemoryRange range)
    {
        byte[] bytes = new byte[range.Bytes.Size];
        Assert.Equal(bytes.Length, dump.Read(range.Address, bytes));
        return bytes;
    }

    private static FakeProcess Short() => new LoadOwnershipScene { HasShortMemoryList = true }.Build();
}
