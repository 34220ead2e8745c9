using System.Runtime.InteropServices;
using System.Runtime.Versioning;
using Dump.Capture.Core;
using Dump.Capture.Proc;
using Dump.Readers;

namespace Dump.Capture.Tests;

/// <summary>Memory is what it was when it was copied; code and constants are read later, and whether they were still those is checked.</summary>
[SupportedOSPlatform("linux")]
public sealed unsafe class CopiedMemoryTests : IDisposable
{
    private const int PageSize = 4096;
    private const int Pages = 64;
    private const long Most = 64 << 20;
    private readonly byte* _block = (byte*)NativeMemory.AlignedAlloc(Pages * PageSize, PageSize);

    private ulong Start => (ulong)_block;

    private MemoryMapping Own => new(Start, Start + (Pages * PageSize), 6, 0, "");

    [Fact]
    public void Content_is_that_of_the_moment()
    {
        new Span<byte>(_block, Pages * PageSize).Fill(1);
        using CopiedMemory copy = Taken([Own])!;
        new Span<byte>(_block, Pages * PageSize).Fill(2);
        byte[] read = new byte[3 * PageSize];
        Assert.Equal(read.Length, copy.Read(Start + 100, read));
        Assert.All(read, b => Assert.Equal(1, b));
    }

    [Fact]
    public void Reads_end_where_mappings_do()
    {
        new Span<byte>(_block, Pages * PageSize).Fill(1);
        MemoryMapping[] two = [Own with { End = Start + (2 * PageSize) }, Own with { Start = Start + (2 * PageSize), End = Start + (4 * PageSize) }];
        using CopiedMemory copy = Taken(two)!;
        byte[] read = new byte[8 * PageSize];
        Assert.Equal(4 * PageSize, copy.Read(Start, read));
        Assert.Equal(PageSize - 1, copy.Read(Start + (3 * PageSize) + 1, read));
        Assert.Equal(0, copy.Read(Start + (4 * PageSize), read));
        Assert.Equal(0, copy.Read(0, read));
        Assert.Equal(0, copy.Read(ulong.MaxValue, read));
    }

    [Fact]
    public void Pages_that_were_never_touched_are_zero_and_take_nothing()
    {
        const long Large = 1L << 30;
        byte* reserved = (byte*)Map(0, (nuint)Large, 3, 0x22 | 0x4000, -1, 0);
        Assert.NotEqual(-1, (nint)reserved);
        try
        {
            reserved[10 * PageSize] = 7;
            reserved[Large - 1] = 8;
            using CopiedMemory copy = Taken([new MemoryMapping((ulong)reserved, (ulong)reserved + Large, 6, 0, "")])!;
            byte[] read = new byte[30 * PageSize];
            Assert.Equal(read.Length, copy.Read((ulong)reserved, read));
            Assert.Equal([10 * PageSize], Enumerable.Range(0, read.Length).Where(i => read[i] != 0));
            Assert.Equal(100, copy.Read((ulong)reserved + Large - 100, read));
            Assert.Equal([.. new byte[99], 8], read[..100]);
        }
        finally
        {
            Assert.Equal(0, Unmap((nint)reserved, (nuint)Large));
        }
    }

    [Fact]
    public void More_than_the_limit_is_not_copied()
    {
        new Span<byte>(_block, Pages * PageSize).Fill(1);
        Assert.Null(Taken([Own], (Pages * PageSize) - 1));
        Assert.Null(Taken([Own], 0));
        Taken([Own], Pages * PageSize)!.Dispose();
    }

    [Fact]
    public void Process_that_cannot_be_read_is_not_copied() =>
        Assert.Null(CopiedMemory.Take(int.MaxValue, [Own], new Nothing(), Most));

    [Fact]
    public void Memory_that_cannot_be_read_whole_is_not_copied()
    {
        new Span<byte>(_block, Pages * PageSize).Fill(1);
        Assert.Null(CopiedMemory.Take(Environment.ProcessId, [Own], new Nothing(), Most));
    }

    [Fact]
    public void Code_of_files_is_read_late_and_must_still_be_there()
    {
        MemoryMapping code = Own with { Flags = 5, Path = "/opt/app" }, other = code with { Start = code.End, End = code.End + PageSize };
        using CopiedMemory copy = Taken([code, other])!;
        new Span<byte>(_block, Pages * PageSize).Fill(3);
        byte[] read = new byte[16];
        Assert.True(copy.IsStillTrue([]));
        Assert.Equal(16, copy.Read(Start, read));
        Assert.All(read, b => Assert.Equal(3, b));
        Assert.True(copy.IsStillTrue([code]));
        Assert.True(copy.IsStillTrue([code with { Start = 0x1000, End = 0x2000 }, code, other]));
        Assert.False(copy.IsStillTrue([]));
        Assert.False(copy.IsStillTrue([other]));
        Assert.False(copy.IsStillTrue([code with { Path = "/opt/another" }, other]));
        Assert.False(copy.IsStillTrue([code with { Flags = 7 }, other]));
    }

    [Theory]
    [InlineData("r--p", "/lib/libc.so", false)]
    [InlineData("r--s", "/opt/app.dll", false)]
    [InlineData("rw-p", "/lib/libc.so", true)]
    [InlineData("r--p", "", true)]
    [InlineData("rw-p", "[heap]", true)]
    [InlineData("r-xs", "/memfd:doublemapper (deleted)", true)]
    [InlineData("r--s", "/dev/shm/queue", true)]
    [InlineData("r--s", "/SYSV00000000 (deleted)", true)]
    public void Memory_that_may_change_is_copied(string permissions, string path, bool expected) =>
        Assert.Equal(expected, Assert.Single(MemoryMapping.Parse($"1000-2000 {permissions} 00000000 00:00 0 {path}", 10)).MayChange);

    public void Dispose() => NativeMemory.AlignedFree(_block);

    private static CopiedMemory? Taken(MemoryMapping[] mappings, long most = Most) =>
        CopiedMemory.Take(Environment.ProcessId, mappings, new ProcessMemory(Environment.ProcessId), most);

    [DllImport("libc", EntryPoint = "mmap")]
    private static extern nint Map(nint address, nuint length, int protection, int flags, int file, long offset);

    [DllImport("libc", EntryPoint = "munmap")]
    private static extern int Unmap(nint address, nuint length);

    private sealed class Nothing : IMemory
    {
        public int Read(ulong address, Span<byte> destination) => 0;
    }
}
