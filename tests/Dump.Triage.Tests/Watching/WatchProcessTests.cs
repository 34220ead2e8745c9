using System.Runtime.Versioning;
using System.Text.Json;
using Dump.Testing;
using Dump.Triage.Records;
using Dump.Triage.Tests.Runs;

namespace Dump.Triage.Tests.Watching;

/// <summary>The program itself as a watch: real dumps, a program that is told, metrics, and an end by a signal.</summary>
[SupportedOSPlatform("linux")]
public sealed class WatchProcessTests : IDisposable
{
    private const string LinuxOnly = "signals are sent on Linux only";
    private const int Terminate = 15;
    private static readonly TimeSpan s_limit = TimeSpan.FromMinutes(5);
    private readonly TriageFolder _folder = new();

    [SkippableTheory]
    [InlineData(TriageProcess.Interrupt)]
    [InlineData(Terminate)]
    public void Watch_tells_of_a_hang_and_ends_by_a_signal_with_0(int signal)
    {
        Skip.IfNot(OperatingSystem.IsLinux(), LinuxOnly);
        string told = _folder.At("..", "told"), metrics = _folder.At("..", "metrics.prom"), program = _folder.At("..", "tell me");
        File.WriteAllText(program, $"#!/bin/sh\n[ $# = 0 ] && cat >> {told}\n");
        File.SetUnixFileMode(program, UnixFileMode.UserRead | UnixFileMode.UserWrite | UnixFileMode.UserExecute);
        using var run = TriageProcess.Start(
            _folder.Dumps, "--out", _folder.Output, "--watch", "--notify-command", program, "--metrics", metrics);
        Wait(run, () => File.Exists(metrics));
        _folder.Fixture("cs-cycle2", "a.dmp");
        Wait(run, () => File.Exists(told) && File.ReadAllText(told).EndsWith('}'));
        _folder.Fixture("loader-exit-healthy", "b.dmp");
        Wait(run, () => File.ReadAllText(metrics).Contains("dumpanalyze_watch_dumps_analysed_total 2\n", StringComparison.Ordinal));
        run.Signal(signal);
        Assert.Equal(0, run.WaitForExit());
        Assert.Empty(run.Survivors());
        using var notice = JsonDocument.Parse(File.ReadAllText(told));
        Assert.Empty(JsonSchemaCheck.Errors(File.ReadAllText(told)));
        Assert.Equal(("DUMP1002", "a.dmp"), (notice.RootElement.Member("detector").GetString(), notice.RootElement.Member("source").GetString()));
        Assert.Contains("dumpanalyze_watch_dumps{answer=\"confirmed\"} 1\n", File.ReadAllText(metrics), StringComparison.Ordinal);
        Assert.Equal(2, RecordFiles.Enumerate(_folder.Output).Count());
        Assert.True(File.Exists(Path.Combine(_folder.Output, "summary.json")));
    }

    [SkippableFact]
    public void Killed_watch_leaves_nothing_and_the_next_one_goes_on()
    {
        Skip.IfNot(OperatingSystem.IsLinux(), LinuxOnly);
        _folder.Fixture("cs-cycle2", "a.dmp");
        using (var run = TriageProcess.Start(_folder.Dumps, "--out", _folder.Output, "--watch"))
        {
            Wait(run, () => run.Survivors().Count > 1 || Records() == 1);
            run.Signal(TriageProcess.KillAtOnce);
            run.WaitForExit();
            Assert.True(SpinWait.SpinUntil(() => run.Survivors().Count == 0, s_limit), "a process goes on");
        }

        using (var run = TriageProcess.Start(_folder.Dumps, "--out", _folder.Output, "--watch"))
        {
            Wait(run, () => Records() == 1 && File.Exists(Path.Combine(_folder.Output, "summary.json")));
            run.Signal(Terminate);
            Assert.Equal(0, run.WaitForExit());
        }
    }

