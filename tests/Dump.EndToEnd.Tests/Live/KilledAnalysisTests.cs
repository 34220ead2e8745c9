using System.Diagnostics;
using System.Globalization;
using System.Runtime.Versioning;
using Dump.EndToEnd.Tests.Verdicts;
using Dump.Readers.ElfCore;
using Dump.Testing.Lab;

namespace Dump.EndToEnd.Tests.Live;

/// <summary>However an analysis of a living process ends, the process goes on and no file is left.</summary>
[SupportedOSPlatform("linux")]
public sealed class KilledAnalysisTests : IDisposable
{
    private static readonly TimeSpan s_limit = TimeSpan.FromMinutes(5);
    private const int MostAttempts = 5;
    private readonly string _directory = Directory.CreateTempSubdirectory("dump-killed-").FullName;

    private string Kept => Path.Combine(_directory, "kept.core");

    /// <summary>Signal, and milliseconds after the first moment at which the process is traced; -1 for before that.</summary>
    public static TheoryData<string, int> Moments => new()
    {
        { "KILL", -1 }, { "KILL", 0 }, { "KILL", 1 }, { "KILL", 5 }, { "KILL", 50 }, { "KILL", 200 },
        { "INT", 0 }, { "INT", 50 }, { "TERM", 0 }, { "TERM", 100 },
    };

    [SkippableTheory]
    [MemberData(nameof(Moments))]
    public void Process_goes_on_and_nothing_is_left(string signal, int moment)
    {
        Skip.If(LinuxLab.Unavailable is not null, LinuxLab.Unavailable);
        using LiveScene scene = LinuxLab.Start("spin-crowd");
        using Process analysis = Start(scene.ProcessId);
        Assert.True(SpinWait.SpinUntil(() => analysis.HasExited || (moment < 0 ? analysis.TotalProcessorTime > TimeSpan.Zero : scene.Tracer != 0), s_limit));
        Thread.Sleep(Math.Max(0, moment));
        End(analysis, signal);
        GoesOn(scene);
        Assert.DoesNotContain(Directory.EnumerateFiles(_directory), f => !IsComplete(f));
    }

    /// <summary>Ctrl+Z goes to all processes of the program. It stops once the process goes on, and answers when the shell lets it go on.</summary>
    [SkippableTheory]
    [InlineData("TSTP", 20)]
    [InlineData("TTOU", 5)]
    [InlineData("TTIN", 5)]
    public void Analysis_that_a_terminal_stops_holds_nobody(string signal, int times)
    {
        Skip.If(LinuxLab.Unavailable is not null, LinuxLab.Unavailable);
        using LiveScene scene = LinuxLab.Start("spin-crowd");
        Random random = new(times);
        int met = 0;
        for (int time = 0; time < times || (met == 0 && time < 10 * times); time++)
        {
            // In a group of its own, as a shell starts it: signals of a terminal stop no group whose parent is of another session. The shell's own wait -f goes
            // round for ever, now and then, when its job was stopped and let go in the moment at which it ended: the end of the output tells that one instead.
            using Process shell = Process.Start(new ProcessStartInfo("env",
                [$"--default-signal={signal}", "bash", "-c", "set -m; \"$@\" < /dev/null & echo $!; exec sleep 900 > /dev/null", "shell", .. DumpAnalyze.Command, "live",
                    $"{scene.ProcessId}", "--interval", "200ms"])
            {
                RedirectStandardOutput = true,
            })!;
            int group = int.Parse(shell.StandardOutput.ReadLine()!, CultureInfo.InvariantCulture);
            Task<string> output = shell.StandardOutput.ReadToEndAsync();
            Assert.True(SpinWait.SpinUntil(() => output.IsCompleted || scene.Tracer != 0, s_limit));
            met += scene.Tracer != 0 ? 1 : 0;
            Thread.Sleep(random.Next(0, 30));
            Signal(signal, group);
            GoesOn(scene);
            Assert.True(SpinWait.SpinUntil(
                () =>
                {
                    // Which has its effect only then: the program has stopped, or had ended before.
                    Signal("CONT", group);
                    return output.Wait(100);
                },
                s_limit), $"the analysis did not end:\n{States(shell.Id, group)}");
            shell.Kill();
            Assert.Contains("process", output.Result, StringComparison.Ordinal);
        }

        Assert.NotEqual(0, met);
    }

