using System.Diagnostics;
using System.Runtime.Versioning;
using Dump.Capture.Proc;
using Dump.Model.Process;

namespace Dump.Capture.Tests;

/// <summary>Children that cannot go on, and children of children: real ones of this process.</summary>
[SupportedOSPlatform("linux")]
public sealed class StandingChildrenTests
{
    private static readonly TimeSpan s_patience = TimeSpan.FromMinutes(2);

    /// <summary>The shell waits for a program whose output goes to this process, which does not read it: <c>WaitForExit</c> on the shell has no end.</summary>
    [SkippableTheory]
    [InlineData("head -c 1000000 /dev/zero; true", "(head) of child process")]
    [InlineData("exec head -c 1000000 /dev/zero", "(head)")]
    public void Writer_to_a_full_pipe_is_found_below_a_shell_too(string command, string name)
    {
        Skip.IfNot(OperatingSystem.IsLinux(), "needs Linux");
        using Process shell = Process.Start(new ProcessStartInfo("sh", ["-c", command]) { RedirectStandardOutput = true })!;
        try
        {
            StandingChild child = Find(name)!;
            Assert.NotNull(child);
            Assert.True(child.IsConnected);
            Assert.EndsWith("which is full and which this process reads", child.Standstill, StringComparison.Ordinal);
        }
        finally
        {
            // The end of the reader ends the writer, and with it the shell.
            shell.StandardOutput.Close();
            shell.WaitForExit();
        }
    }

    /// <summary>A child that has stopped itself is found as long as it is stopped.</summary>
    [SkippableFact]
    public void Stopped_child_of_a_shell_is_found()
    {
        Skip.IfNot(OperatingSystem.IsLinux(), "needs Linux");
        using Process shell = Process.Start(new ProcessStartInfo("sh", ["-c", "sh -c 'kill -STOP $$; true'; true"]) { RedirectStandardInput = true })!;
        try
        {
            StandingChild child = Find($"(sh) of child process {shell.Id}")!;
            Assert.NotNull(child);
            Assert.StartsWith("is stopped by a signal", child.Standstill, StringComparison.Ordinal);
        }
        finally
        {
            int stopped = ChildProcesses.Below(shell.Id, 8).Select(d => d.Id).FirstOrDefault();
            if (stopped != 0)
            {
                using Process kill = Process.Start("kill", ["-KILL", $"{stopped}"]);
                kill.WaitForExit();
            }

            shell.WaitForExit();
        }
    }

    /// <summary>A server hands its work to children that run its program, and has no pipe to them.</summary>
    [SkippableTheory]
    [InlineData("sh -c 'kill -STOP $$; true' > /dev/null 2>&1 < /dev/null; true", true)]
    [InlineData("sleep 1000 > /dev/null 2>&1 < /dev/null & until read -r name < /proc/$!/comm && [ $name = sleep ]; do :; done; kill -STOP $!; wait", false)]
    public void Stopped_worker_of_the_same_program_matters_to_its_server(string command, bool isWorker)
    {
        Skip.IfNot(OperatingSystem.IsLinux(), "needs Linux");
        using Process server = Process.Start(new ProcessStartInfo("sh", ["-c", command]))!;
        try
        {
            StandingChild child = Find(isWorker ? "(sh)" : "(sleep)", server.Id)!;
            Assert.NotNull(child);
            Assert.Equal(isWorker, child.IsConnected);
        }
        finally
        {
            server.Kill(entireProcessTree: true);
            server.WaitForExit();
        }
    }

    private static StandingChild? Find(string name, int? parent = null)
    {
        Stopwatch waited = Stopwatch.StartNew();
        while (waited.Elapsed < s_patience)
        {
            var before = StandingChildren.Of(parent ?? Environment.ProcessId);
            Thread.Sleep(20);
            if (before.Still().FirstOrDefault(c => c.Name.Contains(name, StringComparison.Ordinal)) is { } found)
            {
                return found;
            }
        }

        return null;
    }
}
