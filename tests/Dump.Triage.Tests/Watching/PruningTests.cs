using System.Runtime.Versioning;
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
        pruning.Keep("v2-a", dumps[0]);
        Assert.Empty(forced);
        pruning.Keep("v2-a", dumps[1]);
        isFull = true;
        pruning.Keep("v2-a", dumps[2]);
        Assert.Equal([dumps[1].Identity, dumps[2].Identity], forced);
        Assert.Equal((false, true), (File.Exists(Folder.At("1.dmp")), File.Exists(Folder.At("2.dmp"))));
        Assert.Equal((1, 5000), (pruning.Files, pruning.Bytes));
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
