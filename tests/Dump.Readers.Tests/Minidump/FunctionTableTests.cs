using Dump.Readers.Minidump;
using Dump.Testing.Synthetic;

namespace Dump.Readers.Tests.Minidump;

/// <summary>
/// The FunctionTable stream as MINIDUMP_FUNCTION_TABLE_STREAM and MINIDUMP_FUNCTION_TABLE_DESCRIPTOR document it: a header and padding; then, for each table,
/// the descriptor, the system's own descriptor, the entries and padding.
/// </summary>
public sealed class FunctionTableTests
{
    private const int Native = 0x18;
    private const int Entry = 12;

    [Theory]
    [InlineData(24, 32, 0)]
    [InlineData(24, 32, 8)]
    [InlineData(32, 40, 4)]
    public void Tables_stand_one_behind_the_other(int header, int descriptor, int padding)
    {
        ByteWriter stream = Header(header, descriptor, 2, padding);
        int first = Table(stream, descriptor, 0x1000, 0x1FFF, 0x800, entries: 3, padding: 4);
        int second = Table(stream, descriptor, 0x5000, 0x5100, 0x5000, entries: 1, padding: 0);
        using MinidumpFile dump = Read(stream);
        Assert.Empty(dump.Problems);
        long start = dump.Streams.Single(s => s.Type == 13).Range.Offset;
        Assert.Equal(
            [
                new MinidumpFunctionTable(0x1000, 0x1FFF, 0x800, 3, new FileRange(start + first, 3 * Entry)),
                new MinidumpFunctionTable(0x5000, 0x5100, 0x5000, 1, new FileRange(start + second, Entry)),
            ],
            dump.FunctionTables);
    }

    [Fact]
    public void Entries_that_the_stream_has_no_room_for_are_left_out()
    {
        ByteWriter stream = Header(24, 32, 1, 0);
        Table(stream, 32, 0x1000, 0x1FFF, 0x800, entries: 2, padding: 0, claimed: uint.MaxValue);
        using MinidumpFile dump = Read(stream);
        Assert.Equal(2u, Assert.Single(dump.FunctionTables).EntryCount);
        Assert.Single(dump.Problems);
    }

    [Fact]
    public void Padding_that_leads_out_of_the_stream_ends_the_tables()
    {
        ByteWriter stream = Header(24, 32, 2, 0);
        Table(stream, 32, 0x1000, 0x1FFF, 0x800, entries: 10, padding: uint.MaxValue);
        using MinidumpFile dump = Read(stream);
        Assert.Single(dump.FunctionTables);
        Assert.Contains("ends after 1 of 2 tables", Assert.Single(dump.Problems).Message, StringComparison.Ordinal);
    }

    [Theory]
    [InlineData(23u, 32u, 12u)]
    [InlineData(24u, 31u, 12u)]
    [InlineData(24u, 0xFFFF_FFFFu, 12u)]
    [InlineData(24u, 32u, 0u)]
    [InlineData(24u, 32u, 0xFFFF_FFFFu)]
    public void Sizes_that_cannot_be_are_declined(uint header, uint descriptor, uint entry)
    {
        ByteWriter stream = new ByteWriter().UInt32(header).UInt32(descriptor).UInt32(Native).UInt32(entry).UInt32(1).UInt32(0).PadTo(500);
        using MinidumpFile dump = Read(stream);
        Assert.Empty(dump.FunctionTables);
        Assert.Contains("sizes that cannot be", Assert.Single(dump.Problems).Message, StringComparison.Ordinal);
    }

    [Fact]
    public void A_claim_of_four_billion_tables_is_cut_to_the_room_there_is()
    {
        ByteWriter stream = Header(24, 32, uint.MaxValue, 0);
        Table(stream, 32, 0x1000, 0x1FFF, 0x800, entries: 1, padding: 0);
        using MinidumpFile dump = Read(stream);
        Assert.Single(dump.FunctionTables);
        Assert.NotEmpty(dump.Problems);
    }

    private static MinidumpFile Read(ByteWriter stream) => MinidumpFile.FromBytes(new RawMinidump().System().Thread().Stream(13, stream.ToArray()).ToArray());

    private static ByteWriter Header(int header, int descriptor, uint count, int padding)
    {
        ByteWriter stream = new ByteWriter().UInt32(header).UInt32(descriptor).UInt32(Native).UInt32(Entry).UInt32(count).UInt32(padding);
        return stream.PadTo(header + padding);
    }

    private static int Table(ByteWriter stream, int descriptor, ulong minimum, ulong maximum, ulong baseAddress, int entries, uint padding, uint? claimed =
        null)
    {
        int start = stream.Length;
        stream.UInt64(minimum).UInt64(maximum).UInt64(baseAddress).UInt32(claimed ?? (uint)entries).UInt32(padding).PadTo(start + descriptor);
        int at = stream.PadTo(stream.Length + Native).Length;
        stream.PadTo(at + entries * Entry).PadTo(at + entries * Entry + (padding < 0x100 ? (int)padding : 0));
        return at;
    }
}
