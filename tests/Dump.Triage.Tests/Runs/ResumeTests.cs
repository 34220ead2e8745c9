using Dump.Model.Merging;
using Dump.Triage.Records;
using Dump.Triage.Runs;

namespace Dump.Triage.Tests.Runs;

/// <summary>Runs over what other runs have left: what is done is kept, what is half done is done anew.</summary>
public sealed class ResumeTests : IDisposable
{
    private readonly TriageFolder _folder = new();

    public ResumeTests()
    {
        Skip.IfNot(OperatingSystem.IsLinux(), "the stand-in for the analysis is a shell script");
        for (int i = 0; i < 6; i++)
        {
            _folder.Pretend($"d{i}.dmp", i);
        }
    }

    [SkippableFact]
    public void Second_run_keeps_all_and_changes_nothing()
    {
        _folder.Run(TriageFolder.FindsNothing);
        var before = TriageFolder.Written(_folder.Output);
        _folder.Run(TriageFolder.Script("exit 9"));
        Assert.Equal((6, 6), (_folder.Summary!.Kept, _folder.Summary.Counts.Records));
        Assert.Equal(before, TriageFolder.Written(_folder.Output));
    }

    [SkippableFact]
    public void New_dump_alone_is_analysed()
    {
        _folder.Run(TriageFolder.FindsNothing);
        _folder.Pretend("d2b.dmp", 77);
        TriageRecords records = _folder.Run(TriageFolder.Script("exit 3"));
        Assert.Equal(["d2b.dmp"], records.Records.Where(r => r.Outcome == TriageOutcome.Unreadable).Select(r => r.Source.Path));
        Assert.Equal(7, records.Records.Length);
    }

    [SkippableFact]
    public void Copies_are_analysed_once_and_named()
    {
        File.Copy(_folder.At("d3.dmp"), _folder.At("a", "copy.txt"));
        File.Copy(_folder.At("d3.dmp"), _folder.At("z", "copy"));
        string starts = _folder.At("starts");
        TriageRecords records = _folder.Run(TriageFolder.Script($"echo x >> {starts}; " + TriageFolder.FindsNothing.Arguments[1]));
        Assert.Equal(6, File.ReadAllLines(starts).Length);
        TriageRecord record = records.Records[0];
        Assert.Equal("a/copy.txt", record.Source.Path);
        string json = File.ReadAllText(RecordFiles.PathOf(_folder.Output, record.Identity));
        Assert.Contains("\"sources\":[{\"path\":\"d3.dmp\",\"member\":null,\"size\":5000},{\"path\":\"z/copy\",", json, StringComparison.Ordinal);
    }

    [SkippableFact]
    public void Copy_that_came_later_is_added_without_another_analysis()
    {
        _folder.Run(TriageFolder.FindsNothing);
        File.Copy(_folder.At("d3.dmp"), _folder.At("a-copy.dmp"));
        TriageRecords records = _folder.Run(TriageFolder.Script("exit 9"));
        Assert.Equal("a-copy.dmp", records.Records[0].Source.Path);
        Assert.All(records.Records, r => Assert.Equal(TriageOutcome.Analysed, r.Outcome));
    }

    [SkippableFact]
    public void Options_of_the_analysis_are_part_of_what_made_a_record()
    {
        _folder.Run(TriageFolder.FindsNothing);
        _folder.Run(TriageFolder.FindsNothing, o => o with { AnalysisArguments = ["--dac", "/somewhere"] });
        Assert.Equal(0, _folder.Summary!.Kept);
    }

    [SkippableFact]
    public void Half_written_files_are_removed_and_never_counted()
    {
        TriageRecords all = _folder.Run(TriageFolder.FindsNothing);
        var before = TriageFolder.Written(_folder.Output);
        string first = RecordFiles.PathOf(_folder.Output, all.Records[0].Identity);
        string second = RecordFiles.PathOf(_folder.Output, all.Records[1].Identity);
        File.Move(first, first + ".all.partial");
        File.WriteAllText(Path.Combine(Path.GetDirectoryName(first)!, new string('a', 64) + ".json.2-of-3.partial"), "{");
        File.WriteAllText(Path.Combine(_folder.Output, "summary.json.all.partial"), "{");
        File.WriteAllText(second, File.ReadAllText(second)[..100]);
        File.AppendAllText(Path.Combine(_folder.Output, "results.jsonl"), "{\"identity\":\"ab");
        Directory.CreateDirectory(Path.Combine(_folder.Output, ".dumpanalyze-unpacked-all", "1"));
        File.WriteAllText(Path.Combine(_folder.Output, ".dumpanalyze-unpacked-all", "1", "x.dmp"), "MDMP");

        TriageRecords damaged = TriageRecords.Read(_folder.Output);
        Assert.Equal((4, 1), (damaged.Records.Length, damaged.Warnings.Length));

        TriageRecords again = _folder.Run(TriageFolder.FindsNothing);
        Assert.Equal(4, _folder.Summary!.Kept);
        Assert.Equal(all.Records.Select(r => r.Identity), again.Records.Select(r => r.Identity));
        Assert.Equal(before, TriageFolder.Written(_folder.Output));
    }

