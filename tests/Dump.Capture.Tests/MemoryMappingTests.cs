using Dump.Capture.Proc;
using Dump.Readers.Files;

namespace Dump.Capture.Tests;

/// <summary>Lines of <c>/proc/PID/maps</c>.</summary>
public sealed class MemoryMappingTests
{
    [Fact]
    public void Lines_become_mappings()
    {
        IReadOnlyList<MemoryMapping> mappings = MemoryMapping.Parse(
            """
            55d0a000-55d0b000 r-xp 00001000 fd:01 1234                               /opt/my app/run (deleted)
            7f0000000000-7f0000001000 rw-p 00000000 00:00 0
            7ffd0000-7ffd1000 r--p 00000000 00:00 0                                  [vvar]
            7fff0000-7ffe0000 r--p 00000000 00:00 0
            rubbish
            """,
            10);
        Assert.Equal(
            [new MemoryMapping(0x55d0a000, 0x55d0b000, 5, 0x1000, "/opt/my app/run (deleted)") { File = new FileIdentity(0xFD, 1, 1234) }, new(0x7f0000000000, 0x7f0000001000, 6, 0, ""),
                new(0x7ffd0000, 0x7ffd1000, 4, 0, "[vvar]")],
            mappings);
        Assert.Equal([true, true, false], mappings.Select(m => m.IsOrdinaryMemory));
        Assert.Equal([true, false, false], mappings.Select(m => m.IsFile));
    }

    [Theory]
    [InlineData("---p", "", false)]
    [InlineData("-w-p", "", false)]
    [InlineData("rw-s", "/dev/dri/card0", false)]
    [InlineData("rw-s", "/dev/shm/x", true)]
    [InlineData("rw-p", "[heap]", true)]
    [InlineData("rwxs", "/memfd:doublemapper (deleted)", true)]
    public void Only_ordinary_memory_is_read(string permissions, string path, bool expected) =>
        Assert.Equal(expected, Assert.Single(MemoryMapping.Parse($"1000-2000 {permissions} 00000000 00:00 0 {path}", 10)).IsOrdinaryMemory);

    [Fact]
    public void No_more_than_the_limit() => Assert.Equal(2, MemoryMapping.Parse(string.Join('\n', Enumerable.Repeat("1000-2000 r--p 0 0:0 0", 5)), 2).Count);
}
