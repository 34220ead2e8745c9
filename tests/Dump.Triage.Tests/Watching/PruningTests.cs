using System.Runtime.Versioning;
using Dump.Analysis.Merging;
using Dump.Model.Merging;
using Dump.Triage.Discovery;
using Dump.Triage.Records;
using Dump.Triage.Watching;

namespace Dump.Triage.Tests.Watching;

/// <summary>A dump is deleted only while as many others of its class lie there as were asked for.</summary>
[SupportedOSPlatform("linux")]
public sealed class PruningTests : WatchTest
{
    [SkippableFact]
    public void Example_that_was_taken_away_counts_no_more()
    {
        Skip.IfNot(OperatingSystem.IsLinux(), LinuxOnly);
        Folder.Pretend("A-1.dmp", 1);
        Watch(
            () =>
            {
                Until(s => s.Counts.Records == 1);
                File.Move(Folder.At("A-1.dmp"), Folder.At("..", "archive"));
                Folder.Pretend("A-2.dmp", 2);
                Until(s => s.Counts.Records == 2);
                Assert.True(File.Exists(Folder.At("A-2.dmp")));
                Folder.Pretend("A-3.dmp", 3);
                Until(s => s is { Counts.Records: 3, PrunedFiles: 1 });
            }, examples: 1);
        Assert.Equal(["A-2.dmp"], Directory.GetFiles(Folder.Dumps, "*.dmp").Select(f => Path.GetFileName(f)));
    }

    /// <summary>One class is not enough: the functions of the program on every thread have to be the same too, and known.</summary>
    [SkippableFact]
    public void Dump_of_the_same_class_that_came_another_way_stays_and_the_same_one_is_told_of()
    {
        Skip.IfNot(OperatingSystem.IsLinux(), LinuxOnly);
        List<(string Deleted, string Same)> told = [];
        Array.ForEach(["A-1", "Y-1", "Z-1", "Z-2"], n => Folder.Pretend(n + ".dmp", n[0] + n[2]));
        Watch(
            () =>
            {
                Until(s => s.Counts.Records == 4);
                Assert.Equal(1, State!.Buckets);
                Folder.Pretend("A-2.dmp", 99);
                Until(s => s is { Counts.Records: 5, PrunedFiles: 1 });
            },
            changeWatch: w => w with { Deleted = (deleted, same) => told.Add((Path.GetFileName(deleted), Path.GetFileName(same))) }, examples: 1);
        Assert.Equal([("A-2.dmp", "A-1.dmp")], told);
        Assert.Equal(["A-1.dmp", "Y-1.dmp", "Z-1.dmp", "Z-2.dmp"], Directory.GetFiles(Folder.Dumps, "*.dmp").Select(f => Path.GetFileName(f)).Order());
    }

    /// <summary>Its earlier state is no other dump.</summary>
    [SkippableFact]
    public void Dump_that_came_in_two_bursts_is_not_deleted_for_its_first_half()
    {
        Skip.IfNot(OperatingSystem.IsLinux(), LinuxOnly);
        string path = Folder.Pretend("A-1.dmp", 1);
        Watch(
            () =>
            {
                Until(s => s.Counts.Records == 1);
                File.AppendAllText(path, "the rest");
                string whole = DumpIdentity.OfFile(path, out _);
                UntilTrue(() => Records().Any(r => r.Identity == whole));
                Until(s => s.Waiting == 0);
            }, examples: 1);
        Assert.True(File.Exists(path));
    }

    [SkippableFact]
    public void Two_watches_do_not_prune_one_folder()
    {
        Skip.IfNot(OperatingSystem.IsLinux(), LinuxOnly);
        Directory.CreateDirectory(Folder.At("inner"));
        Watch(
            () =>
            {
                Until(_ => true);
                foreach (string input in new[] { Folder.Dumps, Folder.At("inner") })
                {
                    Assert.Throws<OutputInUseException>(() => TriageWatch.Run(Options() with { Inputs = [input], Output = Folder.Output + "-other" }, null,
                        new WatchOptions { Examples = 1 }, null, new CancellationToken(canceled: true)));
                }
            }, examples: 1);
        TriageWatch.Run(Options(), null, new WatchOptions { Examples = 1 }, null, new CancellationToken(canceled: true));
    }

    [Fact]
    public void Record_is_forced_onto_the_disk_before_its_dump_is_deleted()
    {
        List<string> forced = [];
        FoundDump[] dumps = [.. Enumerable.Range(0, 3).Select(i => Found(Folder.Pretend($"{i}.dmp", i)))];
        bool isFull = false;
        using DumpPruning pruning = new(Options(), 1, identity =>
        {
            FoundDump dump = dumps.Single(d => d.Identity == identity);
            Assert.True(File.Exists(dump.Places[0].File.FullPath));
            forced.Add(identity);
            if (isFull)
            {
                throw new IOException();
            }
        });
        pruning.Keep(new HangSameness("v4-a", "chain"), dumps[0]);
        Assert.Empty(forced);
        pruning.Keep(new HangSameness("v4-a", "chain"), dumps[1]);
        isFull = true;
        pruning.Keep(new HangSameness("v4-a", "chain"), dumps[2]);
        Assert.Equal([dumps[1].Identity, dumps[2].Identity], forced);
        Assert.Equal((false, true), (File.Exists(Folder.At("1.dmp")), File.Exists(Folder.At("2.dmp"))));
        Assert.Equal((1, 5000), (pruning.Files, pruning.Bytes));
    }

