using Dump.Readers.Files;

namespace Dump.Readers.Tests;

/// <summary>Reads through kept pages give what the stream has, wherever they begin and end.</summary>
public sealed class PagedStreamTests
{
    private const int Length = 70_001;
    private const int Cut = 50_000;
    private static readonly byte[] s_content = [.. Enumerable.Range(0, Length).Select(i => (byte)(i * 7 + (i >> 8)))];

    [Theory]
    [InlineData(0, 16)]
    [InlineData(4_090, 16)] // over the end of a page
    [InlineData(4_095, 4_095)]
    [InlineData(4_096, 4_096)]
    [InlineData(100, 20_000)]
    [InlineData(Length - 5, 5)]
    [InlineData(Length - 5, 100)]
    [InlineData(Length - 5, 10_000)]
    [InlineData(Length, 1)]
    [InlineData(Length + 9_000, 8)]
    [InlineData(12, 0)]
    public void Bytes_are_those_of_the_stream_and_the_position_is_behind_them(int from, int count)
    {
        using PagedStream stream = new(new MemoryStream(s_content));
        byte[] expected = s_content[Math.Min(from, Length)..Math.Min(from + count, Length)];
        for (int again = 0; again < 2; again++)
        {
            byte[] buffer = new byte[count];
            stream.Position = from;
            int read = stream.Read(buffer);
            Assert.Equal(expected, buffer[..read]);
            Assert.Equal(from + read, stream.Position);
        }
    }

    [Fact]
    public void Many_places_in_any_order_are_right()
    {
        // More pages than are kept.
        const int Large = 40 << 20;
        byte[] content = GC.AllocateUninitializedArray<byte>(Large);
        new Random(11).NextBytes(content);
        using PagedStream stream = new(new MemoryStream(content));
        Random places = new(12);
        byte[] buffer = new byte[3_000];
        for (int i = 0; i < 40_000; i++)
        {
            int from = places.Next(Large), count = places.Next(1, buffer.Length);
            stream.Position = from;
            int read = stream.Read(buffer, 0, count);
            Assert.Equal(Math.Min(count, Large - from), read);
            Assert.True(content.AsSpan(from, read).SequenceEqual(buffer.AsSpan(0, read)));
        }
    }

    [Fact]
    public void Stream_that_ends_early_gives_what_there_is()
    {
        using CutStream content = new(s_content);
        using PagedStream stream = new(content);
        byte[] buffer = new byte[200];
        stream.Position = Cut - 10;
        content.End = Cut;
        Assert.Equal(10, stream.Read(buffer));
        Assert.Equal(0, stream.Read(buffer));
    }

    [Fact]
    public void Page_whose_reading_failed_is_read_again()
    {
        using CutStream content = new(s_content) { Fails = true };
        using PagedStream stream = new(content);
        byte[] buffer = new byte[4];
        Assert.Throws<IOException>(() => stream.Read(buffer));
        content.Fails = false;
        Assert.Equal(4, stream.Read(buffer));
        Assert.Equal(s_content[..4], buffer);
    }

    private sealed class CutStream(byte[] content) : SeekableReadOnlyStream
    {
        public bool Fails { get; set; }

        public int End { get; set; } = content.Length;

        public override long Length => content.Length;

        public override int Read(Span<byte> buffer)
        {
            int count = Fails ? throw new IOException("the disk is gone") : (int)Math.Clamp(End - Position, 0, buffer.Length);
            content.AsSpan((int)Position, count).CopyTo(buffer);
            Position += count;
            return count;
        }
    }
}
