using System.Globalization;
using System.Runtime.Versioning;
using System.Text.Json;
using Dump.Capture;
using Dump.Capture.Proc;
using Dump.Cli.Running;
using Dump.EndToEnd.Tests.Verdicts;
using Dump.Model.Process;
using Dump.Readers;
using Dump.Testing;
using Dump.Testing.Lab;

namespace Dump.EndToEnd.Tests.Live;

/// <summary>A launcher names the child that it waits for, and <c>--follow</c> looks at that one as well, within limits.</summary>
[SupportedOSPlatform("linux")]
public sealed class FollowTests
{
    [SkippableFact]
    public void Launcher_names_its_child()
    {
        Skip.If(LinuxLab.Unavailable is not null, LinuxLab.Unavailable);
        using LiveScene running = LinuxLab.StartApart("process-wait");
        int child = ChildOf(running.ProcessId);
        (int exitCode, JsonElement report) = LiveLook.UntilDecided(running, null);
        VerdictAssert.Is(null, exitCode, report);
        JsonElement wait = Assert.Single(report.Member("waits").EnumerateArray(),
            w => w.Member("resource").Member("kind").GetString() == "ChildProcess");
        Assert.Equal($"0x{child:x}", wait.Member("resource").Member("identity").GetString());
        Assert.Equal("'sh'", wait.Member("state").GetString());
    }

    [SkippableFact]
    public void Child_is_looked_at_as_well()
    {
        Skip.If(LinuxLab.Unavailable is not null, LinuxLab.Unavailable);
        using LiveScene running = LinuxLab.StartApart("process-wait");
        int child = ChildOf(running.ProcessId);
        DumpAnalyze run = DumpAnalyze.Run("live", $"{running.ProcessId}", "--follow");
        string said = string.Join(' ', run.Output.Split((char[]?)null, StringSplitOptions.RemoveEmptyEntries));
        Assert.Contains($"the end of the child process {child} ('sh')", said, StringComparison.Ordinal);
        Assert.Contains($"Followed to process {child} (sh): of process {running.ProcessId} thread ", said, StringComparison.Ordinal);

        // The child reads from a pipe that the launcher writes: it is looked at once, and whether it hangs its own report tells.
        Assert.Equal(1, run.Output.Split("Followed to process").Length - 1);
        Assert.Equal(13, run.ExitCode);
    }

    [Fact]
    public void Json_is_one_document()
    {
        DumpAnalyze run = DumpAnalyze.Run("live", "1", "--follow", "--format", "json");
        Assert.Equal(2, run.ExitCode);
        Assert.Contains("leave out --format json, or --follow", run.Error, StringComparison.Ordinal);
    }

    [Theory]
    [InlineData(0, 10, 10)]
    [InlineData(13, 0, 13)]
    [InlineData(12, 11, 11)]
    [InlineData(11, 14, 11)]
    [InlineData(13, 14, 14)]
    public void Strongest_answer_counts(int first, int second, int expected) => Assert.Equal(
        expected, FollowedProcesses.Run(Look(1), first, id => (Look(id), second), l => l.Snapshot.ProcessId == 1 ? [To(2)] : [], _ => { }));

    [Fact]
    public void Processes_that_wait_for_each_other_are_each_looked_at_once()
    {
        List<int> looked = [];
        FollowedProcesses.Run(Look(1), 0, id =>
        {
            looked.Add(id);
            return (Look(id), 0);
        }, l => l.Snapshot.ProcessId == 1 ? [To(2)] : [To(1), To(2)], _ => { });
        Assert.Equal([2], looked);
    }

    [Fact]
    public void What_lies_behind_the_limits_is_named_and_undecided()
    {
        List<string> told = [];
        int looks = 0;
        int code = FollowedProcesses.Run(Look(1), 0, id =>
        {
            looks++;
            return (Look(id), 0);
        }, l => l.Snapshot.ProcessId == 1 ? [.. Enumerable.Range(2, 20).Select(To)] : [], told.Add);
        Assert.Equal((FollowedProcesses.MostProcesses, 13), (looks, code));
        Assert.Contains(told, t => t.StartsWith("Not looked at: process 21", StringComparison.Ordinal));
    }

    [Fact]
    public void Chain_of_processes_ends_after_some_steps()
    {
        int looks = 0;
        FollowedProcesses.Run(Look(1), 0, id =>
        {
            looks++;
            return (Look(id), 0);
        }, l => [To((int)l.Snapshot.ProcessId!.Value + 1)], _ => { });
        Assert.Equal(FollowedProcesses.MostSteps, looks);
    }

    [Fact]
    public void Process_that_may_not_be_looked_at_leaves_the_answer_undecided()
    {
        List<string> told = [];
        int code = FollowedProcesses.Run(Look(1), 0, _ => throw new InvalidDumpException("process 2 may not be read"), _ => [To(2)], told.Add);
        Assert.Equal(13, code);
        Assert.Equal("It could not be looked at: process 2 may not be read", told[^1]);
    }

    private static AwaitedProcess To(int id) => new(id, $"p{id}", "thread 0x1 waits for its end");

    private static LiveSnapshot Look(int id) => new(
        new ProcessSnapshot
        {
            Source = new SourceDescription($"process {id}", "living", null, null, null),
            System = new SystemDescription(ProcessorArchitecture.X64, 6, 1, 0, null, false, "Linux"),
            ProcessId = (uint)id,
            Available = DataAvailability.All,
        },
        TimeSpan.Zero);

    private static int ChildOf(int process) => int.Parse(
        string.Concat(Directory.GetDirectories($"/proc/{process}/task").Select(t => File.ReadAllText(Path.Combine(t, "children")))).Trim(),
        CultureInfo.InvariantCulture);
}
