using System.IO.Compression;
using System.Runtime.Versioning;

namespace Dump.Triage.Tests.Watching;

/// <summary>What a watch could not look at is said as long as it is so, and what is no dump keeps no run from its end.</summary>
[SupportedOSPlatform("linux")]
public sealed class WatchGapsTests : WatchTest
{
    private string Summary => Path.Combine(Folder.Output, "summary.json");

    [SkippableFact]
    public void Damaged_archive_is_forgotten_when_it_is_mended_or_gone()
    {
        Skip.IfNot(OperatingSystem.IsLinux(), LinuxOnly);
        foreach (string name in new[] { "mended.zip", "gone.zip" })
        {
            File.WriteAllBytes(Folder.At(name), [.. "PK\x03\x04"u8, .. new byte[100]]);
        }

        Watch(() =>
        {
            Until(s => s.Counts.NotLookedAt == 2);
            string aside = Folder.At("..", "aside.zip");
            using (ZipArchive archive = ZipFile.Open(aside, ZipArchiveMode.Create))
            {
                archive.CreateEntry("readme.txt");
            }

            File.Move(aside, Folder.At("mended.zip"), overwrite: true);
            File.Delete(Folder.At("gone.zip"));
            Folder.Pretend("A.dmp", 1);
            Until(s => s.Counts is { Records: 1, NotLookedAt: 0 });
        });
        Assert.DoesNotContain(".zip", File.ReadAllText(Summary), StringComparison.Ordinal);
    }

    [SkippableFact]
    public void Damaged_archive_that_comes_alone_is_said()
    {
        Skip.IfNot(OperatingSystem.IsLinux(), LinuxOnly);
        Folder.Pretend("A.dmp", 1);
        Watch(() =>
        {
            Until(s => s.Counts.Records == 1 && File.Exists(Summary));
            File.WriteAllBytes(Folder.At("..", "aside"), [.. "PK\x03\x04"u8, .. new byte[100]]);
            File.Move(Folder.At("..", "aside"), Folder.At("cut.zip"));
            Until(s => s.Counts.NotLookedAt == 1);
            Assert.Contains("cut.zip", File.ReadAllText(Summary), StringComparison.Ordinal);
        });
    }

    [SkippableFact]
    public void Dumps_that_are_left_out_are_no_gap_while_others_match()
    {
        Skip.IfNot(OperatingSystem.IsLinux(), LinuxOnly);
        Folder.Pretend("A-1.dmp", 1);
        Watch(
            () =>
            {
                Until(s => s.Counts.Records == 1);
                Folder.Pretend("B-1.dmp", 2);
                Until(s => s.Waiting == 1);
                Until(s => s.Waiting == 0);
                Folder.Pretend("A-2.dmp", 3);
                Until(s => s.Counts.Records == 2);
            }, change: o => o with { Include = ["A*"] });
        Assert.DoesNotContain("--include", File.ReadAllText(Summary), StringComparison.Ordinal);
    }

    [SkippableFact]
    public void File_that_grows_and_is_no_dump_does_not_keep_a_run_from_its_end()
    {
        Skip.IfNot(OperatingSystem.IsLinux(), LinuxOnly);
        string log = Folder.At("log.txt");
        File.WriteAllText(log, "begin");
        Folder.Pretend("A.dmp", 1);
        Watch(() => UntilTrue(() => File.Exists(Summary)), changeWatch: w => w with
        {
            // It has changed at each look.
            Report = s =>
            {
                w.Report!(s);
                File.AppendAllText(log, "more");
            },
        });
        Assert.Single(Records());
        Assert.True(File.Exists(Summary));
    }

    [SkippableFact]
    public void Dump_that_grows_does()
    {
        Skip.IfNot(OperatingSystem.IsLinux(), LinuxOnly);
        string path = Folder.Pretend("growing", 1);
        int looks = 0;
        Watch(() => UntilTrue(() => Volatile.Read(ref looks) > 5), changeWatch: w => w with
        {
            Report = s =>
            {
                w.Report!(s);
                File.AppendAllText(path, "more");
                Interlocked.Increment(ref looks);
            },
        });
        Assert.False(File.Exists(Summary));
        Assert.Equal(1, State!.Waiting);
    }
}
