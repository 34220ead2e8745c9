using System.Collections.Concurrent;
using System.Globalization;
using System.Runtime.Versioning;
using System.Text.Json;
using Dump.Model.Facts;
using Dump.Model.Merging;
using Dump.Testing;
using Dump.Triage.Children;
using Dump.Triage.Records;
using Dump.Triage.Watching;

namespace Dump.Triage.Tests.Watching;

/// <summary>A watch takes dumps as they come, tells of each class once, deletes only what it may, and goes on after any end; the analysis is a script.</summary>
[SupportedOSPlatform("linux")]
public sealed class WatchTests : IDisposable
{
    private const string LinuxOnly = "the stand-in for the analysis is a shell script";
    private static readonly TimeSpan s_limit = TimeSpan.FromMinutes(5);
    private readonly TriageFolder _folder = new();
    private readonly ConcurrentQueue<WatchNotice> _notices = [];
    private volatile WatchState? _state;
    private volatile bool _isDeaf;

    [SkippableFact]
    public void Dumps_are_taken_as_they_come()
    {
        Skip.IfNot(OperatingSystem.IsLinux(), LinuxOnly);
        _folder.Pretend("0.dmp", 0);
        Watch(() =>
        {
            Until(s => s.Counts.Records == 1);
            _folder.Pretend("1.dmp", 1);
            Until(s => s.Counts.Records == 2);
            File.Move(_folder.Pretend("../elsewhere", 2), _folder.At("2.dmp"));
            Until(s => s.Counts.Records == 3);
            File.Copy(_folder.At("2.dmp"), _folder.At("copy of 2.dmp"));
            UntilWritten(() => Records().Any(r => r.Sources.Length == 2));
        });
        Assert.Equal(["0.dmp", "1.dmp", "2.dmp"], Records().Select(r => r.Sources[0].Path).Order(StringComparer.Ordinal));
        Assert.Equal(3, File.ReadLines(Path.Combine(_folder.Output, "results.jsonl")).Count());
        Assert.True(File.Exists(Path.Combine(_folder.Output, "summary.json")));
    }

    [SkippableFact]
    public void Each_class_is_told_of_once_whatever_ends_in_between()
    {
        Skip.IfNot(OperatingSystem.IsLinux(), LinuxOnly);
        _folder.Pretend("A-0.dmp", 0);
        _folder.Run(Verdict);
        Watch(() =>
        {
            Until(s => s.Counts.Records == 1);
            _folder.Pretend("A-1.dmp", 1);
            _folder.Pretend("B-2.dmp", 2);
            _folder.Pretend("B-3.dmp", 3);
            Until(s => s.Counts.Records == 4 && s.PendingNotices == 0);
        });
        WatchNotice notice = Assert.Single(_notices);
        Assert.Equal(("DUMP1001", Confidence.Likely), (notice.DetectorId, notice.Confidence));
        Assert.StartsWith("B-", notice.Source, StringComparison.Ordinal);
        Watch(() =>
        {
            Until(s => s.Counts.Records == 4);
            _folder.Pretend("A-4.dmp", 4);
            _folder.Pretend("B-5.dmp", 5);
            Until(s => s.Counts.Records == 6);
        });
        Assert.Single(_notices);
    }

    [SkippableFact]
    public void Class_that_could_not_be_told_of_is_told_of_by_the_next_watch()
    {
        Skip.IfNot(OperatingSystem.IsLinux(), LinuxOnly);
        _isDeaf = true;
        Watch(() =>
        {
            Until(_ => true);
            _folder.Pretend("A-1.dmp", 1);
            Until(s => s is { PendingNotices: 1, FailedNotices: > 1 });
        });
        Assert.Empty(_notices);
        _isDeaf = false;
        Watch(() => Until(s => s.Notices == 1));
        Assert.Single(_notices);
    }

    [SkippableFact]
    public void Only_whole_files_of_classes_with_enough_examples_are_deleted()
    {
        Skip.IfNot(OperatingSystem.IsLinux(), LinuxOnly);
        string outside = _folder.At("..", "outside");
        Directory.CreateDirectory(outside);
        File.WriteAllBytes(Path.Combine(outside, "A-8.dmp"), TriageFolder.PretendBytes(8, 5000));
        File.WriteAllBytes(Path.Combine(outside, "A-9.dmp"), TriageFolder.PretendBytes(9, 5000));
        for (int i = 0; i < 3; i++)
        {
            _folder.Pretend($"A-{i}.dmp", i);
            _folder.Pretend($"none-{i}.dmp", i + 20);
        }

        Watch(
            () =>
            {
                Until(s => s.Counts.Records == 6 && s.PrunedFiles == 1);
                _folder.Pretend("B-4.dmp", 4);
                _folder.Pretend("A-5.dmp", 5);
                File.CreateSymbolicLink(_folder.At("A-8.dmp"), Path.Combine(outside, "A-8.dmp"));
                Directory.CreateSymbolicLink(_folder.At("linked"), outside);
                Until(s => s.Counts.Records == 10);
            }, examples: 2);
        Assert.Equal(2, Directory.GetFiles(outside).Length);
        string[] left = [.. Directory.GetFiles(_folder.Dumps).Select(f => Path.GetFileName(f)).Order(StringComparer.Ordinal)];
        Assert.Equal(2, left.Count(f => f is "A-0.dmp" or "A-1.dmp" or "A-2.dmp"));
        Assert.Equal(["A-8.dmp", "B-4.dmp", "none-0.dmp", "none-1.dmp", "none-2.dmp"], left.Where(f => f is not ("A-0.dmp" or "A-1.dmp" or "A-2.dmp")));
        Assert.Equal((2, 10000), (_state!.PrunedFiles, _state.PrunedBytes));
        Assert.Equal(10, Records().Length);
    }

