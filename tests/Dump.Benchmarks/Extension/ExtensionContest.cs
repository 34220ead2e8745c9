using System.Globalization;
using System.Text.RegularExpressions;
using Dump.Benchmarks.Measuring;
using Dump.Benchmarks.Peers;
using Dump.Benchmarks.Scenarios;
using Dump.Testing.Lab;

namespace Dump.Benchmarks.Extension;

/// <summary>
/// The debugger extension beside the program alone: both started by the same debugger host under Wine, on the same dump, in pairs. A new debugger for each
/// pair, which has the dump open before the clock starts.
/// </summary>
internal static partial class ExtensionContest
{
    private const double LongestSeconds = 2;
    private const double LargestOverhead = 0.15;
    private const string Clock = "@milliseconds";

    /// <summary>Measures and prints; 0 when both targets are kept, 1 when not or when it cannot be measured here.</summary>
    /// <param name="rounds">Pairs that count, at least 1; one that is not counted comes first.</param>
    public static int Run(int rounds)
    {
        if ((WineLab.Shared.Unavailable ?? ExtensionLab.Shipped.Unavailable) is { } reason)
        {
            Console.WriteLine($"Not measured: {reason}");
            return 1;
        }

        LabDump hang = FullNativeDump.MakeHang();
        using WineSession session = new();
        List<Pair> pairs = [];
        double least = double.MaxValue, most = 0;
        for (int round = 0; round <= rounds; round++)
        {
            double load = Machine.Load();
            (least, most) = (Math.Min(least, load), Math.Max(most, load));
            Pair pair = Measure(hang.Path, isExtensionFirst: round % 2 == 0);
            if (round > 0)
            {
                pairs.Add(pair);
            }
        }

        return Print(pairs, new FileInfo(hang.Path).Length, $"{least:0.0} to {most:0.0}");
    }

    private static Pair Measure(string dump, bool isExtensionFirst)
    {
        string program = WineLab.WindowsPath(Path.Combine(ManagedWineLab.Program, "dumpanalyze.exe"));
        string[] extension = [Clock, ExtensionLab.Shipped.Load(), "!verdict", Clock];
        string[] alone = [Clock, $"@program {program} {WineLab.WindowsPath(dump)} --format text", Clock];
        string output = WineLab.Shared.RunDebugger(dump, isExtensionFirst ? [.. extension, .. alone] : [.. alone, .. extension]);
        double[] times = [.. Time().Matches(output).Select(m => double.Parse(m.Groups[1].Value, CultureInfo.InvariantCulture) / 1000)];
        if (times.Length != 4 || !output.Contains("DUMP1001", StringComparison.Ordinal))
        {
            throw new InvalidOperationException($"The debugger did not answer: {output}");
        }

        (double first, double second) = (times[1] - times[0], times[3] - times[2]);
        return isExtensionFirst ? new Pair(first, second) : new Pair(second, first);
    }

    private static int Print(List<Pair> pairs, long bytes, string load)
    {
        double extension = Statistics.Median(pairs.Select(p => p.Extension));
        double overhead = Statistics.Median(pairs.Select(p => p.Extension - p.Program));
        FormattableString[] lines =
        [
            $"### extension: real loader-lock hang, full native dump of {bytes / 1e6:0} MB, under Wine",
            $"",
            $"{pairs.Count} pairs, each in a new debugger, after one that is not counted; median (least to most); load average {load}.",
            $"",
            $"| what | wall, s |",
            $"|---|---|",
            $"| `.load` and `!verdict`, to the end of the answer | {Statistics.Spread(pairs.Select(p => p.Extension))} |",
            $"| `dumpanalyze.exe` alone, started by the same debugger | {Statistics.Spread(pairs.Select(p => p.Program))} |",
            $"| the pairs' differences | {Statistics.Spread(pairs.Select(p => p.Extension - p.Program))} |",
            $"",
            $"Targets, {LongestSeconds:0.##} s and a difference of {LargestOverhead:0.##} s (medians): {(extension < LongestSeconds && overhead < LargestOverhead ? "kept" : "MISSED")}.",
        ];
        foreach (FormattableString line in lines)
        {
            Console.WriteLine(line.ToString(CultureInfo.InvariantCulture));
        }

        return extension < LongestSeconds && overhead < LargestOverhead ? 0 : 1;
    }

    [GeneratedRegex(@"(?m)^(\d+) ms$")]
    private static partial Regex Time();

    /// <summary>Seconds that one pair took.</summary>
    private readonly record struct Pair(double Extension, double Program);
}