    /// <summary>Rights change neither the size of a file nor its time.</summary>
    [SkippableFact]
    public void File_that_may_be_read_later_is_looked_at_then()
    {
        Skip.IfNot(OperatingSystem.IsLinux() && Environment.IsPrivilegedProcess, "becoming another user needs root");
        Skip.IfNot(File.Exists("/usr/bin/setpriv"), "setpriv (util-linux) is missing");
        Skip.IfNot(IsOpenToOthers(Path.GetTempPath()), "another user may not go through the folder of temporary files");
        string root = Path.GetDirectoryName(_folder.Dumps)!, metrics = _folder.At("..", "open", "metrics.prom");
        File.SetUnixFileMode(_folder.Fixture("loader-exit-healthy", "a.dmp"), UnixFileMode.None);
        foreach (string folder in new[] { root, Path.GetDirectoryName(metrics)! })
        {
            File.SetUnixFileMode(folder, (UnixFileMode)0x1FF);
        }

        using var run = TriageProcess.StartAsNobody(_folder.Dumps, "--out", _folder.Output, "--watch", "--metrics", metrics);
        Wait(run, () => File.Exists(metrics) && File.ReadAllText(metrics).Contains("not_looked_at 1\n", StringComparison.Ordinal));
        File.SetUnixFileMode(_folder.At("a.dmp"), UnixFileMode.UserRead | UnixFileMode.OtherRead);
        Wait(run, () => File.ReadAllText(metrics) is var text && text.Contains("analysed_total 1\n", StringComparison.Ordinal)
            && text.Contains("not_looked_at 0\n", StringComparison.Ordinal));
        run.Signal(Terminate);
        Assert.Equal(0, run.WaitForExit());
    }

    private static bool IsOpenToOthers(string folder)
    {
        for (DirectoryInfo? at = new(folder); at is not null; at = at.Parent)
        {
            if ((at.UnixFileMode & UnixFileMode.OtherExecute) == 0)
            {
                return false;
            }
        }

        return true;
    }

    [SkippableFact]
    public void Watches_for_parts_have_a_file_of_notices_each()
    {
        Skip.IfNot(OperatingSystem.IsLinux(), LinuxOnly);
        using var run = TriageProcess.Start(_folder.Dumps, "--out", _folder.Output, "--watch", "--shard", "1/2", "--notify-command", "/bin/true");
        Wait(run, () => File.Exists(Path.Combine(_folder.Output, "notices-1-of-2.txt")));
        run.Signal(Terminate);
        Assert.Equal(0, run.WaitForExit());
        Assert.False(File.Exists(Path.Combine(_folder.Output, "notices.txt")));
    }

    [Theory]
    [InlineData("--metrics is an option of a watch; add --watch", "--metrics", "m.prom")]
    [InlineData("--prune is an option of a watch; add --watch", "--prune", "5")]
    [InlineData("give an http or https address", "--watch", "--notify-url", "ftp://example.org/")]
    [InlineData("give the path of a program", "--watch", "--notify-command", "/nowhere/at/all")]
    [InlineData("use either --notify-url or --notify-command", "--watch", "--notify-url", "http://127.0.0.1:1/", "--notify-command", "/bin/true")]
    [InlineData("--notices keeps what was told", "--watch", "--notices", "x")]
    public void Wrong_use_is_named(string expected, params string[] options)
    {
        using var run = TriageProcess.Start([_folder.Dumps, "--out", _folder.Output, .. options]);
        Assert.Equal(2, run.WaitForExit());
        Assert.Contains(expected, run.Error, StringComparison.Ordinal);
        Assert.Single(run.Error.Split('\n', StringSplitOptions.RemoveEmptyEntries));
    }

    public void Dispose() => _folder.Dispose();

    private int Records() => Directory.Exists(Path.Combine(_folder.Output, RecordFiles.Folder)) ? RecordFiles.Enumerate(_folder.Output).Count() : 0;

    private static void Wait(TriageProcess run, Func<bool> condition)
    {
        Assert.True(SpinWait.SpinUntil(() => condition() || run.HasExited, s_limit), "the state does not come");
        Assert.False(run.HasExited, run.HasExited ? run.Error : "");
    }
}
