using Dump.Model.Process;
using Dump.Readers.Minidump;
using Dump.Testing.Synthetic;

namespace Dump.Readers.Tests.Minidump;

/// <summary>
/// A stream that is shorter than its structure is as good as none: what it would say is unknown, not empty. Sizes are those of minidumpapiset.h.
/// </summary>
public sealed class ShortStreamTests
{
    private static readonly Dictionary<uint, Func<MinidumpFile, object?>> s_optional = new()
    {
        [6] = dump => dump.Exception,
        [12] = dump => dump.Handles,
        [14] = dump => dump.UnloadedModules,
        [15] = dump => dump.MiscInfo,
        [16] = dump => dump.MemoryRegions,
        [17] = dump => dump.ThreadInfos,
        [24] = dump => dump.ThreadNames,
    };

    [Theory]
    [InlineData(6, 168)]
    [InlineData(12, 16)]
    [InlineData(14, 12)]
    [InlineData(15, 24)]
    [InlineData(16, 16)]
    [InlineData(17, 12)]
    [InlineData(24, 4)]
    public void A_stream_one_byte_too_short_is_absent(uint type, int size)
    {
        using MinidumpFile whole = MinidumpFile.FromBytes(With(type, new byte[size]));
        Assert.NotNull(s_optional[type](whole));
        Assert.Empty(whole.Problems);

        using MinidumpFile cut = MinidumpFile.FromBytes(With(type, new byte[size - 1]));
        Assert.Null(s_optional[type](cut));
        Assert.Contains($"has {size - 1} of at least {size} bytes", Assert.Single(cut.Problems).Message, StringComparison.Ordinal);
    }

    [Theory]
    [InlineData(4, 4)]
    [InlineData(5, 4)]
    [InlineData(9, 16)]
    [InlineData(13, 24)]
    public void A_list_one_byte_too_short_has_no_entries_and_a_problem(uint type, int size)
    {
        // All ones would be four billion entries if the count were read over the stream's end.
        byte[] content = [.. Enumerable.Repeat((byte)0xFF, size - 1)];
        using MinidumpFile dump = MinidumpFile.FromBytes(With(type, content));
        Assert.Empty(dump.ModuleList);
        Assert.Empty(dump.MemoryRanges);
        Assert.Empty(dump.FunctionTables);
        Assert.Contains($"has {size - 1} of at least {size} bytes", Assert.Single(dump.Problems).Message, StringComparison.Ordinal);
    }

    [Theory]
    [InlineData(12, 16)]
    [InlineData(14, 12)]
    [InlineData(16, 16)]
    [InlineData(17, 12)]
    public void A_list_that_declares_impossible_sizes_is_absent(uint type, int header)
    {
        byte[] content = new ByteWriter().UInt32(header).UInt32(4).UInt32(1).PadTo(200).ToArray();
        using MinidumpFile dump = MinidumpFile.FromBytes(With(type, content));
        Assert.Null(s_optional[type](dump));
        Assert.Contains("cannot be", Assert.Single(dump.Problems).Message, StringComparison.Ordinal);
    }

    [Fact]
    public void Without_system_information_nothing_can_be_analysed()
    {
        byte[] system = new ByteWriter().UInt16(9).PadTo(0x14).UInt32(2).UInt32(0).ToArray();
        using MinidumpFile enough = MinidumpFile.FromBytes(new RawMinidump().Stream(7, system).Thread().ToArray());
        Assert.Equal(ProcessorArchitecture.X64, enough.SystemInfo!.Architecture);
        InvalidDumpException error = Assert.Throws<InvalidDumpException>(
            () => MinidumpFile.FromBytes(new RawMinidump().Stream(7, system[..^1]).Thread().ToArray()));
        Assert.Contains("no system information", error.Message, StringComparison.Ordinal);
    }

    [Fact]
    public void Without_threads_nothing_can_be_analysed()
    {
        InvalidDumpException error = Assert.Throws<InvalidDumpException>(
            () => MinidumpFile.FromBytes(new RawMinidump().System().Stream(3, 1, 0, 0).ToArray()));
        Assert.Contains("no threads", error.Message, StringComparison.Ordinal);
    }

    [Fact]
    public void Problems_are_counted_up_to_a_thousand()
    {
        // Each thread names registers outside of the file.
        ByteWriter threads = new ByteWriter().UInt32(2000);
        for (int i = 0; i < 2000; i++)
        {
            threads.UInt32(4 * (i + 1)).PadTo(4 + 48 * i + 0x28).UInt32(0x4D0).UInt32(0x7FFF_0000);
        }

        using MinidumpFile dump = MinidumpFile.FromBytes(new RawMinidump().System().Stream(3, threads.ToArray()).ToArray());
        Assert.Equal(2000, dump.Threads.Count);
        Assert.Equal(1001, dump.Problems.Count);
        Assert.Contains("more than 1000 problems", dump.Problems[^1].Message, StringComparison.Ordinal);
        Assert.DoesNotContain("more than", dump.Problems[^2].Message, StringComparison.Ordinal);
    }

    private static byte[] With(uint type, byte[] content) => new RawMinidump().System().Thread().Stream(type, content).ToArray();
}
