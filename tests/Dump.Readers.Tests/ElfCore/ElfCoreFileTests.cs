using System.Buffers.Binary;
using System.Text;
using Dump.Model.Process;
using Dump.Readers.ElfCore;
using Dump.Readers.Linux;

namespace Dump.Readers.Tests.ElfCore;

/// <summary>Linux cores made by hand: what is read from them, and that damaged ones end in the documented exception or in problems.</summary>
public sealed class ElfCoreFileTests : IDisposable
{
    private const int Headers = 64 + 2 * 56;
    private const int Status = 336;
    private readonly string _path = Path.GetTempFileName();

    /// <summary>One thread in futex(2) without a time limit, one mapped file, one page of memory of which half is in the file.</summary>
    private static byte[] Core(string? owner = null, string file = "/usr/lib/libc.so.6", ulong programHeaders = 0)
    {
        byte[] status = new byte[Status];
        BinaryPrimitives.WriteUInt32LittleEndian(status.AsSpan(32), 4711);
        BinaryPrimitives.WriteUInt64LittleEndian(status.AsSpan(48), 2);
        BinaryPrimitives.WriteUInt64LittleEndian(status.AsSpan(56), 500_000);
        BinaryPrimitives.WriteUInt64LittleEndian(status.AsSpan(112 + 15 * 8), 202);
        BinaryPrimitives.WriteUInt64LittleEndian(status.AsSpan(112 + 16 * 8), 0x7000);
        byte[] files = [.. Words(1, 0x1000, 0x7000, 0x8000, 3), .. Encoding.ASCII.GetBytes(file + "\0")];
        byte[] notes = [.. Note(1, status), .. Note(0x46494C45, files), .. owner is null ? [] : Note(0x202, [1, 2, 3, 4], owner),
            .. programHeaders == 0 ? [] : Note(6, Words(3, programHeaders, 0, 0))];
        byte[] memory = Enumerable.Range(0, 0x80).Select(i => (byte)i).ToArray();
        byte[] header = new byte[64];
        ((byte[])[0x7F, (byte)'E', (byte)'L', (byte)'F', 2, 1, 1]).CopyTo(header, 0);
        BinaryPrimitives.WriteUInt16LittleEndian(header.AsSpan(16), 4);
        BinaryPrimitives.WriteUInt16LittleEndian(header.AsSpan(18), 62);
        BinaryPrimitives.WriteUInt64LittleEndian(header.AsSpan(32), 64);
        BinaryPrimitives.WriteUInt16LittleEndian(header.AsSpan(54), 56);
        BinaryPrimitives.WriteUInt16LittleEndian(header.AsSpan(56), 2);
        return
        [
            .. header,
            .. Segment(4, Headers, 0, notes.Length, 0),
            .. Segment(1, Headers + notes.Length, 0x7000, memory.Length, 0x100),
            .. notes, .. memory,
        ];
    }

    [Fact]
    public void Threads_files_and_memory_are_read()
    {
        using ElfCoreFile core = Open(Core());
        ElfThread thread = Assert.Single(core.Threads);
        Assert.Equal((4711u, 202L, 0x7000UL), (thread.Id, thread.SystemCall, thread.InstructionPointer));
        Assert.Equal(TimeSpan.FromSeconds(2.5), thread.UserTime);
        Assert.Equal(new ElfMappedFile(0x7000, 0x8000, 0x3000, "/usr/lib/libc.so.6"), Assert.Single(core.MappedFiles));
        Assert.Equal(Model.Process.ProcessorArchitecture.X64, core.Architecture);
        Assert.Empty(core.Problems);
    }

    [Theory]
    [InlineData(null, ElfCoreWriter.CreateDumpOrUnknown)]
    [InlineData("LINUX", ElfCoreWriter.Kernel)]
    [InlineData("GDB", ElfCoreWriter.Debugger)]
    [InlineData("OTHER", ElfCoreWriter.CreateDumpOrUnknown)]
    public void Writer_is_known_by_the_owner_of_a_note(string? owner, ElfCoreWriter writer)
    {
        using ElfCoreFile core = Open(Core(owner));
        Assert.Equal(writer, core.Writer);
    }

    /// <summary>The mapping at 0x7000 has 0x80 of its 0x1000 bytes in the file.</summary>
    [Theory]
    [InlineData("LINUX", "/usr/share/dotnet/libcoreclr.so", true)]
    [InlineData("GDB", "/usr/share/dotnet/libcoreclr.so", true)]
    [InlineData(null, "/usr/share/dotnet/libcoreclr.so", false)]
    [InlineData("LINUX", "/usr/lib/libc.so.6", false)]
    public void Core_that_lacks_the_runtime_s_memory_says_how_to_capture_it(string? owner, string file, bool isMissing)
    {
        using ElfCoreFile core = Open(Core(owner, file));
        ProcessSnapshot snapshot = LinuxSnapshotReader.Read(core, "x.core");
        Assert.Equal(isMissing, snapshot.Missing.Any(m => m.CaptureAdvice.Contains("echo 0x3f > /proc/PID/coredump_filter", StringComparison.Ordinal)));
    }

