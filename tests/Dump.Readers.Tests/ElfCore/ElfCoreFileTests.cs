using Dump.Fuzz.Targets;
using Dump.Model.Facts;
using Dump.Model.Process;
using Dump.Readers.ElfCore;
using Dump.Readers.Linux;
using Dump.Testing;
using Dump.Testing.Synthetic;

namespace Dump.Readers.Tests.ElfCore;

/// <summary>Linux cores made by hand: what is read from them, and that damaged ones end in the documented exception or in problems.</summary>
public sealed class ElfCoreFileTests : IDisposable
{
    private const int Headers = 64 + 2 * 56;
    private readonly string _path = Path.GetTempFileName();

    private static byte[] Core(string? owner = null, string file = "/usr/lib/libc.so.6", ulong programHeaders = 0) =>
        ElfCoreTarget.Small(owner, file, programHeaders);

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

    /// <summary>gdb writes the notes last: a core whose writer was interrupted has none.</summary>
    [Fact]
    public void Core_that_ends_before_its_notes_says_that_its_writer_was_interrupted()
    {
        using ElfCoreFile core = Open(Core()[..(Headers + 8)]);
        Assert.Contains("the file was cut: 2 of 2 segments", Assert.Single(core.Problems).Message, StringComparison.Ordinal);
        MissingData missing = Assert.Single(LinuxSnapshotReader.Read(core, "x.core").Missing);
        Assert.Equal(MissingKind.NotesOfCore, missing.Kind);
        Assert.Contains("gcore", missing.CaptureAdvice, StringComparison.Ordinal);
    }

    /// <summary>Without the managed half nothing is known of what a thread waits for, and nothing found would mean nothing.</summary>
    [Fact]
    public void One_frame_a_thread_does_not_count_as_stacks()
    {
        using ElfCoreFile core = Open(Core());
        Assert.False(LinuxSnapshotReader.Read(core, "core").Available.Stacks);
    }

    /// <summary>What is said of a thread names it by its id: two with one id would be told with each other's stack.</summary>
    [Fact]
    public void Of_two_threads_with_one_id_the_first_counts()
    {
        using ElfCoreFile core = Open(FakeElfCore.Of(
            [.. FakeElfCore.Thread(4711, (16, 0x7000)), .. FakeElfCore.Thread(4711, (16, 0x8000)), .. FakeElfCore.Thread(4711), .. FakeElfCore.Thread(4712)]));
        Assert.Equal([4711u, 4712u], core.Threads.Select(t => t.Id));
        Assert.Equal(0x7000UL, core.Threads[0].InstructionPointer);
        Assert.Contains("list thread 4711 twice; the first counts", Assert.Single(core.Problems).Message, StringComparison.Ordinal);
    }

    /// <summary>Cores of other processors and systems, written by them: one line says what each is.</summary>
    [SkippableTheory]
    [InlineData("1lwp_SIGSEGV.aarch64.core", "NetBSD, ARM64")]
    [InlineData("linux-i386.core", "i386, 32-bit")]
    [InlineData("linux-mips64el-gnuabi64.core", "MIPS")]
    [InlineData("linux-mipsel-gnuabio32.core", "MIPS, 32-bit")]
    [InlineData("linux-ppc64le.core", "PowerPC64")]
    [InlineData("linux-s390x.core", "s390x")]
    [InlineData("netbsd-amd64.core", "NetBSD, x64")]
    public void Cores_of_other_systems_are_named(string file, string what)
    {
        Skip.If(Corpus.Unavailable is not null, Corpus.Unavailable);
        Assert.EndsWith($": a core of another kind ({what}), which is not read; this program reads cores of x64 and ARM64 processes on Linux",
            Assert.Throws<InvalidDumpException>(() => ElfCoreFile.Open(Path.Combine(Corpus.Folder, "other-arch", file))).Message, StringComparison.Ordinal);
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
    [InlineData(4, 1, "a core of another kind (x32, 32-bit), which is not read")]
    [InlineData(5, 2, "not a core dump")]
    [InlineData(16, 3, "not a core dump")]
    [InlineData(18, 8, "a core of another kind (MIPS), which is not read; this program reads cores of x64 and ARM64 processes on Linux")]
    [InlineData(18, 3, "(i386, 32-bit)")]
    [InlineData(18, 250, "(machine 250 of the ELF format)")]
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

    private ElfCoreFile Open(byte[] bytes)
    {
        File.WriteAllBytes(_path, bytes);
        return ElfCoreFile.Open(_path);
    }
}
