using System.Diagnostics;
using System.Runtime.Versioning;
using Dump.EndToEnd.Tests.Verdicts;
using Dump.Testing;
using Dump.Testing.Lab;

namespace Dump.EndToEnd.Tests.Live;

/// <summary>Processes that cannot be looked at: one line that says why and what to do.</summary>
[SupportedOSPlatform("linux")]
public sealed class LiveErrorTests
{
    private const int Unreadable = 3;
    private const int Usage = 2;
    private static readonly TimeSpan s_limit = TimeSpan.FromMinutes(5);

    public static TheoryData<string[], string> WrongOptions => new()
    {
        { ["0"], "'0' is not a valid process id" },
        { ["-5"], "" },
        { ["4711x"], "no process is called '4711x'" },
        { ["99999999999"], "'99999999999' is not a valid process id" },
        { ["1", "--samples", "1"], "'1' is not a valid number of samples" },
        { ["1", "--samples", "1001"], "'1001' is not a valid number of samples" },
        { ["1", "--interval", "5"], "'5' is not a valid interval" },
        { ["1", "--interval", "10ms"], "'10ms' is not a valid interval" },
        { ["1", "--interval", "2h"], "'2h' is not a valid interval" },
        { ["1", "--interval", "-1s"], "'-1s' is not a valid interval" },
        { ["1", "--keep", ""], "the name is empty" },
        { ["1", "--keep", "/dev/null"], "exists already" },
        { ["1", "--keep", "/no/such/directory/x.core"], "there is no such directory" },
        { ["--samples", "3"], "PID is missing; type: dumpanalyze live PID" },
        { ["1", "--keep", "-"], "not to standard output" },
        { ["1", "--keep", "/proc/x.core"], "nothing can be made there" },
    };

    [Theory]
    [MemberData(nameof(WrongOptions))]
    public void Wrong_options_are_a_usage_error(string[] arguments, string message)
    {
        DumpAnalyze run = DumpAnalyze.Run(["live", .. arguments]);
        Assert.Equal(Usage, run.ExitCode);
        Assert.Contains(message, run.Error, StringComparison.Ordinal);
        Assert.Empty(run.Output);
    }

    [SkippableFact]
    public void Process_that_does_not_exist()
    {
        SkipUnlessLinux();
        using Process ended = Process.Start("true");
        ended.WaitForExit();
        Refused(DumpAnalyze.Run("live", $"{ended.Id}"), "there is no process");
    }

    [SkippableFact]
    public void Own_process()
    {
        SkipUnlessLinux();
        DumpAnalyze run = DumpAnalyze.RunInShell("exec $0 live $$", "");
        Assert.Equal(Usage, run.ExitCode);
        Assert.Contains("is this program itself", run.Error, StringComparison.Ordinal);
    }

    [SkippableFact]
    public void Thread_instead_of_its_process()
    {
        Skip.If(LinuxLab.Unavailable is not null, LinuxLab.Unavailable);
        using LiveScene scene = LinuxLab.Start("idle");

        // One that lives as long as the process.
        string thread = Directory.GetDirectories($"/proc/{scene.ProcessId}/task").First(d => File.ReadAllText(Path.Combine(d, "comm")) == ".NET Finalizer\n");
        Refused(DumpAnalyze.Run("live", Path.GetFileName(thread)), $"is a thread of process {scene.ProcessId}");
    }

    [SkippableFact]
    public void Stopped_process_stays_stopped()
    {
        SkipUnlessLinux();
        Using("exec sleep 600", process =>
        {
            Signal(process, "STOP");
            Assert.True(SpinWait.SpinUntil(() => State(process) == 'T', s_limit));
            Refused(DumpAnalyze.Run("live", $"{process}"), $"kill -CONT {process}");
            Assert.Equal('T', State(process));
            Signal(process, "CONT");
        });
    }

