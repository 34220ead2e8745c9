using Dump.Readers.Minidump;
using Dump.Testing.Synthetic;

namespace Dump.Readers.Tests.Minidump;

/// <summary>A small dump and the memory of the process that it describes are read as the dump with all memory that was never written.</summary>
public sealed class ProcessDumpTests
{
    private const uint Commit = 0x1000, Reserve = 0x2000, ReadWrite = 4, NoAccess = 1, Guard = 0x104;
    private const int Page = 0x1000;
    private static readonly (ulong Base, ulong Size, uint State, uint Protect)[] s_regions =
    [
        (0x10000, 0x4000, Commit, ReadWrite), (0x14000, 0x1000, Reserve, 0), (0x20000, 0x1000, Commit, NoAccess), (0x21000, 0x1000, Commit, Guard),
        (0x22000, 0x30000, Commit, ReadWrite), (0x52000, 0x2000, Commit, ReadWrite), (0x7FFE_0000_0000, 0x30_0000, Commit, ReadWrite),
        (0x7FFF_0000_0000, 0x1000, Commit, ReadWrite),
    ];

    private const string Name = "process-280-1";

    [Fact]
    public void Memory_is_that_of_the_process()
    {
        using MinidumpFile dump = Open(new Process());
        AssertMemory(dump, 0x10000, 0x4000, 0x4000);
        AssertMemory(dump, 0x13FFF, 2, 1);
        AssertMemory(dump, 0x22007, 0x32000, 0x32000 - 7);
        AssertMemory(dump, 0x7FFF_0000_0FF8, 8, 8);
        foreach (ulong absent in (ulong[])[0, 0xFFFF, 0x14000, 0x20000, 0x21FFF, 0x54000, ulong.MaxValue])
        {
            Assert.Equal(0, dump.Read(absent, new byte[1]));
        }

        Assert.Empty(dump.Problems);
        Assert.Equal(s_regions.Length, dump.MemoryRegions!.Count);
    }

    [Fact]
    public void It_says_that_it_has_all_memory_and_keeps_the_other_streams()
    {
        using MinidumpFile dump = Open(new Process());
        Assert.Equal(2ul, dump.Header.Flags & 2);
        Assert.Equal(8ul, dump.Header.Flags & 8);
        Assert.Equal(0xC8u, Assert.Single(dump.Threads).Id);
        Assert.Equal([7u, 3u, 16u, 9u], dump.Streams.Select(s => s.Type));
    }

    /// <summary>What the small dump itself holds is the same memory, and would only be in the way.</summary>
    [Fact]
    public void Memory_of_the_small_dump_does_not_count()
    {
        RawMinidump small = Small(s_regions);
        int at = small.Data(0xEE, 0xEE, 0xEE, 0xEE);
        byte[] description = small.Stream(5, new ByteWriter().UInt32(1).UInt64(0x10000).UInt32(4).UInt32(at).ToArray()).ToArray();
        using MinidumpFile dump = MinidumpFile.OpenProcess(Name, description, new Process());
        AssertMemory(dump, 0x10000, 4, 4);
        Assert.Empty(dump.Problems);
    }

    /// <summary>Both before and behind what is wanted, across a border of protection, not across a gap.</summary>
    [Fact]
    public void Neighbours_are_asked_for_once()
    {
        Process process = new();
        using MinidumpFile dump = Open(process);
        for (ulong address = 0x24000; address < 0x3F000; address += 8)
        {
            AssertMemory(dump, address, 8, 8);
        }

        Assert.Equal((0x22000ul, 0x1E000), Assert.Single(process.Asked));
        AssertMemory(dump, 0x51FFC, 8, 8);
        Assert.Equal((0x40000ul, 0x14000), process.Asked[^1]);
        int asked = process.Asked.Count;
        AssertMemory(dump, 0x22000, 0x32000, 0x32000);
        Assert.Equal(asked, process.Asked.Count);
    }

    [Fact]
    public void What_was_read_at_the_same_moment_is_not_asked_for_again()
    {
        ProcessPages pages = new();
        byte[] description = Small(s_regions).ToArray();
        using (MinidumpFile dump = MinidumpFile.OpenProcess(Name, description, new Process(), pages))
        {
            AssertMemory(dump, 0x22000, 0x32000, 0x32000);
        }

        Process process = new();
        using MinidumpFile again = MinidumpFile.OpenProcess(Name, description, process, pages);
        AssertMemory(again, 0x22000, 0x32000, 0x32000);
        Assert.Empty(process.Asked);
        AssertMemory(again, 0x10000, 8, 8);
        Assert.Equal((0x10000ul, 0x4000), Assert.Single(process.Asked));
    }

    [Fact]
    public void Much_is_asked_for_in_pieces_and_only_as_much()
    {
        Process process = new();
        using MinidumpFile dump = Open(process);
        AssertMemory(dump, 0x7FFE_0000_0000, 0x28_0000, 0x28_0000);
        Assert.All(process.Asked, a => Assert.True(a.Length % Page == 0 && a.Length <= 256 * Page));
        Assert.InRange(process.Asked.Sum(a => a.Length), 0x28_0000, 0x28_0000 + 32 * Page);
        Assert.InRange(process.Asked.Count, 3, 4);
    }

    /// <summary>A page can go away between the list and the reading, or not be readable in spite of it; what lies behind it is there.</summary>
    [Theory]
    [InlineData(true)]
    [InlineData(false)]
    public void Page_that_cannot_be_read_is_a_gap(bool givesTheBeginning)
    {
        Process process = new() { Hole = 0x25000, GivesTheBeginning = givesTheBeginning };
        using MinidumpFile dump = Open(process);
        AssertMemory(dump, 0x22000, 0x8000, 0x3000);
        AssertMemory(dump, 0x26000, 0x8000, 0x8000);
        AssertMemory(dump, 0x24FFF, 1, 1);
        Assert.Equal(0, dump.Read(0x25FFF, new byte[2]));
        int asked = process.Asked.Count;
        Assert.Equal(0, dump.Read(0x25000, new byte[2]));
        Assert.Equal(asked, process.Asked.Count);
    }

