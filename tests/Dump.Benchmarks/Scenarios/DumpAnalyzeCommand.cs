using Dump.Benchmarks.Measuring;

namespace Dump.Benchmarks.Scenarios;

/// <summary>The program itself as a contestant.</summary>
internal static class DumpAnalyzeCommand
{
    /// <summary>The verdict on a dump.</summary>
    /// <param name="workspace">Where the program is.</param>
    /// <param name="dump">The dump.</param>
    /// <param name="expected">Id that the report must name.</param>
    public static Contestant On(Workspace workspace, string dump, string expected) => new(
        "dumpanalyze (verdict)",
        [workspace.DumpAnalyze, dump],
        (output, exitCode) => File.ReadLines(output).Any(l => l.StartsWith(expected, StringComparison.Ordinal)) ? null : $"exit code {exitCode}, no {expected}");
}
