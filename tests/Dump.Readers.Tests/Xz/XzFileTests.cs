using System.Diagnostics;
using System.Globalization;
using System.Text;
using Dump.Readers.Xz;

namespace Dump.Readers.Tests.Xz;

/// <summary>Files of the program xz, unpacked as it does, and damaged ones, which never end in anything but a text or nothing.</summary>
public sealed class XzFileTests
{
    private const int Most = 8 << 20;

    // xz -9 --check=crc32 of the first forty bottles.
    private const string Packed =
        "/Td6WFoAAAFpIt42AgAhARwAAAAQz1jM4AOGAL5dABgICMfiIZiaCk5bkq/Vy14LZA3CUFHTx3ugAHf+X7adFKZE/aVpG+5SK3HLMoN6vsXCyK8WZDYt31m83NDl4RQBRD" +
        "ZQL48OV32buDe5HQyoRRTNktNJ10G4Doeb7q1I3UOkikwgX6v6m8rh+YDXqSmf8lAEXgykwjVUANetDo17++LLdU3W2G1fZRtrUy5C2Azi4OJ5u44i7Oss+hqnZIc7c1N+" +
        "mg0dfIK1oeQhkS7KSaoKc1Vq2S3oAfhFq6UAAAAws+8uAAHWAYcHAABYmpNPPjANiwIAAAAAAVla";

    [Fact]
    public void Text_is_unpacked() => Assert.Equal(Bottles(40), XzFile.Unpack(Convert.FromBase64String(Packed), Most));

    /// <summary>What is packed, and how: text, bytes without any pattern (stored chunks), both by turns, and more than one chunk holds.</summary>
    [SkippableTheory]
    [InlineData("", "-6")]
    [InlineData("bottles", "-9e")]
    [InlineData("bottles", "--lzma2=preset=6,lc=0,lp=2,pb=0,dict=64KiB")]
    [InlineData("bottles", "--lzma2=preset=6,lc=4,lp=0,pb=4,dict=4KiB")]
    [InlineData("bottles", "--lzma2=preset=6,lc=1,lp=3,pb=2")]
    [InlineData("noise", "-6")]
    [InlineData("both", "-6")]
    [InlineData("both", "--block-size=100000")]
    [InlineData("both", "--check=sha256")]
    [InlineData("both", "--check=none")]
    [InlineData("zeros", "-6")]
    public void Content_is_that_of_the_program(string kind, string option)
    {
        Skip.IfNot(File.Exists("/usr/bin/xz"), "needs xz");
        byte[] content = Content(kind);
        Assert.Equal(content, XzFile.Unpack(Run(content, option), Most));
    }

    /// <summary>Another way of packing goes before the one that is known.</summary>
    [SkippableFact]
    public void Other_filters_are_not_unpacked()
    {
        Skip.IfNot(File.Exists("/usr/bin/xz"), "needs xz");
        Assert.Null(XzFile.Unpack(Run(Bottles(40), "--x86", "--lzma2"), Most));
    }

    [Theory]
    [InlineData(1)]
    [InlineData(100)]
    public void Longer_content_than_asked_for_is_none(int most) => Assert.Null(XzFile.Unpack(Convert.FromBase64String(Packed), most));

    [Fact]
    public void Cut_file_has_no_content()
    {
        byte[] whole = Convert.FromBase64String(Packed);

        // The index and what follows say nothing of the content.
        int needed = Enumerable.Range(0, whole.Length).First(n => XzFile.Unpack(whole.AsSpan(0, n), Most) is not null);
        Assert.InRange(needed, whole.Length - 32, whole.Length);
        Assert.All(Enumerable.Range(0, needed), n => Assert.Null(XzFile.Unpack(whole.AsSpan(0, n), Most)));
    }

    /// <summary>Each byte changed in some ways, and many at once: a text of limited length or none, never an exception.</summary>
    [Fact]
    public void Damaged_file_is_some_content_or_none()
    {
        byte[] whole = Convert.FromBase64String(Packed);
        Random random = new(20);
        for (int i = 0; i < 20_000; i++)
        {
            byte[] damaged = [.. whole];
            for (int changes = i % 3 + 1; changes > 0; changes--)
            {
                damaged[random.Next(i % 2 == 0 ? 0 : 12, damaged.Length)] = (byte)random.Next(256);
            }

            Assert.InRange(XzFile.Unpack(damaged, 1 << 16)?.Length ?? 0, 0, 1 << 16);
        }
    }

    private static byte[] Bottles(int count) => Encoding.ASCII.GetBytes(string.Concat(
        Enumerable.Range(0, count).Select(i => string.Create(CultureInfo.InvariantCulture, $"{i * i % 97} bottles of beer, {i}\n"))));

    private static byte[] Content(string kind)
    {
        byte[] noise = new byte[300_000];
        new Random(5).NextBytes(noise);
        return kind switch
        {
            "bottles" => Bottles(20_000),
            "noise" => noise,
            "both" => [.. Bottles(50_000), .. noise, .. Bottles(50_000), .. noise[..70_000]],
            "zeros" => new byte[5_000_000],
            _ => [],
        };
    }

    private static byte[] Run(byte[] content, params string[] options)
    {
        using Process packer = Process.Start(new ProcessStartInfo("/usr/bin/xz", ["--compress", "--stdout", .. options])
        {
            RedirectStandardInput = true, RedirectStandardOutput = true,
        })!;
        Task writing = Task.Run(() =>
        {
            packer.StandardInput.BaseStream.Write(content);
            packer.StandardInput.Close();
        });
        using MemoryStream packed = new();
        packer.StandardOutput.BaseStream.CopyTo(packed);
        packer.WaitForExit();
        writing.GetAwaiter().GetResult();
        Assert.Equal(0, packer.ExitCode);
        return packed.ToArray();
    }
}