    [SkippableFact]
    public void Foreign_files_among_the_records_are_warnings()
    {
        TriageRecords all = _folder.Run(TriageFolder.FindsNothing);
        string first = RecordFiles.PathOf(_folder.Output, all.Records[0].Identity);
        string folder = Path.GetDirectoryName(first)!;
        File.Copy(first, Path.Combine(folder, new string('a', 64) + ".json"));
        File.WriteAllText(Path.Combine(folder, new string('b', 64) + ".json"), "[1,2]");
        File.WriteAllText(Path.Combine(folder, new string('c', 64) + ".json"), new string('[', 100_000));
        File.WriteAllText(first, File.ReadAllText(first).Replace("\"dump-report/1\"", "\"dump-report/9\"", StringComparison.Ordinal));
        TriageRecords read = TriageRecords.Read(_folder.Output);
        Assert.Equal(4, read.Warnings.Length);
        Assert.Equal(6, read.Records.Length);
        Assert.Equal(TriageOutcome.DamagedRecord, read.Records[0].Outcome);
        Assert.Equal([true], read.Warnings.Where(w => w.HasRecord).Select(w => w.HasRecord));
    }

    [SkippableFact]
    public void Parts_together_are_the_whole()
    {
        for (int i = 6; i < 20; i++)
        {
            _folder.Pretend($"e/{i}.dmp", i);
        }

        File.Copy(_folder.At("d3.dmp"), _folder.At("copy"));
        _folder.Run(TriageFolder.FindsNothing);
        string whole = _folder.Output + "-whole";
        Directory.Move(_folder.Output, whole);
        int[] counts = [.. Enumerable.Range(1, 4).Select(i =>
        {
            _folder.Run(TriageFolder.FindsNothing, o => o with { Shard = new Shard(i, 4) });
            return _folder.Summary!.Counts.Records;
        })];
        Assert.Equal(20, counts.Sum());
        Assert.DoesNotContain(20, counts);
        Assert.Equal(
            TriageFolder.Written(whole).Where(f => f.Key.StartsWith("records", StringComparison.Ordinal)),
            TriageFolder.Written(_folder.Output).Where(f => f.Key.StartsWith("records", StringComparison.Ordinal)));
        Assert.Equal(
            File.ReadAllLines(Path.Combine(whole, "results.jsonl")).Order(StringComparer.Ordinal),
            Enumerable.Range(1, 4).SelectMany(i => File.ReadAllLines(Path.Combine(_folder.Output, $"results-{i}-of-4.jsonl"))).Order(StringComparer.Ordinal));
    }

    [SkippableFact]
    public void Two_runs_do_not_share_a_folder_but_parts_do()
    {
        Directory.CreateDirectory(_folder.Output);
        using (RunLock.Take(_folder.Output, null))
        {
            Assert.Throws<OutputInUseException>(() => _folder.Run(TriageFolder.FindsNothing));
            Assert.Throws<OutputInUseException>(() => RunLock.Take(_folder.Output, new Shard(1, 2)));
        }

        using (RunLock.Take(_folder.Output, new Shard(1, 2)))
        {
            RunLock.Take(_folder.Output, new Shard(2, 2)).Dispose();
            Assert.Throws<OutputInUseException>(() => RunLock.Take(_folder.Output, new Shard(1, 2)));
            Assert.Throws<OutputInUseException>(() => RunLock.Take(_folder.Output, null));
        }

        _folder.Run(TriageFolder.FindsNothing);
    }

    [SkippableFact]
    public void Output_inside_the_searched_folder_is_not_searched()
    {
        Func<TriageOptions, TriageOptions> inside = o => o with { Output = o.Inputs[0] };
        TriageOptions options = inside(new TriageOptions { Inputs = [_folder.Dumps], Output = "", Program = TriageFolder.FindsNothing });
        Assert.Equal(6, TriageRun.Run(options, null, default).Counts.Records);
        File.WriteAllText(Path.Combine(_folder.Dumps, RecordFiles.Folder, "planted.dmp"), "MDMP");
        Assert.Equal((6, 6), (TriageRun.Run(options, null, default) is var again ? again.Counts.Records : 0, again.Kept));
    }

    [SkippableFact]
    public void Record_that_cannot_be_written_ends_the_run_and_the_next_goes_on()
    {
        Skip.IfNot(OperatingSystem.IsLinux(), "needs a shell");

        // A folder that is not empty stands where the record is written first.
        string identity = Triage.Discovery.DumpIdentity.OfFile(_folder.At("d0.dmp"), out _);
        string record = RecordFiles.PathOf(_folder.Output, identity);
        string plug = record + ".all.partial";
        using CancellationTokenSource never = new();
        string script = $"[ $(basename $last) != d0.dmp ] || mkdir -p {plug}/inside; " + TriageFolder.FindsNothing.Arguments[1];
        UnwritableRecordException error = Assert.Throws<UnwritableRecordException>(() => _folder.Run(TriageFolder.Script(script), o => o with { Jobs = 1 }));
        Assert.Contains(plug, error.Message, StringComparison.Ordinal);
        Assert.False(File.Exists(record));
        Assert.DoesNotContain(TriageRecords.Read(_folder.Output).Records, r => r.Identity == identity);

        Directory.Delete(plug, recursive: true);
        TriageRecords all = _folder.Run(TriageFolder.FindsNothing);
        Assert.Equal(6, all.Records.Length);
        Assert.All(all.Records, r => Assert.Equal(TriageOutcome.Analysed, r.Outcome));
    }

    public void Dispose() => _folder.Dispose();
}
