using Dump.EndToEnd.Tests.Verdicts;

namespace Dump.EndToEnd.Tests.CommandLine;

/// <summary><c>live</c> without a process lists those that can be looked at.</summary>
public sealed class ProcessListTests
{
    [SkippableTheory]
    [InlineData("live")]
    [InlineData("tasks live")]
    public void It_lists_living_processes_and_is_wrong_usage(string command)
    {
        Skip.IfNot(OperatingSystem.IsLinux(), "needs /proc");
        DumpAnalyze run = DumpAnalyze.Run(command.Split(' '));
        Assert.Equal((2, ""), (run.ExitCode, run.Output));
        string[] lines = run.Error.TrimEnd('\n').Split('\n');
        Assert.Equal([$"dumpanalyze: PID is missing; type: dumpanalyze {command} PID", "  PID      runtime    command line"], lines[..2]);

        // These tests are such a process themselves.
        string own = Assert.Single(lines, l => l.StartsWith($"  {Environment.ProcessId} ", StringComparison.Ordinal));
        Assert.Contains($" {Environment.Version} ", own, StringComparison.Ordinal);
        Assert.All(lines, l => Assert.InRange(l.Length, 1, 150));
    }
}
