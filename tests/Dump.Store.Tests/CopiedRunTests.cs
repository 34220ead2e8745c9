using Dump.Model.Merging;
using Dump.Testing.Triage;
using Dump.Triage.Records;
using Dump.Triage.Runs;

namespace Dump.Store.Tests;

/// <summary>Whether all runs have ended is known of a copy as well as of what was copied: no all-clear comes of it, and none is withheld for good.</summary>
public sealed class CopiedRunTests : IDisposable
{
    private readonly StoreFolder _folder = new();

    [Fact]
    public void Folder_whose_own_run_did_not_end_stays_so_when_another_is_copied_into_it()
    {
        string source = Folder("source", 1, "summary.json"), target = Folder("target", 2);
        Into(target, source);
        Assert.Equal([TriageGapKind.RunNotEnded], Gaps(target));
        Into(target, source);
        Assert.Equal([TriageGapKind.RunNotEnded], Gaps(target));

        // The folder's own run is called again and ends.
        End(target, "summary.json");
        Into(target, source);
        Assert.Empty(Gaps(target));

        // And once more, interrupted.
        File.Delete(Path.Combine(target, "summary.json"));
        Into(target, source);
        Assert.Equal([TriageGapKind.RunNotEnded], Gaps(target));
    }

    [Fact]
    public void What_the_runs_of_the_target_passed_over_is_still_said_and_once()
    {
        string source = Folder("source", 1, "summary.json"), target = Folder("target", 2);
        End(target, "summary.json", "x.zip");
        for (int i = 0; i < 3; i++)
        {
            Into(target, source);
            Assert.Equal(["x.zip"], TriageFolders.Read([target]).Warnings.Select(w => w.Path));
            Assert.Equal(1, File.ReadAllText(Path.Combine(target, "summary.json")).Split("x.zip").Length - 1);
        }
    }

    [Theory]
    [InlineData("summary.json")]
    [InlineData("summary-1-of-2.json", "summary-2-of-2.json")]
    public void Run_that_was_copied_before_it_ended_ends(params string[] summaries)
    {
        string source = Folder("source", 1), target = _folder.At("target"), store = _folder.At("hangs.db");
        Into(target, source);
        StoreFolder.Copy(FolderStore.Read(source), RecordStores.Write(store));
        Assert.Equal([TriageGapKind.RunNotEnded], Gaps(target));
        Assert.Equal([TriageGapKind.RunNotEnded], GapsOf(store));
        foreach (string summary in summaries)
        {
            End(source, summary);
        }

        Into(target, source);
        StoreFolder.Copy(FolderStore.Read(source), RecordStores.Write(store));
        Assert.Empty(Gaps(target));
        Assert.Empty(GapsOf(store));
    }

    [Fact]
    public void Parts_of_another_do_not_end_the_run_of_the_target()
    {
        string source = Folder("source", 1, "summary-1-of-2.json", "summary-2-of-2.json"), target = Folder("target", 2);
        Into(target, source);
        Assert.Equal([TriageGapKind.RunNotEnded], Gaps(target));
    }

    /// <summary>Its own summary says nothing of what was copied.</summary>
    [Fact]
    public void Own_run_of_the_target_does_not_end_what_was_copied()
    {
        string source = Folder("source", 1), other = Folder("other", 3), target = _folder.At("target");
        End(other, "summary.json", "x.zip");
        Into(target, other);
        End(target, "summary.json");
        Assert.Equal(["x.zip"], TriageFolders.Read([target]).Warnings.Select(w => w.Path));
        Into(target, source);
        End(target, "summary.json");
        Assert.Equal([TriageGapKind.NotLookedAt, TriageGapKind.RunNotEnded], Gaps(target).Order());
        End(source, "summary.json");
        Into(target, source);
        Assert.Equal([TriageGapKind.NotLookedAt], Gaps(target));
    }

    [Fact]
    public void Folder_that_was_moved_knows_its_own_runs()
    {
        string source = Folder("source", 1, "summary.json"), target = Folder("target", 2), moved = _folder.At("moved");
        Into(target, source);
        Directory.Move(target, moved);
        End(moved, "summary.json");
        Into(moved, source);
        Assert.Empty(Gaps(moved));
    }

    [Fact]
    public void Damaged_list_of_copied_runs_is_no_all_clear()
    {
        string source = Folder("source", 1), target = _folder.At("target");
        Into(target, source);
        File.WriteAllText(Path.Combine(target, "copied-runs.json"), "{");
        Into(target, Folder("other", 2, "summary.json"));
        Assert.Equal([TriageGapKind.RunNotEnded], Gaps(target));
    }

    public void Dispose() => _folder.Dispose();

    private static void Into(string target, string source) => StoreFolder.Copy(FolderStore.Read(source), FolderStore.Write(target));

    private static TriageGapKind[] Gaps(string folder) => [.. TriageFolders.Read([folder]).Warnings.Select(w => w.Kind)];

    private static TriageGapKind[] GapsOf(string store)
    {
        using IRecordStore read = RecordStores.Read(store);
        return [.. TriageFolders.Gaps(read).Select(w => w.Kind)];
    }

    /// <summary>A folder with a record, as a run leaves it that has ended, or that was interrupted.</summary>
    private string Folder(string name, int record, params string[] summaries)
    {
        string folder = _folder.At(name), path = Path.Combine(folder, "records", SyntheticRecords.Identity(record)[..2], SyntheticRecords.Identity(record) + ".json");
        Directory.CreateDirectory(Path.GetDirectoryName(path)!);
        File.WriteAllBytes(path, StoreFolder.Records.Document(record));
        foreach (string summary in summaries)
        {
            End(folder, summary);
        }

        return folder;
    }

    private static void End(string folder, string summary, string? passedOver = null)
    {
        string part = summary.Split('-') is [_, var index, _, var count] ? $"\"{index}/{Path.GetFileNameWithoutExtension(count)}\"" : "null";
        string warning = passedOver is null ? "" : $$"""{"path":"{{passedOver}}","message":"it is encrypted","notLookedAt":true}""";
        File.WriteAllText(Path.Combine(folder, summary), $$"""{"schema":"dump-triage/1","shard":{{part}},"warnings":[{{warning}}]}""");
    }
}
