using System.IO.Compression;
using Dump.Model.Merging;
using Dump.Triage.Discovery;
using Dump.Triage.Records;

namespace Dump.Triage.Tests.Archives;

/// <summary>Dumps in archives, and archives that are made to harm.</summary>
public sealed class ArchiveTests : IDisposable
{
    private readonly TriageFolder _folder = new();

    [SkippableFact]
    public void Members_of_zip_and_gzip_are_analysed_as_what_they_are()
    {
        Skip.IfNot(OperatingSystem.IsLinux(), "the stand-in for the analysis is a shell script");
        byte[] dump = TriageFolder.PretendBytes(1, 3_000_000);
        File.WriteAllBytes(_folder.At("plain.dmp"), dump);
        Gzip("packed.gz", dump);
        Zip("some.zip", ("deep/er/hang.txt", dump), ("other.dmp", TriageFolder.PretendBytes(2, 70_000)), ("readme.md", "# no dump"u8.ToArray()));

        TriageRecords records = _folder.Run(TriageFolder.FindsNothing);

        Assert.Equal(["packed.gz!packed", "some.zip!other.dmp"], records.Records.Select(r => r.Source.Text));
        Assert.All(records.Records, r => Assert.Equal(TriageOutcome.Analysed, r.Outcome));
        Assert.Equal(2, _folder.Summary!.Copies);
        Assert.Empty(_folder.Summary.Warnings);
        Assert.Equal(3_000_000, records.Records[0].Source.Size);
    }

    [SkippableFact]
    public void Unpacked_file_has_the_content_and_is_gone_afterwards()
    {
        Skip.IfNot(OperatingSystem.IsLinux(), "the stand-in for the analysis is a shell script");
        byte[] dump = TriageFolder.PretendBytes(1, 1_234_567);
        Zip("some.zip", ("a/hang.dmp", dump));
        TriageRecords records = _folder.Run(TriageFolder.Script("""echo "dumpanalyze: $(basename "$last") $(sha256sum < "$last")" >&2; exit 3"""));
        string sum = Convert.ToHexStringLower(System.Security.Cryptography.SHA256.HashData(dump));
        Assert.Equal($"hang.dmp {sum}  -", Assert.Single(records.Records).Reason);
        Assert.Empty(Directory.GetDirectories(_folder.Output, ".*"));
    }

    [SkippableTheory]
    [InlineData(0, "1 1 1 1 1")]
    [InlineData(7000, "1 2 2 2 2")]
    [InlineData(1 << 20, "1 2 3 4 5")]
    public void Unpacked_files_go_as_soon_as_they_are_analysed(int kept, string expected)
    {
        Skip.IfNot(OperatingSystem.IsLinux(), "the stand-in for the analysis is a shell script");
        Zip("some.zip", [.. Enumerable.Range(0, 5).Select(i => ($"{i}.dmp", TriageFolder.PretendBytes(i, 5000)))]);
        TriageRecords records = _folder.Run(TriageFolder.Script("""echo "dumpanalyze: $(ls "$(dirname "$(dirname "$last")")" | wc -l)" >&2; exit 3"""), o =>
            o with { Jobs = 1, Unpacking = o.Unpacking with { KeptBytes = kept } });
        Assert.Equal(expected, string.Join(' ', records.Records.Select(r => r.Reason!).Order(StringComparer.Ordinal)));
    }

