using System.Globalization;
using System.Text.RegularExpressions;
using Dump.Benchmarks.Measuring;
using Dump.Benchmarks.Peers;
using Dump.Testing.Lab;

namespace Dump.Benchmarks.Extension;

/// <summary>
/// What the extension's commands take on a .NET process that the debugger has stopped, under Wine: a new process and a new debugger for each round, which has
/// stopped the process before the clock starts.
/// </summary>
internal static partial class StoppedProcessContest
{
    private const double LongestSeconds = 2;
    private const string Version = "10.0.12";
    private const string Scene = "monitor-cycle3";
    private const string Clock = "@milliseconds";

    /// <summary>Measures and prints; 0 when the target is kept, 1 when not or when it cannot be measured here.</summary>
    /// <param name="rounds">Rounds that count, at least 1; one that is not counted comes first.</param>
    public static int Run(int rounds)
    {
        if ((WineLab.Shared.Unavailable ?? ExtensionLab.Shipped.Unavailable ?? ManagedWineLab.Unavailable ?? ManagedWineLab.Runtime(Version).Unavailable)
            is { } reason)
        {
            Console.WriteLine($"Not measured: {reason}");
            return 1;
        }

        using WineSession session = new();
        List<Round> counted = [];
        double least = double.MaxValue, most = 0;
        for (int round = 0; round <= rounds; round++)
        {
            double load = Machine.Load();
            (least, most) = (Math.Min(least, load), Math.Max(most, load));
            Round measured = Measure();
            if (round > 0)
            {
                counted.Add(measured);
            }
        }

        return Print(counted, $"{least:0.0} to {most:0.0}");
    }

    private static Round Measure()
    {
        string[] commands = [Clock, ExtensionLab.Shipped.Load(), "!verdict", Clock, "!verdict", Clock, "~*e !lockchain ~.", Clock];
        string[] sample = ManagedWineLab.Command(Version, Scene);
        (string output, _) = WineLab.Shared.RunDebuggerOnProcess(sample[0], DebuggerStance.Stopping, sample[1..], commands);
        double[] times = [.. Time().Matches(output).Select(m => double.Parse(m.Groups[1].Value, CultureInfo.InvariantCulture) / 1000)];
        if (times.Length != 4 || !output.Contains("DUMP1002", StringComparison.Ordinal))
        {
            throw new InvalidOperationException($"The debugger did not answer: {output}");
        }

        return new Round(times[1] - times[0], times[2] - times[1], times[3] - times[2]);
    }

    private static int Print(List<Round> rounds, string load)
    {
        bool isKept = Statistics.Median(rounds.Select(r => r.First)) < LongestSeconds;
        FormattableString[] lines =
        [
            $"### extension: .NET {Version} process with three threads in a cycle of monitors, stopped by the debugger, under Wine",
            $"",
            $"{rounds.Count} debuggers after one that is not counted; the runtime searched for; median (least to most); load average {load}.",
            $"",
            $"| command | wall, s |",
            $"|---|---|",
            $"| `.load` and the first `!verdict` | {Statistics.Spread(rounds.Select(r => r.First))} |",
            $"| second `!verdict` | {Statistics.Spread(rounds.Select(r => r.Second))} |",
            $"| `~*e !lockchain ~.` on all threads | {Statistics.Spread(rounds.Select(r => r.EachThread))} |",
            $"",
            $"Target, {LongestSeconds:0.##} s for the first (median): {(isKept ? "kept" : "MISSED")}.",
        ];
        foreach (FormattableString line in lines)
        {
            Console.WriteLine(line.ToString(CultureInfo.InvariantCulture));
        }

        return isKept ? 0 : 1;
    }

    [GeneratedRegex(@"(?m)^(\d+) ms$")]
    private static partial Regex Time();

    /// <summary>Seconds that the commands of one debugger took.</summary>
    private readonly record struct Round(double First, double Second, double EachThread);
}
