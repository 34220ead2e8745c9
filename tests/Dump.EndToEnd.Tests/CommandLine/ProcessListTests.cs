using Dump.EndToEnd.Tests.Verdicts;

namespace Dump.EndToEnd.Tests.CommandLine;

/// <summary><c>live</c> without a process lists those that can be looked at.</summary>
public sealed class ProcessListTests
{
    [SkippableTheory]
    [InlineData("live")]
    [InlineData("tasks live")]
    public void It_lists_living_processes(string command)
    {
        Skip.IfNot(OperatingSystem.IsLinux(), "needs /proc");
        DumpAnalyze run = DumpAnalyze.Run(command.Split(' '));
        Assert.Equal((0, ""), (run.ExitCode, run.Error));
        string[] lines = run.Output.TrimEnd('\n').Split('\n');
        Assert.Equal("  PID      runtime    command line", lines[0]);

        // These tests are such a process themselves.
        string own = Assert.Single(lines, l => l.StartsWith($"  {Environment.ProcessId} ", StringComparison.Ordinal));
        Assert.Contains($" {Environment.Version} ", own, StringComparison.Ordinal);
        Assert.All(lines, l => Assert.InRange(l.Length, 1, 150));
    }
}