    [SkippableFact]
    public void Nothing_is_deleted_unless_that_is_asked_for()
    {
        Skip.IfNot(OperatingSystem.IsLinux(), LinuxOnly);
        for (int i = 0; i < 5; i++)
        {
            _folder.Pretend($"A-{i}.dmp", i);
        }

        Watch(() => Until(s => s.Counts.Records == 5));
        Assert.Equal(5, Directory.GetFiles(_folder.Dumps).Length);
    }

    [SkippableFact]
    public void Dump_at_hand_is_left_to_the_next_watch()
    {
        Skip.IfNot(OperatingSystem.IsLinux(), LinuxOnly);
        _folder.Pretend("A-0.dmp", 0);
        string begun = _folder.At("..", "begun");
        Watch(() => UntilWritten(() => File.Exists(begun)), TriageFolder.Script($"echo > {begun}; sleep 600"), TimeSpan.FromMinutes(20));
        Assert.Empty(Records());
        Assert.False(File.Exists(Path.Combine(_folder.Output, "summary.json")));
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
        WatchNotice notice = new("v2-00", "DUMP1002", "a \"cycle\"", Confidence.Likely, new string('0', 64), "a/b.dmp", "p.exe", null,
            new DateTime(2026, 1, 5, 8, 0, 0, DateTimeKind.Utc));
        using var json = JsonDocument.Parse(notice.ToJson());
        Assert.Equal("dump-notice/1", json.RootElement.GetProperty("schema").GetString());
        Assert.Equal("a \"cycle\"", json.RootElement.GetProperty("title").GetString());
        Assert.Equal("2026-01-05T08:00:00Z", json.RootElement.GetProperty("captured").GetString());
        using var withheld = JsonDocument.Parse(notice.ToJson(withStrings: false));
        Assert.Equal(JsonValueKind.Null, withheld.RootElement.GetProperty("title").ValueKind);
        Assert.All([json, withheld], j => Assert.Empty(JsonSchemaCheck.Errors(j.RootElement.GetRawText())));
        Assert.NotEmpty(JsonSchemaCheck.Errors(json.RootElement.GetRawText().Replace("Likely", "Certain", StringComparison.Ordinal)));
    }

    public void Dispose() => _folder.Dispose();

    // The class of the hang is the first letter of the dump's name; names with "none" are healthy.
    private static AnalysisProgram Verdict => TriageFolder.Script(Answering);

    private static string Answering => $$"""
        name=$(basename "$last"); case $name in none*) cat <<'END'
        {{Healthy}}
        END
        ;; A*) cat <<'END'
        {{Hang}}
        END
        exit 11;; *) cat <<'END'
        {{Hang.Replace("mathplug", "otherplug", StringComparison.Ordinal)}}
        END
        exit 11;; esac
        """;

    private const string Healthy =
        """{"schema":"dump-report/1","source":{"name":"x","kind":"k","size":1},"undecidable":false,"verdicts":[],"detectors":[]}""";

    private static string Hang => File.ReadAllText(Path.Combine(Repository.Root, "tests", "Dump.Reports.Tests", "Golden", "fixtures",
        "loader-exit.report.json"));

    private RecordContent[] Records() =>
    [
        .. RecordFiles.Enumerate(_folder.Output).Select(f => RecordFiles.Read(f, r => r with { Report = null }, out _)).OfType<RecordContent>(),
    ];

    private void Until(Func<WatchState, bool> condition) => UntilWritten(() => _state is { } state && condition(state));

    private void UntilWritten(Func<bool> condition) => Assert.True(SpinWait.SpinUntil(condition, s_limit), string.Create(CultureInfo.InvariantCulture, $"{_state}"));

    private void Watch(Action meanwhile, AnalysisProgram? program = null, TimeSpan? timeout = null, int? examples = null)
    {
        _state = null;
        using CancellationTokenSource stop = new();
        TriageOptions options = new()
        {
            Inputs = [_folder.Dumps], Output = _folder.Output, Jobs = 2, Program = program ?? Verdict, Timeout = timeout ?? TimeSpan.FromMinutes(5),
        };
        WatchOptions watch = new()
        {
            Notify = Tell, Notices = Path.Combine(_folder.Output, "notices.txt"), Examples = examples, Report = s => _state = s,
            Rest = TimeSpan.FromMilliseconds(50), Pause = TimeSpan.FromMilliseconds(30),
        };
        Task<WatchState> task = Task.Factory.StartNew(() => TriageWatch.Run(options, null, watch, null, stop.Token), CancellationToken.None,
            TaskCreationOptions.LongRunning, TaskScheduler.Default);
        try
        {
            meanwhile();
        }
        finally
        {
            stop.Cancel();
            Assert.True(task.Wait(s_limit), "it does not end");
        }
    }

    private bool Tell(WatchNotice notice)
    {
        if (!_isDeaf)
        {
            _notices.Enqueue(notice);
        }

        return !_isDeaf;
    }
}
