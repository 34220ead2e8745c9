using System.Buffers.Binary;
using System.IO.Compression;
using Dump.Model.Merging;
using Dump.Testing.Fixtures;
using Dump.Triage.Archives;
using Dump.Triage.Children;
using Dump.Triage.Records;

namespace Dump.Triage.Tests.Archives;

/// <summary>Gzip files that are whole, made of several parts, cut off or damaged: what is said of them, and what is read of them all the same.</summary>
public sealed class GzipTests : IDisposable
{
    private const string Analysed = "; what there is of it was analyzed; copy or compress it again";
    private readonly TriageFolder _folder = new();
    private readonly byte[] _dump = TriageFolder.PretendBytes(1, 150_000);

    /// <summary>Parts one behind the other are one content (RFC 1952 2.2); zeros behind them are those of a tape or a disk.</summary>
    [SkippableFact]
    public void Parts_and_headers_of_all_kinds_are_one_whole_content()
    {
        RequireLinux();
        File.WriteAllBytes(_folder.At("a.gz"), [.. Packed(_dump[..70_000]), .. Packed([]), .. Packed(_dump[70_000..])]);
        File.WriteAllBytes(_folder.At("b.gz"), [.. Packed(_dump), .. new byte[512]]);
        byte[] plain = Packed(_dump);
        File.WriteAllBytes(_folder.At("c.gz"), [.. plain[..3], 0x1E, .. plain[4..10], 3, 0, 1, 2, 3, .. "name.dmp\0"u8, .. "a comment\0"u8, 0xAB, 0xCD,
            .. plain[10..]]);
        File.WriteAllBytes(_folder.At("d.dmp"), _dump);
        TriageRecord record = Assert.Single(_folder.Run(TriageFolder.FindsNothing).Records);
        Assert.Equal((150_000, "a.gz!a"), (record.Source.Size, record.Source.Text));
        Assert.Empty(_folder.Summary!.Warnings);
        Assert.Equal(3, _folder.Summary.Copies);
    }

    [SkippableFact]
    public void Many_parts_give_the_bytes_of_all()
    {
        RequireLinux();
        File.WriteAllBytes(_folder.At("blocks.dmp.gz"), [.. _dump.Chunk(977).SelectMany(Packed)]);
        Assert.Equal(Sum(_dump), Assert.Single(_folder.Run(ShowsSum).Records).Reason);
        Assert.Empty(_folder.Summary!.Warnings);
    }

    /// <summary>Parts of zeros have one trailer, and a decompressor takes several of them at a time.</summary>
    [SkippableTheory]
    [InlineData(65_280)]
    [InlineData(1_000)]
    public void Equal_parts_are_all_read(int partSize)
    {
        RequireLinux();
        byte[] content = [.. File.ReadAllBytes(Fixture.Named("cs-cycle2").Path), .. new byte[1 << 20], .. _dump[..1_000], .. new byte[300_000], .. "END"u8];
        File.WriteAllBytes(_folder.At("blocks.dmp.gz"), [.. content.Chunk(partSize).SelectMany(Packed), .. Packed([])]);
        TriageRecord record = Assert.Single(_folder.Run(ShowsSum).Records);
        Assert.Equal((content.Length, Sum(content)), (record.Source.Size, record.Reason));
        Assert.Empty(_folder.Summary!.Warnings);
    }

    [SkippableFact]
    public void Runs_of_parts_without_content_hide_nothing()
    {
        RequireLinux();
        byte[] none = [.. Enumerable.Repeat(Packed([]), 1_000).SelectMany(p => p)];
        File.WriteAllBytes(_folder.At("runs.dmp.gz"), [.. none, .. Packed(_dump[..100]), .. none, .. Packed(_dump[100..]), .. none, .. new byte[20_000]]);
        Assert.Equal(Sum(_dump), Assert.Single(_folder.Run(ShowsSum).Records).Reason);
        Assert.Empty(_folder.Summary!.Warnings);
    }

    /// <summary>The file itself, its folder, and the one of the run; what is killed leaves them as they are.</summary>
    [SkippableFact]
    public void Unpacked_dump_is_for_its_user_alone()
    {
        RequireLinux();
        File.WriteAllBytes(_folder.At("blocks.dmp.gz"), Packed(_dump));
        AnalysisProgram showsModes = TriageFolder.Script(
            """d=$(dirname "$last"); echo "dumpanalyze: $(stat -c %a "$last" "$d" "$(dirname "$d")" | tr '\n' ' ')" >&2; exit 3""");
        Assert.Equal("600 700 700", Assert.Single(_folder.Run(showsModes).Records).Reason?.Trim());
    }

