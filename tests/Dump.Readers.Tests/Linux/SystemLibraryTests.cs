using Dump.Readers.ElfCore;
using Dump.Readers.Linux;
using Dump.Readers.Tests.Unwinding;

namespace Dump.Readers.Tests.Linux;

/// <summary>The library that the kernel maps: its extent by its own headers, within limits.</summary>
public sealed class SystemLibraryTests
{
    private const ulong At = 0x7fff_0000_0000;

    [Fact]
    public void Extent_is_that_of_its_first_segment() =>
        Assert.Equal(new ElfMappedFile(At, At + 0x1abc, 0, "[vdso]"), SystemLibrary.Find(Memory(1, 0x1abc), At));

    /// <summary>No segment to load, and sizes that it never has.</summary>
    [Theory]
    [InlineData(2u, 0x1000ul)]
    [InlineData(1u, 0ul)]
    [InlineData(1u, 0x10001ul)]
    [InlineData(1u, ulong.MaxValue)]
    public void Headers_that_do_not_fit_are_none(uint type, ulong size) => Assert.Null(SystemLibrary.Find(Memory(type, size), At));

    [Fact]
    public void Without_an_address_or_memory_there_is_none()
    {
        Assert.Null(SystemLibrary.Find(Memory(1, 0x1000), null));
        Assert.Null(SystemLibrary.Find(Memory(1, 0x1000), At + 0x1000));
        Assert.Null(SystemLibrary.Find(null, At));
        Assert.Null(SystemLibrary.Find(Memory(1, 0x1000), ulong.MaxValue));
    }

    private static SparseMemory Memory(uint type, ulong size)
    {
        byte[] bytes = new byte[0x200];
        "\u007fELF"u8.CopyTo(bytes);
        BitConverter.TryWriteBytes(bytes.AsSpan(32), 64ul);
        BitConverter.TryWriteBytes(bytes.AsSpan(56), (ushort)1);
        BitConverter.TryWriteBytes(bytes.AsSpan(64), type);
        BitConverter.TryWriteBytes(bytes.AsSpan(64 + 40), size);
        return new SparseMemory().Write(At, bytes);
    }
}