    [Fact]
    public void Members_are_unpacked_while_they_are_looked_for_as_far_as_there_is_room()
    {
        byte[][] dumps = [TriageFolder.PretendBytes(1, 5000), TriageFolder.PretendBytes(2, 1_500_000), TriageFolder.PretendBytes(3, 6000),
            TriageFolder.PretendBytes(4, 7000)];
        Zip("a.zip", ("1.dmp", dumps[0]), ("2.dmp", dumps[1]), ("3.dmp", dumps[2]), ("4.dmp", dumps[3]), ("5.dmp", dumps[0]));
        UnpackLimits limits = UnpackLimits.Default with { FreeDisk = 0, KeptBytes = 1 << 20 };
        TriageOptions options = new() { Inputs = [_folder.Dumps], Output = _folder.Output, Unpacking = limits };
        string done = DumpIdentity.OfStream(new MemoryStream(dumps[3]), out _);
        using WorkFolder work = new(_folder.Output, "test", limits);
        DumpFinder finder = new(options, new RunWarnings(), null, CancellationToken.None) { Unpacking = (work, identity => identity != done) };
        string?[] unpacked = [.. finder.Find().SelectMany(d => d.Places).OrderBy(p => p.Source.Member, StringComparer.Ordinal).Select(p => p.Unpacked)];
        Assert.Equal(5, unpacked.Length);
        Assert.Equal(dumps[0], File.ReadAllBytes(unpacked[0]!));
        Assert.Equal(dumps[2], File.ReadAllBytes(unpacked[2]!));
        Assert.All([unpacked[1], unpacked[3], unpacked[4]], Assert.Null);
        Assert.Equal(2, Directory.GetFiles(_folder.Output, "*", SearchOption.AllDirectories).Length);
    }

    [SkippableTheory]
    [InlineData("../../evil.dmp", "evil.dmp")]
    [InlineData("/etc/evil.dmp", "evil.dmp")]
    [InlineData("..\\..\\evil.dmp", "evil.dmp")]
    [InlineData("a/$(reboot);\u202e.dmp", "__reboot___.dmp")]
    [InlineData("con.dmp", "_con.dmp")]
    [InlineData("-rf.dmp", "_-rf.dmp")]
    public void Name_of_a_member_is_never_a_path(string member, string expected)
    {
        Skip.IfNot(OperatingSystem.IsLinux(), "the stand-in for the analysis is a shell script");
        Zip("some.zip", (member, TriageFolder.PretendBytes(1, 5000)));
        TriageRecords records = _folder.Run(TriageFolder.Script("""echo "dumpanalyze: $last" >&2; exit 3"""));
        string path = Assert.Single(records.Records).Reason!;
        Assert.Equal(expected, Path.GetFileName(path));
        Assert.StartsWith(Path.GetFullPath(_folder.Output) + Path.DirectorySeparatorChar, Path.GetFullPath(path), StringComparison.Ordinal);
    }

    [SkippableFact]
    public void Bomb_is_a_record_and_nothing_is_unpacked()
    {
        Skip.IfNot(OperatingSystem.IsLinux(), "the stand-in for the analysis is a shell script");
        byte[] bomb = new byte[40 << 20];
        "MDMP"u8.CopyTo(bomb);
        Zip("bomb.zip", ("bomb.dmp", bomb), ("good.dmp", TriageFolder.PretendBytes(1, 5000)));
        Gzip("bomb.gz", bomb);

        TriageRecords records = _folder.Run(TriageFolder.FindsNothing);

        Assert.Empty(_folder.Summary!.Warnings);
        Assert.Equal(["bomb.gz!bomb", "bomb.zip!bomb.dmp", "bomb.zip!good.dmp"], records.Records.Select(r => r.Source.Text));
        Assert.Equal([TriageOutcome.Refused, TriageOutcome.Refused, TriageOutcome.Analysed], records.Records.Select(r => r.Outcome));
        Assert.Contains("an archive bomb?", records.Records[1].Reason, StringComparison.Ordinal);
    }

    [SkippableFact]
    public void Many_members_together_have_a_limit_too()
    {
        Skip.IfNot(OperatingSystem.IsLinux(), "the stand-in for the analysis is a shell script");
        Zip("many.zip", [.. Enumerable.Range(0, 8).Select(i =>
        {
            byte[] zeros = new byte[3 << 20];
            TriageFolder.PretendBytes(i, 100).CopyTo(zeros, 0);
            return ($"{i}.dmp", zeros);
        })]);
        TriageRecords records = _folder.Run(TriageFolder.FindsNothing);
        Assert.Equal(8, records.Records.Length);
        Assert.Equal(5, records.Records.Count(r => r.Outcome == TriageOutcome.Analysed));
        Assert.All(records.Records.Skip(5), r => Assert.Contains("an archive bomb?", r.Reason, StringComparison.Ordinal));
    }

