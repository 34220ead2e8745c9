using System.Diagnostics;
using System.Globalization;
using System.Text.RegularExpressions;
using Dump.Benchmarks.Measuring;

namespace Dump.Benchmarks.Live;

/// <summary>
/// <c>dumpanalyze live</c> as it is shipped on processes with few and with many threads: how long they stand still, and what a look costs. Other builds run in
/// turns with it.
/// </summary>
internal static partial class LiveContest
{
    private const int Looks = 7;
    private static readonly TimeSpan s_startLimit = TimeSpan.FromMinutes(5);

    // How long a process may stand still in one look, by its number of threads.
    private static readonly (int Threads, double? MostSeconds)[] s_processes = [(10, 0.5), (100, 0.5), (500, null), (2_500, 2)];

    /// <summary>Measures; 0 when the goals were met by the program as it is shipped.</summary>
    /// <param name="others">Paths of other builds of <c>dumpanalyze</c>, to compare with.</param>
    public static int Run(IReadOnlyList<string> others)
    {
        using Workspace workspace = new();
        string[] programs = [workspace.DumpAnalyze, .. others];
        Console.WriteLine(Machine.Describe());
        Console.WriteLine();
        Console.WriteLine("| threads | program | stood still, s: median (least to most) | CPU of a look, s | exit codes | load average |");
        Console.WriteLine("|---|---|---|---|---|---|");
        bool isGood = true;
        foreach ((int threads, double? mostSeconds) in s_processes)
        {
            using Process process = Start(threads);
            try
            {
                Look[][] looks = Measure(process.Id, programs, workspace.Folder);
                for (int i = 0; i < programs.Length; i++)
                {
                    double[] stopped = [.. looks[i].Select(l => l.Stopped)];
                    Console.WriteLine(string.Create(CultureInfo.InvariantCulture,
                        $"| {threads:N0} | {(i == 0 ? "this build" : programs[i])} | {Statistics.Spread(stopped)} | {Statistics.Spread(looks[i].Select(l => l.Processor))} | {string.Join(' ', looks[i].Select(l => l.ExitCode).Distinct().Order())} | {Machine.Load():0.0} |"));
                    isGood &= i > 0 || !(Statistics.Median(stopped) > mostSeconds);
                }
            }
            finally
            {
                process.Kill();
                process.WaitForExit();
            }
        }

        return isGood ? 0 : 1;
    }

    private static Process Start(int threads)
    {
        Process process = Process.Start(
            new ProcessStartInfo("dotnet", [typeof(LiveContest).Assembly.Location, "thread-program",
                threads.ToString(CultureInfo.InvariantCulture)]) { RedirectStandardOutput = true })!;
        if (Task.Run(() => process.StandardOutput.ReadLine()).WaitAsync(s_startLimit).GetAwaiter().GetResult() != "ready")
        {
            process.Kill();
            throw new InvalidOperationException($"The program with {threads} threads did not get ready.");
        }

        return process;
    }

    /// <summary>One round that warms up, then all programs in turns.</summary>
    private static Look[][] Measure(int process, string[] programs, string folder)
    {
        List<Look>[] looks = [.. programs.Select(_ => new List<Look>())];
        for (int round = 0; round <= Looks; round++)
        {
            for (int i = 0; i < programs.Length; i++)
            {
                Look look = Once(process, programs[i], folder);
                if (round > 0)
                {
                    looks[i].Add(look);
                }
            }
        }

        return [.. looks.Select(l => l.ToArray())];
    }

    private static Look Once(int process, string program, string folder)
    {
        string output = Path.Combine(folder, "look");
        Measurement run = MeasuredProcess.Run([program, "live", process.ToString(CultureInfo.InvariantCulture), "--interval", "100ms"], output);
        Match stopped = Stopped().Match(File.ReadAllText(output + ".errors"));
        if (!stopped.Success)
        {
            throw new InvalidOperationException($"{program} did not look: {File.ReadAllText(output + ".errors")}");
        }

        double number = double.Parse(stopped.Groups["number"].Value, CultureInfo.InvariantCulture);
        return new Look(stopped.Groups["unit"].Value == "ms" ? number / 1000 : number, run.Processor.TotalSeconds, run.ExitCode);
    }

    [GeneratedRegex(@"was stopped for (?<number>[0-9.]+) (?<unit>ms|s)\b")]
    private static partial Regex Stopped();

    private sealed record Look(double Stopped, double Processor, int ExitCode);
}