    [SkippableFact]
    public void Zeros_behind_a_file_are_not_all_read()
    {
        RequireLinux();
        using FileStream file = File.Create(_folder.At("sparse.gz"));
        file.SetLength(3L << 30);
        file.Position = 0;
        Assert.Equal(GzipRest.Nothing, GzipLayout.ReadRest(file, new byte[GzipLayout.SearchSize]));
        Assert.InRange(file.Position, 1 << 20, 2 << 20);
    }

    /// <summary>The size in the trailer has 32 bits, and differences of them may be as far apart as they can: the least number has no positive one.</summary>
    [Theory]
    [InlineData(0, 0u, true)]
    [InlineData(0, 1024u, true)]
    [InlineData(0, 0x8000_0000u, false)]
    [InlineData(0x1_0000_0010, 0x10u, true)]
    public void Any_size_at_the_end_is_compared(long size, uint field, bool expected)
    {
        using FileStream file = File.Create(_folder.At("end.gz"));
        file.Write(BitConverter.GetBytes(0));
        file.Write(BitConverter.GetBytes(field));
        Assert.Equal(expected, GzipLayout.EndsWithSizeLike(file, size));
    }

    [SkippableFact]
    public void Parts_without_content_are_left_when_the_run_is_ended()
    {
        RequireLinux();
        File.WriteAllBytes(_folder.At("none.gz"), Packed([]));
        using CancellationTokenSource ended = new();
        ended.Cancel();
        using GzipContent content = new(File.OpenRead(_folder.At("none.gz")), ended.Token);
        Assert.Throws<OperationCanceledException>(() => content.ReadByte());
    }

    public static TheoryData<string, string> Flaws => new()
    {
        { "no trailer", "it is cut off: it unpacks to 150,000 bytes, and their check sum is not at its end" + Analysed },
        { "one byte less", "it is cut off: it unpacks to 150,000 bytes, and their check sum is not at its end" + Analysed },
        { "text behind", "behind its end there are 12 bytes that are not gzip data (a damaged part of it, or something that was added)" + Analysed },
        { "second header damaged", "its header is damaged" + Analysed },
        { "second header cut", "it is cut off in its header" + Analysed },
    };

    [SkippableTheory]
    [MemberData(nameof(Flaws))]
    public void What_is_wrong_is_said_plainly_and_the_rest_is_analysed(string flaw, string expected)
    {
        RequireLinux();
        byte[] packed = Packed(_dump);
        File.WriteAllBytes(_folder.At("hang.dmp.gz"), flaw switch
        {
            "no trailer" => packed[..^8],
            "one byte less" => packed[..^1],
            "text behind" => [.. packed, .. "hello, world"u8],
            "second header damaged" => [.. packed, 0x1F, 0x8B, 8, 0xE0, 0, 0, 0, 0, 0, 0],
            _ => [.. packed, 0x1F, 0x8B, 8],
        });
        TriageRecord record = Assert.Single(_folder.Run(TriageFolder.FindsNothing).Records);
        Assert.Equal((TriageOutcome.Analysed, 150_000), (record.Outcome, record.Source.Size));
        Assert.Equal(("hang.dmp.gz!hang.dmp", expected, true), Assert.Single(_folder.Summary!.Warnings.Select(w => (w.Path, w.Message, w.NotLookedAt))));
    }

    /// <summary>Any byte of such a content may be wrong: a verdict on it would be worth nothing.</summary>
    [SkippableTheory]
    [InlineData(8)]
    [InlineData(4)]
    public void Content_that_is_not_what_its_check_sum_says_is_not_analysed(int fromEnd)
    {
        RequireLinux();
        byte[] packed = Packed(_dump);
        File.WriteAllBytes(_folder.At("hang.dmp.gz"), Changed(packed, packed.Length - fromEnd));
        AssertRefused("^it is damaged: it unpacks to 150,000 bytes, and the check sum at its end is not theirs; copy or compress it again$");
    }

    [SkippableFact]
    public void Damage_in_the_middle_is_said_with_its_place()
    {
        RequireLinux();
        using (FileStream file = File.Create(_folder.At("hang.dmp.gz")))
        {
            file.Write(Packed([])[..10]);
            using DeflateStream deflate = new(file, CompressionLevel.Optimal, leaveOpen: true);
            deflate.Write(_dump);
            deflate.Flush();

            // A block of the type that does not exist.
            file.Write([0x07, 0xFF, 0xFF, 0xFF]);
        }

        AssertRefused("^its compressed data are damaged behind 1[0-9]{2},[0-9]{3} unpacked bytes; copy or compress it again$");
    }

