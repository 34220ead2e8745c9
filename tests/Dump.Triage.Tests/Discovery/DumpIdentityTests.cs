using Dump.Testing;
using Dump.Triage.Discovery;

namespace Dump.Triage.Tests.Discovery;

/// <summary>Identity by content: the same however it is read, another for another content.</summary>
public sealed class DumpIdentityTests : IDisposable
{
    private const int MiB = 1 << 20;
    private readonly string _path = Path.GetTempFileName();

    public static TheoryData<int> Sizes =>
    [
        0, 1, 4095, MiB - 1, MiB, MiB + 1, MiB + (16 << 10) - 1, MiB + (16 << 10), (2 * MiB) - 1, 2 * MiB, (3 * MiB) + 12345, (9 * MiB) + 7,
    ];

    [Theory]
    [MemberData(nameof(Sizes))]
    public void File_and_stream_have_the_same(int size)
    {
        File.WriteAllBytes(_path, TriageFolder.PretendBytes(1, Math.Max(size, 4))[..size]);
        using FileStream stream = File.OpenRead(_path);
        Assert.Equal(DumpIdentity.OfFile(_path, out long fileSize), DumpIdentity.OfStream(new Dripping(stream), out long streamSize));
        Assert.Equal((size, size), (fileSize, streamSize));
    }

    [Theory]
    [InlineData(0)]
    [InlineData(MiB - 1)]
    [InlineData(2 * MiB)]
    [InlineData(4 * MiB)]
    [InlineData((4 * MiB) + (4 * MiB / 16 * 5) + 100)]
    [InlineData((8 * MiB) - 1)]
    public void Another_byte_gives_another(int at)
    {
        byte[] bytes = TriageFolder.PretendBytes(1, 8 * MiB);
        File.WriteAllBytes(_path, bytes);
        string before = DumpIdentity.OfFile(_path, out _);
        bytes[at] ^= 1;
        File.WriteAllBytes(_path, bytes);
        Assert.NotEqual(before, DumpIdentity.OfFile(_path, out _));
    }

    [Fact]
    public void Zeros_of_another_number_are_another()
    {
        using (FileStream file = File.OpenWrite(_path))
        {
            file.SetLength(5 * MiB);
        }

        string before = DumpIdentity.OfFile(_path, out _);
        using (FileStream file = File.OpenWrite(_path))
        {
            file.SetLength((5 * MiB) + 1);
        }

        Assert.NotEqual(before, DumpIdentity.OfFile(_path, out _));
    }

    [SkippableFact]
    public void Hundred_gigabytes_of_holes_are_not_read()
    {
        Skip.IfNot(OperatingSystem.IsLinux(), "files with holes are made on Linux only");
        using (FileStream file = File.OpenWrite(_path))
        {
            file.SetLength(100L << 30);
        }

        TimeSpan start = ThreadClock.Now;
        DumpIdentity.OfFile(_path, out long size);
        Assert.Equal(100L << 30, size);
        Assert.InRange(ThreadClock.Now - start, TimeSpan.Zero, TimeSpan.FromSeconds(10));
    }

    public void Dispose() => File.Delete(_path);

    /// <summary>Gives a few bytes at a time, as decompressors do.</summary>
    private sealed class Dripping(Stream inner) : MemoryStream
    {
        public override int Read(Span<byte> buffer) => inner.Read(buffer[..Math.Min(buffer.Length, 4097)]);
    }
}
