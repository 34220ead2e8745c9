using System.Runtime.Versioning;
using System.Text.Json;
using Dump.Model.Facts;
using Dump.Model.Merging;
using Dump.Testing;
using Dump.Triage.Records;
using Dump.Triage.Watching;

namespace Dump.Triage.Tests.Watching;

/// <summary>A watch takes dumps as they come, tells of each class once, deletes only what it may, and goes on after any end; the analysis is a script.</summary>
[SupportedOSPlatform("linux")]
public sealed class WatchTests : WatchTest
{
    [SkippableFact]
    public void Dumps_are_taken_as_they_come()
    {
        Skip.IfNot(OperatingSystem.IsLinux(), LinuxOnly);
        Folder.Pretend("0.dmp", 0);
        Watch(() =>
        {
            Until(s => s.Counts.Records == 1);
            Folder.Pretend("1.dmp", 1);
            Until(s => s.Counts.Records == 2);
            File.Move(Folder.Pretend("../elsewhere", 2), Folder.At("2.dmp"));
            Until(s => s.Counts.Records == 3);
            File.Copy(Folder.At("2.dmp"), Folder.At("copy of 2.dmp"));
            UntilTrue(() => Records().Any(r => r.Sources.Length == 2));
        });
        Assert.Equal(["0.dmp", "1.dmp", "2.dmp"], Records().Select(r => r.Sources[0].Path).Order(StringComparer.Ordinal));
        Assert.Equal(3, File.ReadLines(Path.Combine(Folder.Output, "results.jsonl")).Count());
        Assert.True(File.Exists(Path.Combine(Folder.Output, "summary.json")));
    }

    [SkippableFact]
    public void Each_class_is_told_of_once_whatever_ends_in_between()
    {
        Skip.IfNot(OperatingSystem.IsLinux(), LinuxOnly);
        Folder.Pretend("A-0.dmp", 0);
        Folder.Run(Verdict);
        Watch(() =>
        {
            Until(s => s.Counts.Records == 1);
            Folder.Pretend("A-1.dmp", 1);
            Folder.Pretend("B-2.dmp", 2);
            Folder.Pretend("B-3.dmp", 3);
            Until(s => s.Counts.Records == 4 && s.PendingNotices == 0);
        });
        WatchNotice notice = Assert.Single(Notices);
        Assert.Equal(("DUMP1001", Confidence.Likely), (notice.DetectorId, notice.Confidence));
        Assert.StartsWith("B-", notice.Source, StringComparison.Ordinal);
        Watch(() =>
        {
            Until(s => s.Counts.Records == 4);
            Folder.Pretend("A-4.dmp", 4);
            Folder.Pretend("B-5.dmp", 5);
            Until(s => s.Counts.Records == 6);
        });
        Assert.Single(Notices);
    }

    [SkippableFact]
    public void Class_that_could_not_be_told_of_is_told_of_by_the_next_watch()
    {
        Skip.IfNot(OperatingSystem.IsLinux(), LinuxOnly);
        IsDeaf = true;
        Watch(() =>
        {
            Until(_ => true);
            Folder.Pretend("A-1.dmp", 1);
            Until(s => s is { PendingNotices: 1, FailedNotices: > 1 });
        });
        Assert.Empty(Notices);
        IsDeaf = false;
        Watch(() => Until(s => s.Notices == 1));
        Assert.Single(Notices);
    }

    [SkippableFact]
    public void Class_whose_notice_is_refused_keeps_no_other_back()
    {
        Skip.IfNot(OperatingSystem.IsLinux(), LinuxOnly);
        Watch(() =>
        {
            Until(_ => true);
            Folder.Pretend("A-1.dmp", 1);
            Until(s => s.Notices == 1);
        });
        RefusedBucket = Assert.Single(Notices).Bucket;
        Notices.Clear();
        File.Delete(Path.Combine(Folder.Output, "notices.txt"));
        Directory.Delete(Path.Combine(Folder.Output, "records"), recursive: true);
        Watch(() =>
        {
            Until(s => s is { PendingNotices: 1, FailedNotices: > 2 });
            Folder.Pretend("B-2.dmp", 2);
            Until(s => s.Notices == 1);
        });
        Assert.Equal("B-2.dmp", Assert.Single(Notices).Source);
    }

