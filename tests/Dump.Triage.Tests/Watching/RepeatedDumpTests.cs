using System.Runtime.Versioning;
using Dump.Model.Merging;
using Dump.Triage.Children;
using Dump.Triage.Discovery;
using Dump.Triage.Records;

namespace Dump.Triage.Tests.Watching;

/// <summary>What came to nothing for a reason that may be gone is tried again while the watch goes on.</summary>
[SupportedOSPlatform("linux")]
public sealed class RepeatedDumpTests : WatchTest
{
    [SkippableFact]
    public void Dump_that_was_renamed_while_it_was_read_gets_its_verdict()
    {
        Skip.IfNot(OperatingSystem.IsLinux(), LinuxOnly);
        Watch(
            () =>
            {
                Until(_ => true);
                Folder.Pretend("A.dmp.part", 1);
                Until(s => s.Counts is { Records: 1, Likely: 1 });
            }, First("mv \"$last\" \"${last%.part}\""));
        RecordContent record = Assert.Single(Records());
        Assert.Equal((TriageOutcome.Analysed, "A.dmp"), (record.Outcome, record.Sources[0].Text));
    }

    [SkippableTheory]
    [InlineData("kill -KILL $$")]
    [InlineData("touch -d 2001-01-01 \"$last\"")]
    public void Dump_whose_analysis_came_to_nothing_is_analysed_again(string fault)
    {
        Skip.IfNot(OperatingSystem.IsLinux(), LinuxOnly);
        Folder.Pretend("A.dmp", 1);
        Watch(() => Until(s => s.Counts is { Records: 1, Likely: 1 }), First(fault));
        Assert.Equal(TriageOutcome.Analysed, Assert.Single(Records()).Outcome);
        Assert.Single(File.ReadLines(Path.Combine(Folder.Output, "results.jsonl")));
    }

    [SkippableFact]
    public void State_of_a_file_that_grew_is_no_dump_of_its_own()
    {
        Skip.IfNot(OperatingSystem.IsLinux(), LinuxOnly);
        string path = Folder.Pretend("A.dmp", 1);
        File.Copy(path, Folder.At("B.dmp"));
        Watch(() =>
        {
            Until(s => s.Counts.Records == 1);
            File.AppendAllText(path, "more");
            Until(s => s.Counts.Records == 2);
            File.AppendAllText(path, "and more");
            string whole = DumpIdentity.OfFile(path, out _);
            UntilTrue(() => Records().Any(r => r.Identity == whole));
            Until(s => s.Counts.Records == 2);
            File.Move(Folder.Pretend("../other", 7), path, overwrite: true);
            Until(s => s.Counts.Records == 3);
        });
        Assert.Equal(["A.dmp", "A.dmp", "B.dmp"], Records().Select(r => string.Join(',', r.Sources.Select(s => s.Text))).Order(StringComparer.Ordinal));
    }

    [SkippableFact]
    public void Dump_that_a_larger_one_was_written_over_keeps_its_record()
    {
        Skip.IfNot(OperatingSystem.IsLinux(), LinuxOnly);
        string path = Folder.Pretend("A.dmp", 1);
        byte[] other = [.. File.ReadAllBytes(Folder.Pretend("../other", 7)), 1, 2, 3];
        string earlier = DumpIdentity.OfFile(path, out _);
        Watch(() =>
        {
            Until(s => s.Counts.Records == 1);
            using (FileStream file = new(path, FileMode.Open, FileAccess.Write))
            {
                file.Write(other);
            }

            Until(s => s.Counts.Records == 2);
            File.AppendAllText(path, "more");
            string whole = DumpIdentity.OfFile(path, out _);
            UntilTrue(() => Records().Any(r => r.Identity == whole));
            Until(s => s.Counts.Records == 2);
        });
        Assert.Contains(Records(), r => r.Identity == earlier);
        Assert.All(Records(), r => Assert.Equal(TriageOutcome.Analysed, r.Outcome));
    }

    [SkippableFact]
    public void Dump_that_changed_while_it_was_read_leaves_no_record_of_its_half()
    {
        Skip.IfNot(OperatingSystem.IsLinux(), LinuxOnly);
        Folder.Pretend("A.dmp", 1);
        Watch(() => Until(s => s.Counts is { Records: 1, Likely: 1 }), First("echo more >> \"$last\""));
        Assert.Equal(TriageOutcome.Analysed, Assert.Single(Records()).Outcome);
    }

    /// <summary>An earlier watch that was killed has left it.</summary>
    [SkippableFact]
    public void Record_of_a_half_that_an_earlier_run_left_goes_while_the_watch_goes_on()
    {
        Skip.IfNot(OperatingSystem.IsLinux(), LinuxOnly);
        Folder.Pretend("A.dmp", 1);
        Folder.Run(First("echo more >> \"$last\""));
        Assert.Equal(TriageOutcome.Vanished, Assert.Single(Records()).Outcome);
        Watch(() =>
        {
            Until(s => s.Counts.Records == 1);
            UntilTrue(() => Records() is [{ Outcome: TriageOutcome.Analysed }]);
        });
    }

    /// <summary>Does something the first time that it is started, and then answers.</summary>
    private AnalysisProgram First(string fault) => TriageFolder.Script($"if mkdir {Folder.Output}/../first 2>/dev/null; then {fault}; fi; {Answering}");
}