    /// <summary>A program in a single file has the runtime inside, which only its own memory tells: that of the mapping with its program headers.</summary>
    [Theory]
    [InlineData(null, "/app/shop", 0x7040, true)]
    [InlineData("LINUX", "/app/shop", 0x7040, true)]
    [InlineData(null, "/app/shop", 0x6040, false)]
    [InlineData(null, "/app/shop", 0, false)]
    [InlineData(null, "/app/libcoreclr.so", 0x7040, false)]
    public void Core_that_lacks_the_program_s_memory_does_not_tell_whether_it_runs_dotnet(string? owner, string file, ulong programHeaders, bool isMissing)
    {
        using ElfCoreFile core = Open(Core(owner, file, programHeaders));
        ProcessSnapshot snapshot = LinuxSnapshotReader.Read(core, "x.core");
        Assert.Equal(isMissing, snapshot.Missing.Any(m => m.What.StartsWith("whether this process runs .NET", StringComparison.Ordinal)));
    }

    /// <summary>Without the managed half nothing is known of what a thread waits for, and nothing found would mean nothing.</summary>
    [Fact]
    public void One_frame_a_thread_does_not_count_as_stacks()
    {
        using ElfCoreFile core = Open(Core());
        Assert.False(LinuxSnapshotReader.Read(core, "core").Available.Stacks);
    }

    [Fact]
    public void Memory_ends_where_the_file_has_no_more_of_it()
    {
        using ElfCoreFile core = Open(Core());
        byte[] bytes = new byte[0x20];
        Assert.Equal(0x20, core.Read(0x7000, bytes));
        Assert.Equal(0x1F, bytes[0x1F]);
        Assert.Equal(0x10, core.Read(0x7070, bytes));
        Assert.Equal(0, core.Read(0x7080, bytes));
        Assert.Equal(0, core.Read(0x6FFF, bytes));
        Assert.Equal(0, core.Read(ulong.MaxValue, bytes));
    }

    [Theory]
    [InlineData(4, 1, "not 64-bit")]
    [InlineData(5, 2, "not 64-bit")]
    [InlineData(16, 3, "not a core dump")]
    public void Other_ELF_files_are_named(int offset, byte value, string message)
    {
        byte[] core = Core();
        core[offset] = value;
        Assert.Contains(message, Assert.Throws<InvalidDumpException>(() => Open(core)).Message, StringComparison.Ordinal);
    }

    [Fact]
    public void Truncation_anywhere_is_an_exception_or_a_problem()
    {
        byte[] core = Core();
        for (int length = 1; length < core.Length; length++)
        {
            try
            {
                using ElfCoreFile cut = Open(core[..length]);
                Assert.NotEmpty(cut.Problems);
            }
            catch (InvalidDumpException)
            {
                Assert.True(length < 64);
            }
        }
    }

    [Theory]
    [InlineData(1)]
    [InlineData(2)]
    [InlineData(3)]
    public void Flipped_bits_end_in_nothing_but_the_documented_exception(int seed)
    {
        Random random = new(seed);
        for (int round = 0; round < 400; round++)
        {
            byte[] core = Core();
            for (int i = random.Next(1, 9); i > 0; i--)
            {
                core[random.Next(core.Length)] ^= (byte)(1 << random.Next(8));
            }

            try
            {
                using ElfCoreFile flipped = Open(core);
                flipped.Read(0x7000, new byte[64]);
                Assert.InRange(flipped.Threads.Count, 0, 8);
            }
            catch (InvalidDumpException)
            {
            }
        }
    }

    [Theory]
    [InlineData(56)]
    [InlineData(32)]
    [InlineData(Headers)]
    [InlineData(Headers + 4)]
    [InlineData(64 + 8)]
    [InlineData(64 + 32)]
    public void Inflated_sizes_and_positions_are_survived(int offset)
    {
        byte[] core = Core();
        core.AsSpan(offset, 2).Fill(0xFF);
        long before = GC.GetAllocatedBytesForCurrentThread();
        using ElfCoreFile inflated = Open(core);
        Assert.InRange(GC.GetAllocatedBytesForCurrentThread() - before, 0, 1 << 20);
        Assert.NotEmpty(inflated.Problems);
    }

    public void Dispose() => File.Delete(_path);

    private static byte[] Words(params ReadOnlySpan<ulong> values)
    {
        byte[] bytes = new byte[values.Length * 8];
        for (int i = 0; i < values.Length; i++)
        {
            BinaryPrimitives.WriteUInt64LittleEndian(bytes.AsSpan(i * 8), values[i]);
        }

        return bytes;
    }

    private static byte[] Note(uint type, byte[] content, string owner = "CORE")
    {
        byte[] note = new byte[12 + 8 + (content.Length + 3 & ~3)];
        BinaryPrimitives.WriteUInt32LittleEndian(note, (uint)owner.Length + 1);
        BinaryPrimitives.WriteUInt32LittleEndian(note.AsSpan(4), (uint)content.Length);
        BinaryPrimitives.WriteUInt32LittleEndian(note.AsSpan(8), type);
        Encoding.ASCII.GetBytes(owner).CopyTo(note, 12);
        content.CopyTo(note, 20);
        return note;
    }

    private static byte[] Segment(uint type, int offset, ulong address, int fileSize, ulong memorySize) =>
        [.. BitConverter.GetBytes(type), 0, 0, 0, 0, .. Words((ulong)offset, address, 0, (ulong)fileSize, memorySize, 0)];

    private ElfCoreFile Open(byte[] bytes)
    {
        File.WriteAllBytes(_path, bytes);
        return ElfCoreFile.Open(_path);
    }
}