    [Fact]
    public void Stream_gives_the_file_that_reads_the_same()
    {
        using MinidumpFile dump = Open(new Process());
        using Stream stream = dump.AsStream();
        Assert.Equal(dump.FileSize, stream.Length);
        byte[] file = new byte[stream.Length];
        stream.ReadExactly(file);
        Assert.Equal(0, stream.Read(new byte[1]));
        stream.Seek(-1, SeekOrigin.End);
        Assert.Equal(file[^1], stream.ReadByte());
        using MinidumpFile read = MinidumpFile.FromBytes(file);
        Assert.Equal(dump.MemoryRanges, read.MemoryRanges);
        Assert.Equal(dump.Streams, read.Streams);
        AssertMemory(read, 0x22007, 0x32000, 0x32000 - 7);
        Assert.Empty(read.Problems);
    }

    [Fact]
    public void What_the_reader_of_the_process_throws_is_thrown()
    {
        using MinidumpFile dump = Open(new Process { Failure = new InvalidDumpException("gone") });
        Assert.Equal("gone", Assert.Throws<InvalidDumpException>(() => dump.Read(0x10000, new byte[4])).Message);
    }

    [Fact]
    public void Description_that_lacks_the_list_of_memory_is_refused()
    {
        AssertRefused("does not say which memory the process has; give the command again with -full", new RawMinidump().System().Thread());
        AssertRefused("does not say which memory the process has; give the command again with -full", Small((0x10000, 0x1000, Reserve, ReadWrite)));
        AssertRefused("does not say which memory the process has; give the command again with -full",
            Small((0x10001, 0x1000, Commit, ReadWrite), (0x10000, 0xFFF, Commit, ReadWrite), (0, 0, Commit, ReadWrite), (0xFFFF_FFFF_FFFF_F000, 0x2000, Commit, 4)));
    }

    [Fact]
    public void Description_that_claims_more_than_there_can_be_is_refused() =>
        AssertRefused("claims more memory than there can be", Small((0, 0x7FFF_FFFF_FFFF_0000, Commit, ReadWrite), (0x10000, 0x10000, Commit, ReadWrite)));

    [Theory]
    [InlineData("")]
    [InlineData("no dump")]
    public void What_is_no_description_is_refused(string text) =>
        Assert.StartsWith($"{Name}: ", Assert.Throws<InvalidDumpException>(
            () => MinidumpFile.OpenProcess(Name, System.Text.Encoding.ASCII.GetBytes(text), new Process())).Message, StringComparison.Ordinal);

    /// <summary>A byte of the process, of which each page has others.</summary>
    private static byte Byte(ulong address) => (byte)(address * 31 + address / Page * 7 + 1);

    private static void AssertMemory(MinidumpFile dump, ulong address, int length, int expected)
    {
        byte[] bytes = new byte[length];
        Assert.Equal(expected, dump.Read(address, bytes));
        Assert.Equal([.. Enumerable.Range(0, expected).Select(i => Byte(address + (ulong)i))], bytes[..expected]);
    }

    private static RawMinidump Small(params (ulong Base, ulong Size, uint State, uint Protect)[] regions)
    {
        ByteWriter list = new ByteWriter().UInt32(16).UInt32(48).UInt64((ulong)regions.Length);
        foreach ((ulong start, ulong size, uint state, uint protect) in regions)
        {
            list.UInt64(start).UInt64(start).UInt32(protect).UInt32(0).UInt64(size).UInt32(state).UInt32(protect).UInt32(0x20000).UInt32(0);
        }

        return new RawMinidump().System().Stream(3, new ByteWriter().UInt32(1).UInt32(0xC8).PadTo(52).ToArray()).Stream(16, list.ToArray());
    }

    private static MinidumpFile Open(Process process)
    {
        byte[] small = Small(s_regions).ToArray();
        small[24] = 8;
        return MinidumpFile.OpenProcess(Name, small, process);
    }

    private static void AssertRefused(string expected, RawMinidump small)
    {
        InvalidDumpException refusal = Assert.Throws<InvalidDumpException>(() => MinidumpFile.OpenProcess(Name, small.ToArray(), new Process()));
        Assert.StartsWith($"{Name}: ", refusal.Message, StringComparison.Ordinal);
        Assert.Contains(expected, refusal.Message, StringComparison.Ordinal);
    }

    /// <summary>A process that notes what it was asked for.</summary>
    private sealed class Process : IMemory
    {
        public List<(ulong Address, int Length)> Asked { get; } = [];

        /// <summary>Address of a page that cannot be read, or 0.</summary>
        public ulong Hole { get; init; }

        /// <summary>True to read up to the hole; false to read nothing of what reaches into it.</summary>
        public bool GivesTheBeginning { get; init; }

        public Exception? Failure { get; init; }

        public int Read(ulong address, Span<byte> destination)
        {
            if (Failure is not null)
            {
                throw Failure;
            }

            Asked.Add((address, destination.Length));
            int length = destination.Length;
            if (Hole != 0 && address < Hole + Page && address + (ulong)length > Hole)
            {
                length = GivesTheBeginning && address < Hole ? (int)(Hole - address) : 0;
            }

            for (int i = 0; i < length; i++)
            {
                destination[i] = Byte(address + (ulong)i);
            }

            return length;
        }
    }
}