    [SkippableTheory]
    [InlineData("hang.dmp.gz", "1F8B08000000000000030706FF00FF00", "its compressed data are damaged from the beginning on")]
    [InlineData("hang.dmp.gz", "1F8B08000000000000030706FF0000000080", "its compressed data are damaged from the beginning on")]
    [InlineData("hang.dmp.gz", "1F8B0800000000000003", "it is cut off: it unpacks to 0 bytes, and their check sum is not at its end")]
    [InlineData("hang.dmp.gz", "1F8B08", "it is cut off in its header")]
    [InlineData("hang.dmp.gz", "1F8B08E0000000000003", "its header is damaged")]
    public void Dump_of_which_nothing_can_be_had_has_one_line(string name, string content, string expected)
    {
        RequireLinux();
        File.WriteAllBytes(_folder.At(name), Convert.FromHexString(content));
        TriageRecord record = Assert.Single(_folder.Run(TriageFolder.FindsNothing).Records);
        Assert.Equal((TriageOutcome.Refused, $"{expected}; copy or compress it again"), (record.Outcome, record.Reason));
        Assert.Empty(_folder.Summary!.Warnings);
        File.Move(_folder.At(name), _folder.At("unknown.gz"));
        _folder.Run(TriageFolder.FindsNothing);
        Assert.Equal($"{expected}, so it cannot be told whether it holds a dump; copy or compress it again", Assert.Single(_folder.Summary.Warnings).Message);
    }

    [SkippableFact]
    public void Damaged_file_that_holds_something_else_is_of_no_interest()
    {
        RequireLinux();
        File.WriteAllBytes(_folder.At("log.gz"), Packed([.. Enumerable.Repeat("a line of a log\n"u8.ToArray(), 9_000).SelectMany(l => l)])[..200]);
        _folder.Run(TriageFolder.FindsNothing);
        Assert.Empty(_folder.Summary!.Warnings);
    }

    public void Dispose() => _folder.Dispose();

    private void AssertRefused(string expected)
    {
        TriageRecord record = Assert.Single(_folder.Run(TriageFolder.Script("exit 1")).Records);
        Assert.Matches(expected, record.Reason);
        Assert.Equal((TriageOutcome.Refused, null), (record.Outcome, record.ExitCode));
        Assert.Empty(_folder.Summary!.Warnings);
    }

    /// <summary>A program in place of the analysis, whose reason is the check sum of the dump.</summary>
    private static AnalysisProgram ShowsSum => TriageFolder.Script("""echo "dumpanalyze: $(sha256sum < "$last")" >&2; exit 3""");

    private static string Sum(byte[] content) => $"{Convert.ToHexStringLower(System.Security.Cryptography.SHA256.HashData(content))}  -";

    private static void RequireLinux() => Skip.IfNot(OperatingSystem.IsLinux(), "the stand-in for the analysis is a shell script");

    private static byte[] Packed(byte[] content)
    {
        using MemoryStream bytes = new();
        using (DeflateStream deflate = new(bytes, CompressionLevel.Optimal, leaveOpen: true))
        {
            bytes.Write([0x1F, 0x8B, 8, 0, 0, 0, 0, 0, 0, 3]);
            deflate.Write(content);
        }

        // Of nothing .NET writes nothing, where gzip writes an empty block.
        if (content.Length == 0)
        {
            bytes.Write([3, 0]);
        }

        byte[] trailer = new byte[8];
        BinaryPrimitives.WriteUInt32LittleEndian(trailer, Checksum(content));
        BinaryPrimitives.WriteUInt32LittleEndian(trailer.AsSpan(4), (uint)content.Length);
        bytes.Write(trailer);
        return bytes.ToArray();
    }

    // CRC-32 as RFC 1952 8 has it, bit by bit.
    private static uint Checksum(byte[] content)
    {
        uint state = uint.MaxValue;
        foreach (byte value in content)
        {
            state ^= value;
            for (int bit = 0; bit < 8; bit++)
            {
                state = (state >> 1) ^ ((state & 1) * 0xEDB88320);
            }
        }

        return ~state;
    }

    private static byte[] Changed(byte[] bytes, int at)
    {
        bytes[at] ^= 0x10;
        return bytes;
    }
}