    [SkippableFact]
    public void Ended_process_that_nobody_took_notice_of()
    {
        SkipUnlessLinux();

        // The shell becomes a sleep, which does not look after the child that it inherits; the child ends when it sees that.
        Using("""(until read -r name < /proc/$$/comm && [ "$name" = sleep ]; do sleep 0.1; done) & echo $!; exec sleep 600""", (_, output) =>
        {
            string child = output.ReadLine()!;
            Assert.True(SpinWait.SpinUntil(() => File.Exists($"/proc/{child}/stat") && File.ReadAllText($"/proc/{child}/stat")
                .Contains(") Z", StringComparison.Ordinal), s_limit));
            Refused(DumpAnalyze.Run("live", child), "has ended");
        });
    }

    /// <summary>On a busy machine a process that lives shortly has ended before the first sample: the next one lives longer.</summary>
    [SkippableFact]
    public void Process_that_ends_between_two_samples()
    {
        SkipUnlessLinux();
        foreach (int seconds in (int[])[2, 5, 15])
        {
            bool isTooLate = false;
            Using($"exec sleep {seconds}", process =>
            {
                DumpAnalyze run = DumpAnalyze.Run("live", $"{process}", "--interval", $"{2 * seconds}s");
                isTooLate = run.Error.Contains("there is no process", StringComparison.Ordinal) || run.Error.Contains("has ended", StringComparison.Ordinal);
                if (!isTooLate)
                {
                    Refused(run, "ended while it was being read");
                }
            });
            if (!isTooLate)
            {
                return;
            }
        }

        Assert.Fail("every process had ended before the first sample");
    }

    [SkippableFact]
    public void Process_of_another_user()
    {
        SkipUnlessLinux();
        Skip.IfNot(Environment.UserName == "root", "needs root, to become another user");
        Skip.IfNot(File.Exists("/usr/bin/setpriv"), "no setpriv tool to become another user");
        Using("exec sleep 600", process =>
        {
            DumpAnalyze run = DumpAnalyze.RunInShell($"HOME=/tmp DOTNET_CLI_HOME=/tmp setpriv --reuid 65534 --regid 65534 --clear-groups $0 live {process}",
                "");
            Skip.If(run.Error.Contains("ermission denied", StringComparison.Ordinal), "the program's files cannot be read by another user");
            Refused(run, "it belongs to user 0; run dumpanalyze as that user or as root");
        });
    }

    /// <summary>A container's root: its own process, which has the right, and one of another user, whose memory is that user's file.</summary>
    [SkippableTheory]
    [InlineData("-sys_ptrace", "0", "root lacks the capability SYS_PTRACE here; add it (")]
    [InlineData("-sys_ptrace", "65534", "root lacks the capability SYS_PTRACE here, and it belongs to user 65534; add it (")]
    [InlineData("-dac_override,-dac_read_search", "65534", "it belongs to user 65534, and root lacks the capability DAC_OVERRIDE here; add it (")]
    public void Root_without_a_capability_is_told_which(string without, string user, string message)
    {
        SkipUnlessLinux();
        Skip.IfNot(Environment.UserName == "root", "needs root, to give a capability away");
        Skip.IfNot(File.Exists("/usr/bin/setpriv"), "no setpriv tool to give a capability away");
        Using($"exec setpriv --reuid {user} sleep 600", process =>
            Refused(DumpAnalyze.RunInShell($"setpriv --bounding-set {without} --inh-caps {without} $0 live {process} --keep kept.core", ""), message));
        Assert.False(File.Exists("kept.core"));
    }

    [SkippableFact]
    public void Process_that_is_traced_already()
    {
        SkipUnlessLinux();
        Skip.IfNot(File.Exists("/usr/bin/gdb"), "no gdb tool to trace a process");
        Using("exec sleep 600", process =>
        {
            using Process tracer = Process.Start(new ProcessStartInfo("gdb", ["-q", "-nx", "-p", $"{process}"]) { RedirectStandardInput = true,
                RedirectStandardOutput = true, RedirectStandardError = true })!;
            try
            {
                Assert.True(SpinWait.SpinUntil(() => !File.ReadAllText($"/proc/{process}/status").Contains("TracerPid:\t0", StringComparison.Ordinal),
                    s_limit));
                Refused(DumpAnalyze.Run("live", $"{process}"), $"already traced by process {tracer.Id}");
            }
            finally
            {
                tracer.Kill();
                tracer.WaitForExit();
            }
        });
    }

