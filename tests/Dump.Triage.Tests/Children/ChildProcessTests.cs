using System.Runtime.Versioning;
using Dump.Model.Merging;
using Dump.Triage.Children;
using Dump.Triage.Records;

namespace Dump.Triage.Tests.Children;

/// <summary>Analyses that hang, crash, take all memory or never stop talking: each is a record, and nothing of them stays.</summary>
[SupportedOSPlatform("linux")]
public sealed class ChildProcessTests : IDisposable
{
    private const string LinuxOnly = "the stand-in for the analysis is a shell script";
    private const int ProcessesOfScript = 3;
    private readonly TriageFolder _folder = new();

    [SkippableFact]
    public void Child_that_hangs_is_ended_with_what_it_has_started()
    {
        Skip.IfNot(OperatingSystem.IsLinux(), LinuxOnly);
        string[] started = StartedUntilTheLimit(5);
        if (started.Length < ProcessesOfScript)
        {
            // On a busy machine the script may not have come that far.
            started = StartedUntilTheLimit(60);
        }

        Assert.Equal(ProcessesOfScript, started.Length);

        // Their pipes are closed before the system is done with them.
        Assert.True(SpinWait.SpinUntil(() => !started.Any(IsAlive), TimeSpan.FromMinutes(5)), "a process that it has started goes on");
    }

    [SkippableFact]
    public void Child_that_stands_still_is_ended_where_progress_is_asked_for()
    {
        Skip.IfNot(OperatingSystem.IsLinux(), LinuxOnly);
        ChildLimits limits = new(TimeSpan.FromMinutes(9), 1L << 30) { Idle = TimeSpan.FromSeconds(2) };
        ChildResult result = ChildProcess.Run(
            new AnalysisProgram("sleep", ["600"]), [], new Dictionary<string, string>(), limits, CancellationToken.None);
        Assert.Equal((ChildEnd.Idle, null), (result.End, result.ExitCode));
    }

    [SkippableTheory]
    [InlineData("kill -SEGV $$", "its analysis crashed (signal 11)")]
    [InlineData("kill -ABRT $$", "its analysis crashed (signal 6)")]
    [InlineData("echo 'dumpanalyze: internal error, please report it: X: y' >&2; exit 1",
        "its analysis failed (exit code 1): internal error, please report it: X: y")]
    [InlineData("echo '{\"schema\":\"dump-repo'; exit 10", "its analysis failed (exit code 10): it gave no reason")]
    [InlineData("echo '{}'", "its analysis failed (exit code 0): it gave no reason")]
    public void Crash_is_a_record(string script, string reason)
    {
        Skip.IfNot(OperatingSystem.IsLinux(), LinuxOnly);
        TriageRecord record = Only(script);
        Assert.Equal((TriageOutcome.Crashed, reason), (record.Outcome, record.Reason));
    }

    [SkippableFact]
    public void Kill_from_outside_is_a_record_that_the_next_run_makes_anew()
    {
        Skip.IfNot(OperatingSystem.IsLinux(), LinuxOnly);
        TriageRecord record = Only("kill -KILL $$");
        Assert.Equal(TriageOutcome.Crashed, record.Outcome);
        Assert.Contains("killed from outside", record.Reason, StringComparison.Ordinal);
        Assert.Equal(TriageOutcome.Analysed, Assert.Single(_folder.Run(TriageFolder.FindsNothing).Records).Outcome);
    }

    [SkippableFact]
    public void Damaged_dump_is_a_record_with_the_analysis_own_words()
    {
        Skip.IfNot(OperatingSystem.IsLinux(), LinuxOnly);
        TriageRecord record = Only("echo 'dumpanalyze: x.dmp: cut off' >&2; exit 3");
        Assert.Equal((TriageOutcome.Unreadable, "x.dmp: cut off", 3), (record.Outcome, record.Reason, record.ExitCode));
    }

    [SkippableFact]
    public void Memory_of_a_process_that_the_child_started_counts()
    {
        Skip.IfNot(OperatingSystem.IsLinux(), LinuxOnly);
        TriageRecord record = Only(
            "head -c 700000000 /dev/zero | tail -c 600000000 | sleep 600", o => o with { Memory = 256L << 20, Timeout = TimeSpan.FromMinutes(9) });
        Assert.Equal((TriageOutcome.OutOfMemory, "its analysis needs more memory than the limit of 256 MiB"), (record.Outcome, record.Reason));
    }

    [SkippableTheory]
    [InlineData("echo 'dumpanalyze: OutOfMemoryException Out of memory.dmp: cut off' >&2; exit 3", TriageOutcome.Unreadable)]
    [InlineData("echo 'dumpanalyze: Out of memory.dmp: System.OutOfMemoryException.zip' >&2; exit 134", TriageOutcome.Crashed)]
    public void Name_of_a_dump_says_nothing_of_memory(string script, TriageOutcome outcome)
    {
        Skip.IfNot(OperatingSystem.IsLinux(), LinuxOnly);
        Assert.Equal(outcome, Only(script).Outcome);
    }