    /// <summary>The last moment at which somebody else can act is while the record is forced onto the disk: after all checks, before the file goes.</summary>
    [SkippableTheory]
    [InlineData("mv $in/team $in/moved; ln -s $out/team $in/team; chown -h 4242 $in/team", "another folder behind a link")]
    [InlineData("mv $in/team $in/moved; mv $out/team $in/team", "another folder")]
    [InlineData("mv $in/team/1.dmp $in/team/old; mv $out/team/1.dmp $in/team/1.dmp", "another file")]
    [InlineData("rm $in/team/1.dmp; ln -s $out/team/1.dmp $in/team/1.dmp", "a link")]
    [InlineData("mv $in $in-moved; ln -s $out $in; chown -h 4242 $in", "another watched folder behind a link")]
    public void Nothing_that_took_the_place_of_a_dump_is_deleted(string swap, string what)
    {
        Skip.IfNot(OperatingSystem.IsLinux() && Environment.UserName == "root", "root alone gives links to other users");
        string outside = Folder.At("..", "outside"), other = Path.Combine(outside, "team", "1.dmp");
        Directory.CreateDirectory(Folder.At("team"));
        Directory.CreateDirectory(Path.GetDirectoryName(other)!);
        File.WriteAllText(other, "of somebody else");
        FoundDump[] dumps = [.. Enumerable.Range(0, 2).Select(i => Found(Folder.Pretend(Path.Combine("team", $"{i}.dmp"), i)))];
        using DumpPruning pruning = new(Options(), 1, _ =>
        {
            using var shell = System.Diagnostics.Process.Start("/bin/sh", ["-ec", $"in={Folder.Dumps} out={outside}; {swap}"]);
            shell.WaitForExit();
            Assert.Equal(0, shell.ExitCode);
        });
        pruning.Keep(new HangSameness("v4-a", "chain"), dumps[0]);
        pruning.Keep(new HangSameness("v4-a", "chain"), dumps[1]);
        bool isThere = new[] { other, Path.Combine(Folder.Dumps, "team", "1.dmp") }.Any(f => File.Exists(f) && File.ReadAllText(f) == "of somebody else");
        Assert.True(isThere, what);
        Assert.Equal((0L, 0L), (pruning.Files, pruning.Bytes));
    }

    [SkippableFact]
    public void Lock_is_not_made_through_a_link_and_nothing_is_deleted_then()
    {
        Skip.IfNot(OperatingSystem.IsLinux(), "links as Linux has them");
        string elsewhere = Folder.At("..", "elsewhere");
        File.CreateSymbolicLink(Folder.At(".dumpanalyze-prune"), elsewhere);
        FoundDump[] dumps = [.. Enumerable.Range(0, 2).Select(i => Found(Folder.Pretend($"{i}.dmp", i)))];
        using DumpPruning pruning = new(Options(), 1, _ => { });
        Array.ForEach(dumps, d => pruning.Keep(new HangSameness("v4-a", "chain"), d));
        Assert.False(File.Exists(elsewhere));
        Assert.Equal((0, 2), (pruning.Files, Directory.GetFiles(Folder.Dumps, "*.dmp").Length));
    }

    [SkippableFact]
    public void Nothing_is_deleted_from_a_folder_behind_a_link_of_another_user()
    {
        Skip.IfNot(OperatingSystem.IsLinux() && Environment.UserName == "root", "root alone gives links to other users");
        string shared = Directory.CreateDirectory(Folder.At("..", "shared")).FullName, link = Path.Combine(shared, "in");
        File.SetUnixFileMode(shared, (UnixFileMode)0b111_111_111);
        Directory.CreateSymbolicLink(link, Folder.Dumps);
        Array.ForEach(["0.dmp", "1.dmp"], n => Folder.Pretend(n, n[0]));
        Assert.Equal(2, Left());
        using (var give = System.Diagnostics.Process.Start("chown", ["-h", "4242", link]))
        {
            give.WaitForExit();
        }

        Prune();
        Assert.Equal(2, Left());
        using (var take = System.Diagnostics.Process.Start("chown", ["-h", "0", link]))
        {
            take.WaitForExit();
        }

        Prune();
        Assert.Equal(1, Left());

        int Left() => Directory.GetFiles(Folder.Dumps, "*.dmp").Length;

        void Prune()
        {
            using DumpPruning pruning = new(Options() with { Inputs = [link] }, 1, _ => { });
            Array.ForEach(["0.dmp", "1.dmp"], n => pruning.Keep(new HangSameness("v4-a", "chain"), Found(Path.Combine(link, n))));
        }
    }

    [Fact]
    public void Entries_of_a_folder_can_be_forced()
    {
        FolderEntries.Force(Folder.Dumps);
        if (OperatingSystem.IsLinux())
        {
            Assert.Throws<IOException>(() => FolderEntries.Force(Folder.At("no", "such")));
        }
    }

    private static FoundDump Found(string path)
    {
        FoundFile file = new(path, Path.GetFileName(path), EntryStatus.Of(path)!, IsAskedFor: false);
        string identity = DumpIdentity.OfFile(path, out long size);
        return new FoundDump(identity, size, [new DumpPlace(file, ContentKind.Dump, null, new TriageSource(file.Path, null, size))], null);
    }
}