    [SkippableFact]
    public void Process_without_net_is_described_and_not_decided()
    {
        SkipUnlessLinux();
        Using("exec sleep 600", process =>
        {
            DumpAnalyze run = DumpAnalyze.Run("live", $"{process}", "--interval", "100ms");
            Assert.Equal(13, run.ExitCode);
            Assert.Contains("who ends the waits of native Linux code", run.Output, StringComparison.Ordinal);
            Assert.Contains("sleeping in clock_nanosleep", run.Output, StringComparison.Ordinal);
            Assert.Contains("was stopped", run.Error, StringComparison.Ordinal);
        });
    }

    /// <summary>The kernel restarts an interrupted sleep by a system call that the process' filter does not allow.</summary>
    [SkippableFact]
    public void Process_whose_filter_lacks_a_system_call_is_warned_of_and_can_be_left_running()
    {
        SkipUnlessLinux();
        Skip.IfNot(File.Exists("/usr/bin/gcc"), "no gcc to build the program with the filter");
        string program = Path.Combine(Path.GetTempPath(), $"filtered-{Guid.NewGuid():N}");
        try
        {
            Using($"gcc -o {program} {Path.Combine(Repository.Root, "samples", "linux", "filtered.c")} && exec {program}", process =>
            {
                DumpAnalyze left = DumpAnalyze.Run("live", $"{process}", "--interval", "100ms", "--no-stop");
                Assert.Equal((13, ""), (left.ExitCode, left.Error));
                Assert.Contains("the process was not stopped, as --no-stop says", left.Output, StringComparison.Ordinal);
                Assert.DoesNotContain("gdb", left.Output, StringComparison.Ordinal);
                Assert.Single(left.Output.Split('\n'), l => l.TrimStart().StartsWith("Capture:", StringComparison.Ordinal));
                Assert.Contains("clock_nanosleep", left.Output, StringComparison.Ordinal);
                Assert.Equal("sleep\n", Name(process));

                DumpAnalyze run = DumpAnalyze.Run("live", $"{process}", "--interval", "100ms");
                Assert.Contains($"process {process} filters its system calls (seccomp)", run.Error, StringComparison.Ordinal);
                Assert.Contains("--no-stop looks without stopping it", run.Error, StringComparison.Ordinal);
            });
        }
        finally
        {
            File.Delete(program);
        }
    }

    private static void Refused(DumpAnalyze run, string message)
    {
        Assert.Equal(Unreadable, run.ExitCode);
        Assert.Contains(message, run.Error, StringComparison.Ordinal);
        Assert.Single(run.Error.TrimEnd('\n').Split('\n'));
        Assert.Empty(run.Output);
    }

    private static void SkipUnlessLinux() => Skip.If(LinuxLab.Unavailable is not null, LinuxLab.Unavailable);

    private static char State(int process) => File.ReadAllText($"/proc/{process}/stat") is var stat ? stat[stat.LastIndexOf(')') + 2] : ' ';

    private static string Name(int process)
    {
        try
        {
            return File.ReadAllText($"/proc/{process}/comm");
        }
        catch (IOException)
        {
            // It has ended.
            return "";
        }
    }

    private static void Signal(int process, string name)
    {
        using Process sender = Process.Start("kill", [$"-{name}", $"{process}"]);
        sender.WaitForExit();
    }

    private static void Using(string command, Action<int> act) => Using(command, (process, _) => act(process));

    private static void Using(string command, Action<int, StreamReader> act)
    {
        using Process process = Process.Start(new ProcessStartInfo("bash", ["-c", command]) { RedirectStandardOutput = true })!;
        try
        {
            // The shell becomes what it runs.
            Assert.True(SpinWait.SpinUntil(() => process.HasExited || Name(process.Id) == "sleep\n", s_limit));
            act(process.Id, process.StandardOutput);
        }
        finally
        {
            process.Kill();
            process.WaitForExit();
        }
    }
}
