using System.Text.RegularExpressions;
using Dump.Benchmarks.Measuring;
using Dump.Benchmarks.Peers;

namespace Dump.Benchmarks.Scenarios;

/// <summary>The program itself as a contestant.</summary>
internal static partial class DumpAnalyzeCommand
{
    /// <summary>The verdict on a dump.</summary>
    /// <param name="program">Path of the program.</param>
    /// <param name="dump">The dump.</param>
    /// <param name="expected">Id that the report must name.</param>
    /// <param name="name">What the table calls it.</param>
    public static Contestant Verdict(string program, string dump, string expected, string name = "`dumpanalyze`") =>
        new(name, [program, dump], (output, exitCode) => new WorkDone("verdict", Failure(output, exitCode, expected)));

    /// <summary>The verdict and every stack, as the peers print them.</summary>
    /// <param name="program">Path of the program.</param>
    /// <param name="dump">The dump.</param>
    /// <param name="expected">Id that the report must name.</param>
    /// <param name="threads">Threads of the dump.</param>
    public static Contestant AllStacks(string program, string dump, string expected, int threads) => new(
        "`dumpanalyze --stacks all`",
        [program, dump, "--stacks", "all"],
        (output, exitCode) =>
        {
            WorkDone stacks = PrintedStacks.Count(output, exitCode, Thread(), Frame(), threads);
            return new WorkDone($"verdict, {stacks.Printed}", Failure(output, exitCode, expected) ?? stacks.Failure);
        });

    private static string? Failure(string output, int exitCode, string expected) =>
        File.ReadLines(output).Any(l => l.StartsWith(expected, StringComparison.Ordinal)) ? null : $"exit code {exitCode}, no {expected}";

    [GeneratedRegex(@"^thread \d+ \(0x")]
    private static partial Regex Thread();

    [GeneratedRegex(@"^ {2,4}\d+  [0-9a-f]{12}  ")]
    private static partial Regex Frame();
}
