using System.Diagnostics;
using System.Globalization;
using System.Runtime.Versioning;
using Dump.EndToEnd.Tests.Verdicts;
using Dump.Readers.ElfCore;
using Dump.Testing.Lab;

namespace Dump.EndToEnd.Tests.Live;

/// <summary>Whatever the process does and whatever ends the look: it runs on afterwards, and no thread of it is stopped or traced.</summary>
[SupportedOSPlatform("linux")]
public sealed class StormTests
{
    private const int Unreadable = 3;
    private const int SlowTimes = 20;
    private static readonly TimeSpan s_limit = TimeSpan.FromMinutes(2);

    /// <summary>Moments of a look at which it is killed: half of them as soon as it holds the process and up to some milliseconds later, the rest anywhere.</summary>
    [SkippableFact]
    [Trait("Category", "Slow")]
    public void Hundred_killed_looks_leave_nobody_standing()
    {
        const int Kills = 100;
        using StormTarget target = new("threads", "300");
        Random random = new(Kills);
        int held = 0;
        for (int kill = 0; kill < Kills; kill++)
        {
            using Process look = Start(target.Id);
            bool waits = kill % 2 == 0;
            Assert.True(!waits || SpinWait.SpinUntil(() => look.HasExited || target.Tracer != 0, s_limit));
            Thread.Sleep(random.Next(0, waits ? 20 : 600));

            // The program, or its child that traces, in turn.
            int tracer = target.Tracer;
            held += tracer != 0 ? 1 : 0;
            Kill(tracer != 0 && kill % 4 == 0 ? tracer : look.Id);
            Assert.True(look.WaitForExit(s_limit), "the look did not end");
            target.RunsOn();
        }

        // Where no kill met a look that held the process, nothing was shown.
        Assert.InRange(held, Kills / 10, Kills);
    }

    [SkippableTheory]
    [Trait("Category", "Slow")]
    [InlineData("exec")]
    [InlineData("fork")]
    public void Twenty_looks_into_a_storm_leave_nobody_standing(string storm)
    {
        using StormTarget target = new(storm);
        for (int look = 0; look < SlowTimes; look++)
        {
            // A thread that executes a program and one that would trace it can wait for one another in the kernel.
            using Process run = Start(target.Id);
            Task<string> errors = run.StandardError.ReadToEndAsync();
            bool hasEnded = run.WaitForExit(s_limit);
            run.Kill();
            Assert.True(hasEnded, "the look did not end");

            // One that executes another program meanwhile may be of none that can be read.
            Assert.Contains(run.ExitCode, (int[])[Unreadable, 0, 12, 13]);
            Assert.DoesNotContain("its parent has not taken notice", errors.Result, StringComparison.Ordinal);
            target.RunsOn();
        }
    }

    [SkippableFact]
    public void Process_with_3000_threads_runs_on()
    {
        const int Threads = 3_000;
        using StormTarget target = new("threads", $"{Threads}");
        Assert.True(SpinWait.SpinUntil(() => target.Threads > Threads, s_limit));
        DumpAnalyze run = DumpAnalyze.Run("live", $"{target.Id}", "--interval", "100ms");
        Assert.Equal(13, run.ExitCode);
        Assert.Contains($"{Threads + 1:N0} threads", run.Output.Replace("3001", "3,001", StringComparison.Ordinal), StringComparison.Ordinal);
        target.RunsOn();
    }

    [SkippableFact]
    public void Process_under_strace_is_refused_and_runs_on()
    {
        Skip.IfNot(File.Exists("/usr/bin/strace"), "strace is not installed");
        using StormTarget target = new("beat");
        using Process strace = Process.Start(new ProcessStartInfo("strace", ["-f", "-o", "/dev/null", "-p", $"{target.Id}"]) { RedirectStandardError = true })!;
        try
        {
            Assert.True(SpinWait.SpinUntil(() => target.Tracer == strace.Id, s_limit));
            DumpAnalyze run = DumpAnalyze.Run("live", $"{target.Id}", "--interval", "100ms");
            Assert.Equal(Unreadable, run.ExitCode);
            Assert.Contains($"is already traced by process {strace.Id} (strace)", run.Error, StringComparison.Ordinal);
            Assert.Equal(strace.Id, target.Tracer);
            target.Beats();
        }
        finally
        {
            Kill(strace.Id);
            strace.WaitForExit();
        }

        target.RunsOn();
    }