    /// <summary>The processes of a group and the shell that waits for them, with what each thread does, for the message of a failure.</summary>
    private static string States(int shell, int group)
    {
        using Process lister = Process.Start(new ProcessStartInfo("ps", ["-eL", "-o", "pgid,pid,tid,ppid,stat,time,ignored,caught,blocked,wchan:30,args"])
        {
            RedirectStandardOutput = true,
        })!;
        string[] lines = lister.StandardOutput.ReadToEnd().Split('\n');
        lister.WaitForExit();
        return string.Join('\n', lines.Where((line, i) => i == 0 || line.Split(' ', StringSplitOptions.RemoveEmptyEntries) is [var of, var process, ..]
            && (of == $"{group}" || process == $"{shell}")));
    }

    /// <summary>Sends a signal to a process group, unless it has ended.</summary>
    private static void Signal(string name, int group)
    {
        using Process sender = Process.Start("bash", ["-c", $"kill -{name} -- -{group} 2> /dev/null; true"]);
        sender.WaitForExit();
    }

    [SkippableFact]
    public void Core_that_is_being_written_leaves_no_file()
    {
        Skip.If(LinuxLab.Unavailable is not null, LinuxLab.Unavailable);
        using LiveScene scene = LinuxLab.Start("spin-crowd");
        int attempt = 1;
        while (!KillsTheWriter(scene))
        {
            Assert.True(attempt++ < MostAttempts, "every analysis had ended before it was seen to write");
            File.Delete(Kept);
        }

        GoesOn(scene);
        Assert.DoesNotContain(Directory.EnumerateFiles(_directory), f => !IsComplete(f));
    }

    public void Dispose() => Directory.Delete(_directory, recursive: true);

    /// <summary>Kills an analysis in the middle of its core; false when it had ended before.</summary>
    private bool KillsTheWriter(LiveScene scene)
    {
        const long SomeBytes = 1 << 20;
        using Process analysis = Start(scene.ProcessId);

        // The one that traces writes: the analysis runs in a child of the program.
        Assert.True(SpinWait.SpinUntil(() => analysis.HasExited || (scene.Tracer is > 0 and var tracer && Written(tracer) > SomeBytes), s_limit));
        if (analysis.HasExited)
        {
            return false;
        }

        // Another process that sends the signal would come too late.
        analysis.Kill();
        Assert.True(analysis.WaitForExit(s_limit), "the analysis did not end");
        return true;
    }

    private static void End(Process analysis, string signal)
    {
        using (Process sender = Process.Start("kill", [$"-{signal}", $"{analysis.Id}"]))
        {
            sender.WaitForExit();
        }

        Assert.True(analysis.WaitForExit(s_limit), "the analysis did not end");
    }

    private static void GoesOn(LiveScene scene)
    {
        Assert.True(SpinWait.SpinUntil(() => scene.Tracer == 0 && !scene.ThreadStates.Any(s => s is 'T' or 't'), s_limit), scene.ThreadStates);
        uint owner = scene.Threads("owner").Single();
        long before = scene.ProcessorTicks(owner);
        Assert.True(SpinWait.SpinUntil(() => scene.ProcessorTicks(owner) > before, s_limit), "the process does not go on");
    }

    /// <summary>Bytes that a process has written; 0 once it has ended.</summary>
    private static long Written(int process)
    {
        try
        {
            return File.ReadLines($"/proc/{process}/io").Where(l => l.StartsWith("wchar: ", StringComparison.Ordinal))
                .Select(l => long.Parse(l.AsSpan(7), CultureInfo.InvariantCulture)).FirstOrDefault();
        }
        catch (IOException)
        {
            return 0;
        }
    }

    /// <summary>A signal may come too late: then there is a whole core. The runtime's own channels are no files of ours.</summary>
    private static bool IsComplete(string file)
    {
        string name = Path.GetFileName(file);
        if (name.StartsWith("dotnet-diagnostic", StringComparison.Ordinal) || name.StartsWith("clr-debug-pipe", StringComparison.Ordinal))
        {
            return true;
        }

        using ElfCoreFile core = ElfCoreFile.Open(file);
        return core.Segments.Max(s => s.FileOffset + (long)s.MemorySize) == core.FileSize && core.Threads.Count > 50;
    }

    private Process Start(int process)
    {
        ProcessStartInfo start = DumpAnalyze.Start("live", $"{process}", "--interval", "200ms", "--keep", Kept);
        start.RedirectStandardOutput = true;
        start.RedirectStandardError = true;
        start.Environment["TMPDIR"] = _directory;
        return Process.Start(start)!;
    }
}
