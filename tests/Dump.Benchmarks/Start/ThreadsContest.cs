using System.Globalization;
using Dump.Benchmarks.Heap;
using Dump.Benchmarks.Measuring;

namespace Dump.Benchmarks.Start;

/// <summary>
/// The verdict on cores of .NET processes with few and with many idle threads, beside ClrMD's bare list of the managed stacks of the same core by a program that
/// is compiled ahead of time for the shared .NET.
/// </summary>
internal static class ThreadsContest
{
    private const double MostTimesOfList = 1.5;
    private const double MostMillisecondsForThread = 0.3;
    private static readonly int[] s_threads = [10, 500, 2_500];

    /// <summary>Measures; 0 when the program as it is shipped kept the goals.</summary>
    /// <param name="others">Paths of other builds of <c>dumpanalyze</c>, to compare with.</param>
    /// <param name="rounds">How often, after a round that warms up.</param>
    public static int Run(IReadOnlyList<string> others, int rounds)
    {
        using Workspace workspace = new();
        (string Name, string Program)[] contestants =
            [("the archive", StartContest.BuildArchive()), ("ClrMD's list", workspace.StackList), .. others.Select(o => (o, o))];
        Console.WriteLine(Machine.Describe());
        Console.WriteLine();
        Console.WriteLine("| threads | program | wall, s: median (least to most) | CPU, s | CPU ÷ list's | goal | load average |");
        Console.WriteLine("|---|---|---|---|---|---|---|");
        List<double[]> processor = [];
        bool isGood = true;
        foreach (int threads in s_threads)
        {
            string core = HeapCore.Make(["thread-program", threads.ToString(CultureInfo.InvariantCulture)], Path.Combine(workspace.Folder, "threads.core"));
            Measurement[][] runs = Measure(contestants, core, rounds, Path.Combine(workspace.Folder, "output.txt"));
            double[] medians = [.. runs.Select(r => Statistics.Median(r.Select(m => m.Processor.TotalSeconds)))];
            foreach ((int i, (string name, _)) in contestants.Index())
            {
                Console.WriteLine(string.Create(CultureInfo.InvariantCulture,
                    $"| {threads:N0} | {name} | {Statistics.Spread(runs[i].Select(m => m.Wall.TotalSeconds))} | {Statistics.Spread(runs[i].Select(m => m.Processor.TotalSeconds))} | {medians[i] / medians[1]:0.00} | {MostTimesOfList} | {Machine.Load():0.0} |"));
            }

            isGood &= medians[0] <= MostTimesOfList * medians[1];
            processor.Add(medians);
            File.Delete(core);
        }

        Console.WriteLine();
        foreach ((int i, (string name, _)) in contestants.Index())
        {
            double each = (processor[^1][i] - processor[0][i]) * 1000 / (s_threads[^1] - s_threads[0]);
            Console.WriteLine(string.Create(CultureInfo.InvariantCulture, $"{name}: {each:0.00} ms of CPU time for each further thread (goal {MostMillisecondsForThread})"));
            isGood &= i > 0 || each <= MostMillisecondsForThread;
        }

        return isGood ? 0 : 1;
    }

    private static Measurement[][] Measure((string Name, string Program)[] contestants, string core, int rounds, string output)
    {
        List<Measurement>[] runs = [.. contestants.Select(_ => new List<Measurement>())];
        for (int round = 0; round <= rounds; round++)
        {
            for (int turn = 0; turn < contestants.Length; turn++)
            {
                int i = (round + turn) % contestants.Length;
                Measurement one = MeasuredProcess.Run([contestants[i].Program, core], output);
                if (round > 0)
                {
                    runs[i].Add(one);
                }
            }
        }

        return [.. runs.Select(r => r.ToArray())];
    }
}
