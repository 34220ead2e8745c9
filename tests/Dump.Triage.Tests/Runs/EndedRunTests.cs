using Dump.Model.Merging;
using Dump.Triage.Records;

namespace Dump.Triage.Tests.Runs;

/// <summary>What ends of analyses and of runs leave behind: no record says of a dump what was said of the run.</summary>
public sealed class EndedRunTests : IDisposable
{
    private const int MostAttempts = 5;
    private readonly TriageFolder _folder = new();

    public EndedRunTests()
    {
        Skip.IfNot(OperatingSystem.IsLinux(), "the stand-in for the analysis is a shell script");
        _folder.Pretend("a.dmp");
    }

    [SkippableTheory]
    [InlineData("HUP", 1)]
    [InlineData("INT", 2)]
    [InlineData("QUIT", 3)]
    [InlineData("KILL", 9)]
    [InlineData("TERM", 15)]
    public void Analysis_killed_from_outside_is_tried_again(string name, int signal)
    {
        TriageRecord record = Assert.Single(_folder.Run(TriageFolder.Script($"kill -{name} $$")).Records);
        Assert.Equal(TriageOutcome.Crashed, record.Outcome);
        Assert.StartsWith($"its analysis was killed from outside (signal {signal})", record.Reason, StringComparison.Ordinal);
        Assert.Equal(TriageOutcome.Analysed, Assert.Single(_folder.Run(TriageFolder.FindsNothing).Records).Outcome);
    }

    [SkippableFact]
    public async Task Signal_that_reaches_the_analysis_before_the_run_leaves_no_record()
    {
        // On a busy machine the run may get its signal after its patience with the analysis' end.
        for (int attempt = 1; !await IsInterrupted(); attempt++)
        {
            Assert.True(attempt < MostAttempts, "the signal came too late each time");
            Directory.Delete(_folder.Output, recursive: true);
        }

        Assert.Empty(TriageRecords.Read(_folder.Output).Records);
    }

    /// <summary>Runs an analysis that is ended by a signal, which the run itself gets a little later; false when it came too late for the run.</summary>
    private async Task<bool> IsInterrupted()
    {
        string started = Path.Combine(Path.GetDirectoryName(_folder.Dumps)!, "started");
        File.Delete(started);
        using CancellationTokenSource ending = new();
        Task interrupt = Task.Factory.StartNew(
            () =>
            {
                Assert.True(SpinWait.SpinUntil(() => File.Exists(started), TimeSpan.FromMinutes(5)));
                Thread.Sleep(50);
                ending.Cancel();
            },
            default,
            TaskCreationOptions.LongRunning,
            TaskScheduler.Default);
        try
        {
            _folder.Run(TriageFolder.Script($"touch {started}; kill -INT $$"), cancellation: ending.Token);
            return false;
        }
        catch (OperationCanceledException)
        {
            return true;
        }
        finally
        {
            await interrupt;
        }
    }

    [SkippableFact]
    public void Summary_is_there_when_the_run_came_to_its_end_and_only_then()
    {
        string all = Path.Combine(_folder.Output, "summary.json");
        string part = Path.Combine(_folder.Output, "summary-1-of-2.json");
        _folder.Run(TriageFolder.FindsNothing);
        _folder.Run(TriageFolder.FindsNothing, o => o with { Shard = new Shard(1, 2) });
        Assert.True(File.Exists(all) && File.Exists(part));
        Assert.Throws<OperationCanceledException>(() => _folder.Run(TriageFolder.FindsNothing, o => o with { Shard = new Shard(1, 2) },
            new CancellationToken(canceled: true)));
        Assert.True(File.Exists(all) && !File.Exists(part));
        Assert.Throws<OperationCanceledException>(() => _folder.Run(TriageFolder.FindsNothing, cancellation: new CancellationToken(canceled: true)));
        Assert.False(File.Exists(all));
    }

    [SkippableFact]
    public void Record_of_a_dump_that_was_still_growing_goes_when_it_is_whole()
    {
        _folder.Pretend("deleted.dmp", 1);
        Assert.All(_folder.Run(TriageFolder.Script("echo more >> $last; exit 0")).Records, r => Assert.Equal(TriageOutcome.Vanished, r.Outcome));
        File.Delete(_folder.At("deleted.dmp"));
        TriageRecords whole = _folder.Run(TriageFolder.FindsNothing);
        Assert.Equal([("a.dmp", TriageOutcome.Analysed), ("deleted.dmp", TriageOutcome.Vanished)], whole.Records.Select(r => (r.Source.Path, r.Outcome)));
    }

    [SkippableTheory]
    [InlineData("\"report\":{\"schema\":\"dump-report/1\"", "\"report\":{\"schema\":\"dump-report/9\"")]
    [InlineData("\"report\":{", "\"other\":{")]
    public void Record_whose_report_cannot_be_read_is_made_anew(string good, string bad)
    {
        TriageRecord record = Assert.Single(_folder.Run(TriageFolder.FindsNothing).Records);
        string path = RecordFiles.PathOf(_folder.Output, record.Identity);
        string text = File.ReadAllText(path);
        File.WriteAllText(path, text.Replace(good, bad, StringComparison.Ordinal));
        Assert.NotEqual(text, File.ReadAllText(path));
        TriageRecords again = _folder.Run(TriageFolder.FindsNothing);
        Assert.Equal(0, _folder.Summary!.Kept);
        Assert.Empty(again.Warnings);
    }

    [SkippableFact]
    public void Again_does_all_anew()
    {
        _folder.Run(TriageFolder.FindsNothing);
        TriageRecords again = _folder.Run(TriageFolder.Script("exit 3"), o => o with { Again = true });
        Assert.Equal((TriageOutcome.Unreadable, 0), (Assert.Single(again.Records).Outcome, _folder.Summary!.Kept));
    }

    public void Dispose() => _folder.Dispose();
}