    [SkippableFact]
    public void Only_whole_files_of_classes_with_enough_examples_are_deleted()
    {
        Skip.IfNot(OperatingSystem.IsLinux(), LinuxOnly);
        string outside = Folder.At("..", "outside");
        Directory.CreateDirectory(outside);
        File.WriteAllBytes(Path.Combine(outside, "A-8.dmp"), TriageFolder.PretendBytes(8, 5000));
        File.WriteAllBytes(Path.Combine(outside, "A-9.dmp"), TriageFolder.PretendBytes(9, 5000));
        for (int i = 0; i < 3; i++)
        {
            Folder.Pretend($"A-{i}.dmp", i);
            Folder.Pretend($"none-{i}.dmp", i + 20);
        }

        Watch(
            () =>
            {
                Until(s => s.Counts.Records == 6 && s.PrunedFiles == 1);
                Folder.Pretend("B-4.dmp", 4);
                Folder.Pretend("A-5.dmp", 5);
                File.CreateSymbolicLink(Folder.At("A-8.dmp"), Path.Combine(outside, "A-8.dmp"));
                Directory.CreateSymbolicLink(Folder.At("linked"), outside);
                Until(s => s.Counts.Records == 10);
            }, examples: 2);
        Assert.Equal(2, Directory.GetFiles(outside).Length);
        string[] left = [.. Directory.GetFiles(Folder.Dumps, "*.dmp").Select(f => Path.GetFileName(f)).Order(StringComparer.Ordinal)];
        Assert.Equal(2, left.Count(f => f is "A-0.dmp" or "A-1.dmp" or "A-2.dmp"));
        Assert.Equal(["A-8.dmp", "B-4.dmp", "none-0.dmp", "none-1.dmp", "none-2.dmp"], left.Where(f => f is not ("A-0.dmp" or "A-1.dmp" or "A-2.dmp")));
        Assert.Equal((2, 10000), (State!.PrunedFiles, State.PrunedBytes));
        Assert.Equal(10, Records().Length);
    }

    [SkippableFact]
    public void Nothing_is_deleted_unless_that_is_asked_for()
    {
        Skip.IfNot(OperatingSystem.IsLinux(), LinuxOnly);
        for (int i = 0; i < 5; i++)
        {
            Folder.Pretend($"A-{i}.dmp", i);
        }

        Watch(() => Until(s => s.Counts.Records == 5));
        Assert.Equal(5, Directory.GetFiles(Folder.Dumps).Length);
    }

    [SkippableFact]
    public void Dump_at_hand_is_left_to_the_next_watch()
    {
        Skip.IfNot(OperatingSystem.IsLinux(), LinuxOnly);
        Folder.Pretend("A-0.dmp", 0);
        string begun = Folder.At("..", "begun");
        Watch(() => UntilTrue(() => File.Exists(begun)), TriageFolder.Script($"echo > {begun}; sleep 600"),
            o => o with { Timeout = TimeSpan.FromMinutes(20) });
        Assert.Empty(Records());
        Assert.False(File.Exists(Path.Combine(Folder.Output, "summary.json")));
        Watch(() => Until(s => s.Counts.Records == 1));
    }

    [Fact]
    public void State_is_in_the_text_format_of_Prometheus()
    {
        using StringWriter text = new();
        WatchMetrics.Write(new WatchState(new TriageCounts { Records = 7, Confirmed = 2, NothingFound = 5 }, 3, 2, 1, 1, 4, 0, 6, 123_456_789_012,
            new DateTime(2026, 1, 5, 8, 0, 0, DateTimeKind.Utc)), text);
        string[] lines = text.ToString().Split('\n', StringSplitOptions.RemoveEmptyEntries);
        Assert.Contains("dumpanalyze_watch_dumps{answer=\"confirmed\"} 2", lines);
        Assert.Contains("dumpanalyze_watch_dumps_analysed_total 4", lines);
        Assert.Contains("dumpanalyze_watch_pruned_bytes_total 123456789012", lines);
        Assert.Contains("dumpanalyze_watch_last_record_timestamp_seconds 1767600000", lines);
        Assert.All(lines, l => Assert.Matches("^(# (HELP [a-z_]+ .+|TYPE [a-z_]+ (counter|gauge))|[a-z_]+(\\{answer=\"[a-z_]+\"\\})? [0-9]+)$", l));
        string[] named = [.. lines.Where(l => l[0] != '#').Select(l => l.Split('{', ' ')[0]).Distinct()];
        Assert.Equal(named, lines.Where(l => l.StartsWith("# TYPE", StringComparison.Ordinal)).Select(l => l.Split(' ')[2]));
        Assert.DoesNotContain('\r', text.ToString());
    }

    [Fact]
    public void Notice_follows_its_schema()
    {
        WatchNotice notice = new("v4-00", "DUMP1002", "a \"cycle\"", Confidence.Likely, new string('0', 64), "a/b.dmp", "p.exe", null,
            new DateTime(2026, 1, 5, 8, 0, 0, DateTimeKind.Utc));
        using var json = JsonDocument.Parse(notice.ToJson());
        Assert.Equal("dump-notice/1", json.RootElement.Member("schema").GetString());
        Assert.Equal("a \"cycle\"", json.RootElement.Member("title").GetString());
        Assert.Equal("2026-01-05T08:00:00Z", json.RootElement.Member("captured").GetString());
        using var withheld = JsonDocument.Parse(notice.ToJson(withStrings: false));
        Assert.Equal(JsonValueKind.Null, withheld.RootElement.Member("title").ValueKind);
        Assert.All([json, withheld], j => Assert.Empty(JsonSchemaCheck.Errors(j.RootElement.GetRawText())));
        Assert.NotEmpty(JsonSchemaCheck.Errors(json.RootElement.GetRawText().Replace("Likely", "Certain", StringComparison.Ordinal)));
    }
}