    /// <summary>Its threads are in the calls in which they were frozen, which says nothing of why it does nothing.</summary>
    [SkippableTheory]
    [InlineData("/sys/fs/cgroup/freezer", "freezer.state", "FROZEN", "THAWED")]
    [InlineData("/sys/fs/cgroup/unified", "cgroup.freeze", "1", "0")]
    [InlineData("/sys/fs/cgroup", "cgroup.freeze", "1", "0")]
    public void Frozen_process_is_said_to_be_frozen_and_runs_on_when_it_is_thawed(string hierarchy, string file, string frozen, string thawed)
    {
        string group = Path.Combine(hierarchy, $"dumpanalyze-test-{Environment.ProcessId}-{Guid.NewGuid():N}"), state = Path.Combine(group, file);
        using StormTarget target = new("beat");
        try
        {
            Directory.CreateDirectory(group);
            Skip.IfNot(File.Exists(state), $"no group with {file} can be made in {hierarchy}");
        }
        catch (Exception error) when (error is IOException or UnauthorizedAccessException)
        {
            Skip.If(true, $"no group can be made in {hierarchy}");
        }

        try
        {
            File.WriteAllText(Path.Combine(group, "cgroup.procs"), $"{target.Id}");
            File.WriteAllText(state, frozen);
            Assert.True(SpinWait.SpinUntil(() => !target.Moves(TimeSpan.FromMilliseconds(100)), s_limit), "it was not frozen");
            var clock = Stopwatch.StartNew();
            DumpAnalyze run = DumpAnalyze.Run("live", $"{target.Id}", "--interval", "100ms");
            Assert.InRange(clock.Elapsed, TimeSpan.Zero, s_limit);
            Assert.Equal(Unreadable, run.ExitCode);
            Assert.Contains($"is frozen by its control group and does nothing for that reason; let it go on with: echo {thawed} > {state}", run.Error,
                StringComparison.Ordinal);
        }
        finally
        {
            if (File.Exists(state))
            {
                File.WriteAllText(state, thawed);
            }
        }

        target.RunsOn();
        target.Dispose();
        Assert.True(SpinWait.SpinUntil(() => Removed(group), s_limit), "the group is still there");
    }

    /// <summary>A terminal that stops those who write in the background: what is written while the process is held must not keep it held.</summary>
    [SkippableFact]
    public void Look_in_the_background_that_may_not_write_to_the_terminal_lets_the_process_go()
    {
        Skip.IfNot(File.Exists("/usr/bin/script"), "script is not installed");
        using StormTarget target = new("beat", "64");
        string folder = Directory.CreateTempSubdirectory("dump-tostop-").FullName, core = Path.Combine(folder, "kept.core"), shell = Path.Combine(folder, "run.sh");

        // Progress is shown after half a second: with this interval as long as the process is held.
        File.WriteAllText(shell, $"""
            stty tostop
            set -m
            {string.Join(' ', DumpAnalyze.Command)} live {target.Id} --interval 700ms --keep {core} > {folder}/out 2> /dev/tty < /dev/null &
            echo group $!
            sleep 600
            """);
        ProcessStartInfo start = new("script", ["-qfec", $"bash {shell}", "/dev/null"]) { RedirectStandardOutput = true, RedirectStandardInput = true };
        start.Environment["TERM"] = "xterm";
        using Process terminal = Process.Start(start)!;
        int group = 0;
        try
        {
            while (group == 0)
            {
                string line = terminal.StandardOutput.ReadLine() ?? throw new InvalidOperationException("the terminal ended");
                group = line.StartsWith("group ", StringComparison.Ordinal) ? int.Parse(line[6..], CultureInfo.InvariantCulture) : 0;
            }

            Task<string> shown = terminal.StandardOutput.ReadToEndAsync();
            Assert.True(SpinWait.SpinUntil(() => target.Tracer != 0, s_limit), "the process was not held");
            Assert.True(SpinWait.SpinUntil(() => target.Tracer == 0, TimeSpan.FromMinutes(2)), "the process is held as long as the look may not write");
            target.RunsOn();
            using (ElfCoreFile kept = ElfCoreFile.Open(core))
            {
                Assert.Equal(kept.FileSize, kept.Segments.Max(s => s.FileOffset + (long)s.MemorySize));
            }

            Shell($"kill -9 -- -{group}");
            Kill(terminal.Id);
            Assert.Contains("writing the core", shown.Result, StringComparison.Ordinal);
        }
        finally
        {
            Shell(group == 0 ? "true" : $"kill -9 -- -{group}");
            Kill(terminal.Id);
            terminal.WaitForExit();
            Directory.Delete(folder, recursive: true);
        }
    }

    private static Process Start(int process)
    {
        ProcessStartInfo start = DumpAnalyze.Start("live", $"{process}", "--interval", "100ms");
        start.RedirectStandardOutput = true;
        start.RedirectStandardError = true;
        return Process.Start(start)!;
    }

    private static bool Removed(string group)
    {
        try
        {
            Directory.Delete(group);
            return true;
        }
        catch (IOException)
        {
            return !Directory.Exists(group);
        }
    }

    private static void Kill(int process) => Shell($"kill -9 {process}");

    private static void Shell(string command)
    {
        using Process shell = Process.Start("bash", ["-c", $"{command} 2> /dev/null; true"]);
        shell.WaitForExit();
    }
}