    [SkippableFact]
    public void File_named_twice_is_no_copy()
    {
        Skip.IfNot(OperatingSystem.IsLinux(), "the stand-in for the analysis is a shell script");
        Zip("a.zip", ("a.dmp", TriageFolder.PretendBytes(1, 5000)));
        string plain = _folder.Pretend("b.dmp", 2);
        _folder.Run(TriageFolder.FindsNothing, o => o with { Inputs = [_folder.Dumps, plain, _folder.At("a.zip")] });
        Assert.Equal((2, 0), (_folder.Summary!.Counts.Records, _folder.Summary.Copies));
    }

    [SkippableFact]
    public void Damaged_encrypted_and_nested_archives_are_named()
    {
        Skip.IfNot(OperatingSystem.IsLinux(), "the stand-in for the analysis is a shell script");
        byte[] dump = TriageFolder.PretendBytes(1, 50_000);
        Zip("cut.zip", ("a.dmp", dump));
        File.WriteAllBytes(_folder.At("cut.zip"), File.ReadAllBytes(_folder.At("cut.zip"))[..30_000]);
        Zip("encrypted.zip", ("a.dmp", dump));
        Encrypt(_folder.At("encrypted.zip"));
        Gzip("inner.gz", dump);
        Zip("outer.zip", ("inner.gz", File.ReadAllBytes(_folder.At("inner.gz"))));
        File.Delete(_folder.At("inner.gz"));
        Gzip("cut.dmp.gz", dump);
        File.WriteAllBytes(_folder.At("cut.dmp.gz"), File.ReadAllBytes(_folder.At("cut.dmp.gz"))[..20_000]);

        TriageRecords records = _folder.Run(TriageFolder.FindsNothing);

        Assert.Equal(["cut.dmp.gz!cut.dmp", "cut.zip", "encrypted.zip!a.dmp", "outer.zip!inner.gz"], _folder.Summary!.Warnings.Select(w => w.Path));
        Assert.Equal(4, _folder.Summary.Counts.NotLookedAt);
        Assert.Contains("it is cut off: ", _folder.Summary.Warnings[0].Message, StringComparison.Ordinal);
        TriageRecord cut = Assert.Single(records.Records);
        Assert.Equal("cut.dmp.gz!cut.dmp", cut.Source.Text);
        Assert.InRange(cut.Source.Size!.Value, 10_000, 20_000);
    }

    [SkippableFact]
    public void Member_that_is_not_what_its_check_sum_says_is_named()
    {
        Skip.IfNot(OperatingSystem.IsLinux(), "the stand-in for the analysis is a shell script");
        byte[] dump = TriageFolder.PretendBytes(1, 50_001);
        foreach (string name in (string[])["good.zip", "bad.zip"])
        {
            using ZipArchive zip = new(File.Create(_folder.At(name)), ZipArchiveMode.Create);
            using Stream stream = zip.CreateEntry("a.dmp", CompressionLevel.NoCompression).Open();
            stream.Write(dump);
        }

        byte[] bad = File.ReadAllBytes(_folder.At("bad.zip"));
        bad[30_000] ^= 0x10;
        File.WriteAllBytes(_folder.At("bad.zip"), bad);
        TriageRecords records = _folder.Run(TriageFolder.FindsNothing);
        Assert.Equal(["bad.zip!a.dmp", "good.zip!a.dmp"], records.Records.Select(r => r.Source.Text));
        Assert.Equal([TriageOutcome.Refused, TriageOutcome.Analysed], records.Records.Select(r => r.Outcome));
        Assert.Equal("it is damaged: its content is not what the archive's check sum says; copy or compress it again", records.Records[0].Reason);
        Assert.Empty(_folder.Summary!.Warnings);
    }