    [SkippableTheory]
    [InlineData("echo 'Out of memory.' >&2; exit 134")]
    [InlineData("echo 'Unhandled exception. System.OutOfMemoryException: x' >&2; exit 134")]
    [InlineData("echo 'dumpanalyze: internal error, please report it: OutOfMemoryException: x' >&2; exit 1")]
    public void Heap_that_is_full_is_out_of_memory(string script)
    {
        Skip.IfNot(OperatingSystem.IsLinux(), LinuxOnly);
        Assert.Equal(TriageOutcome.OutOfMemory, Only(script).Outcome);
    }

    [SkippableFact]
    public void Report_without_end_is_refused()
    {
        Skip.IfNot(OperatingSystem.IsLinux(), LinuxOnly);
        TriageRecord record = Only("cat /dev/zero");
        Assert.Equal((TriageOutcome.Refused, "its report is longer than any that is kept"), (record.Outcome, record.Reason));
    }

    [SkippableFact]
    public void Complaints_without_end_do_no_harm()
    {
        Skip.IfNot(OperatingSystem.IsLinux(), LinuxOnly);
        TriageRecord record = Only("head -c 50000000 /dev/zero >&2; echo >&2; echo 'dumpanalyze: the end' >&2; exit 3");
        Assert.Equal((TriageOutcome.Unreadable, "the end"), (record.Outcome, record.Reason));
    }

    [SkippableFact]
    public void File_that_goes_away_or_changes_while_it_is_read_has_no_verdict()
    {
        Skip.IfNot(OperatingSystem.IsLinux(), LinuxOnly);
        _folder.Pretend("a.dmp", 0);
        _folder.Pretend("b.dmp", 1);
        _folder.Pretend("c.dmp", 2);
        TriageRecords records = _folder.Run(TriageFolder.Script("case $last in *a.dmp) rm $last;; *b.dmp) echo x >> $last;; esac; "
            + TriageFolder.FindsNothing.Arguments[1]));
        Assert.Equal([TriageOutcome.Vanished, TriageOutcome.Vanished, TriageOutcome.Analysed], records.Records.Select(r => r.Outcome));
        Assert.Equal("it went away while it was read", records.Records[0].Reason);
        Assert.StartsWith("it changed while it was read", records.Records[1].Reason, StringComparison.Ordinal);
        Assert.Null(records.Records[1].Report);
    }

    [SkippableFact]
    public void Limit_that_was_raised_lets_the_dump_be_tried_again()
    {
        Skip.IfNot(OperatingSystem.IsLinux(), LinuxOnly);
        TriageRecord record = Only("sleep 300", o => o with { Timeout = TimeSpan.FromSeconds(1) });
        Assert.Equal(TriageOutcome.TimedOut, record.Outcome);
        Assert.Equal(TriageOutcome.TimedOut, Assert.Single(_folder.Run(TriageFolder.FindsNothing, o => o with { Timeout = TimeSpan.FromSeconds(1) }).Records)
            .Outcome);
        Assert.Equal(1, _folder.Summary!.Kept);
        Assert.Equal(TriageOutcome.Analysed, Assert.Single(_folder.Run(TriageFolder.FindsNothing, o => o with { Timeout = TimeSpan.FromMinutes(5) }).Records)
            .Outcome);
    }

    [SkippableFact]
    public void Crash_of_the_first_attempt_is_followed_by_one_with_a_guard()
    {
        Skip.IfNot(OperatingSystem.IsLinux(), LinuxOnly);
        TriageRecord record = Only("case $1 in child:*) kill -SEGV $$;; esac; " + TriageFolder.FindsNothing.Arguments[1]);
        Assert.Equal(TriageOutcome.Analysed, record.Outcome);
    }

    public void Dispose() => _folder.Dispose();

    /// <summary>Runs an analysis that starts processes and does not end; gives the ids of all of them.</summary>
    private string[] StartedUntilTheLimit(int seconds)
    {
        string ids = _folder.At("ids");
        File.WriteAllText(ids, "");
        TriageRecord record = Only(
            $"trap '' TERM INT; (sleep 300 & echo $! >> {ids}; setsid -w sleep 300) & echo $! >> {ids}; echo $$ >> {ids}; sleep 300",
            o => o with { Timeout = TimeSpan.FromSeconds(seconds), Again = true });
        Assert.Equal((TriageOutcome.TimedOut, $"its analysis was not done after {seconds} s"), (record.Outcome, record.Reason));
        Assert.Null(record.ExitCode);
        return File.ReadAllLines(ids);
    }

    private TriageRecord Only(string script, Func<TriageOptions, TriageOptions>? change = null)
    {
        _folder.Pretend("a.dmp");
        return Assert.Single(_folder.Run(TriageFolder.Script(script), change).Records);
    }

    // One that has ended and that nobody has asked about yet is a zombie.
    private static bool IsAlive(string id)
    {
        try
        {
            return !File.ReadAllText($"/proc/{id}/stat").Split(')')[^1].TrimStart().StartsWith('Z');
        }
        catch (IOException)
        {
            return false;
        }
    }
}
