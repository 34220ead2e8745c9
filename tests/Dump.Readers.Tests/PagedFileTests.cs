using Dump.Readers.Files;

namespace Dump.Readers.Tests;

/// <summary>Random access by pages gives the bytes of the file wherever and by how many threads it is asked, and says when they are gone.</summary>
public sealed class PagedFileTests : IDisposable
{
    private const int Size = 20_000_123;
    private readonly string _path = Path.GetTempFileName();
    private readonly byte[] _bytes = new byte[Size];

    public PagedFileTests()
    {
        new Random(7).NextBytes(_bytes);
        File.WriteAllBytes(_path, _bytes);
    }

    [Fact]
    public void Bytes_are_those_of_the_file()
    {
        using PagedFile file = Open();
        Parallel.For(0, 4, seed =>
        {
            Random random = new(seed);
            byte[] read = new byte[200_000];
            for (int i = 0; i < 2_000; i++)
            {
                int offset = random.Next(Size), length = random.Next(i % 10 == 0 ? read.Length : 64);
                int count = file.Read(offset, read.AsSpan(0, length));
                Assert.Equal(Math.Min(length, Size - offset), count);
                Assert.True(read.AsSpan(0, count).SequenceEqual(_bytes.AsSpan(offset, count)), $"{length} bytes at {offset}");
            }
        });
    }

    [Fact]
    public void Outside_of_the_file_is_nothing()
    {
        using PagedFile file = Open();
        byte[] read = new byte[8];
        Assert.Equal(0, file.Read(-1, read));
        Assert.Equal(0, file.Read(Size, read));
        Assert.Equal(0, file.Read(long.MaxValue, read));
        Assert.Equal(3, file.Read(Size - 3, read));
        Assert.Equal(0, file.Read(5, []));
    }

    [Theory]
    [InlineData(64)]
    [InlineData(100_000)]
    public void Cut_file_is_said_to_be_one(int length)
    {
        using PagedFile file = Open();
        byte[] read = new byte[length];
        Assert.Equal(length, file.Read(0, read));
        using (FileStream cut = new(_path, FileMode.Open, FileAccess.Write, FileShare.ReadWrite))
        {
            cut.SetLength(10_000_000);
        }

        Assert.Contains("became shorter", Assert.Throws<InvalidDumpException>(() => file.Read(Size - length, read)).Message, StringComparison.Ordinal);
        Assert.Equal(length, file.Read(5_000_000, read));
    }

    public void Dispose() => File.Delete(_path);

    private PagedFile Open() => new(RegularFile.OpenHandle(_path), Size, "test");
}