    [SkippableFact]
    public void Archives_that_are_not_opened_are_named_wherever_they_lie()
    {
        Skip.IfNot(OperatingSystem.IsLinux(), "the stand-in for the analysis is a shell script");
        byte[] xz = [0xFD, 0x37, 0x7A, 0x58, 0x5A, 0, 0, 4];
        File.WriteAllBytes(_folder.At("core.1234"), xz);
        Zip("outer.zip", ("inner", xz));
        File.WriteAllBytes(_folder.At("unpacks-itself.zip"), "MZ"u8.ToArray());
        _folder.Pretend("good.dmp");
        _folder.Run(TriageFolder.FindsNothing);
        Assert.Equal(["core.1234", "outer.zip!inner", "unpacks-itself.zip"], _folder.Summary!.Warnings.Select(w => w.Path));
        Assert.Equal((1, 3), (_folder.Summary.Counts.Records, _folder.Summary.Counts.NotLookedAt));
        Assert.Contains("\"notLookedAt\": 3,", File.ReadAllText(Path.Combine(_folder.Output, "summary.json")), StringComparison.Ordinal);
    }

    [SkippableFact]
    public void Table_of_too_many_members_is_not_read()
    {
        Skip.IfNot(OperatingSystem.IsLinux(), "the stand-in for the analysis is a shell script");
        Zip("many.zip", [.. Enumerable.Range(0, 50).Select(i => ($"{i}.dmp", TriageFolder.PretendBytes(i, 100)))]);
        _folder.Run(TriageFolder.FindsNothing, o => o with { Unpacking = o.Unpacking with { Members = 49 } });
        Assert.Equal("it has 50 members; no more than 49 are read", Assert.Single(_folder.Summary!.Warnings).Message);
        _folder.Run(TriageFolder.FindsNothing, o => o with { Unpacking = o.Unpacking with { DirectoryBytes = 1000 } });
        Assert.StartsWith("its table of members takes ", Assert.Single(_folder.Summary!.Warnings).Message, StringComparison.Ordinal);
    }

    [SkippableFact]
    public void Without_room_on_the_disk_nothing_is_unpacked_and_the_next_run_tries_again()
    {
        Skip.IfNot(OperatingSystem.IsLinux(), "the stand-in for the analysis is a shell script");
        Zip("some.zip", ("a.dmp", TriageFolder.PretendBytes(1, 5000)));
        TriageRecords full = _folder.Run(TriageFolder.FindsNothing, o => o with { Unpacking = o.Unpacking with { FreeDisk = 1L << 60 } });
        Assert.Equal(TriageOutcome.Refused, Assert.Single(full.Records).Outcome);
        Assert.Equal(TriageOutcome.Analysed, Assert.Single(_folder.Run(TriageFolder.FindsNothing).Records).Outcome);
    }

    public void Dispose() => _folder.Dispose();

    private void Gzip(string name, byte[] content)
    {
        using GZipStream gzip = new(File.Create(_folder.At(name)), CompressionLevel.Optimal);
        gzip.Write(content);
    }

    private void Zip(string name, params (string Name, byte[] Content)[] members)
    {
        using ZipArchive zip = new(File.Create(_folder.At(name)), ZipArchiveMode.Create);
        foreach ((string member, byte[] content) in members)
        {
            using Stream stream = zip.CreateEntry(member, CompressionLevel.Optimal).Open();
            stream.Write(content);
        }
    }

    // Bit 0 of the general flags, in the local header (offset 6) and in the table of members (offset 8).
    private static void Encrypt(string path)
    {
        byte[] bytes = File.ReadAllBytes(path);
        for (int i = 0; i + 10 < bytes.Length; i++)
        {
            if (bytes.AsSpan(i).StartsWith("PK\x03\x04"u8))
            {
                bytes[i + 6] |= 1;
            }
            else if (bytes.AsSpan(i).StartsWith("PK\x01\x02"u8))
            {
                bytes[i + 8] |= 1;
            }
        }

        File.WriteAllBytes(path, bytes);
    }
}
