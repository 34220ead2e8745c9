using System.Globalization;
using System.Text;

namespace Dump.Benchmarks.Measuring;

/// <summary>Commands that do comparable work on the same dump, measured in turns so that a slow moment of the machine meets all of them.</summary>
/// <param name="title">What is measured.</param>
/// <param name="folder">Where outputs go.</param>
/// <param name="contestants">The commands; the first is the one that the others are compared with.</param>
/// <param name="absent">Peers that could not take part, with the reason.</param>
internal sealed class Contest(string title, string folder, IReadOnlyList<Contestant> contestants, IReadOnlyList<string> absent)
{
    /// <summary>Measures all, and returns a Markdown table. One run of each before the first measured one warms the page cache.</summary>
    public string Run(int runs)
    {
        List<Measurement>[] measured = [.. contestants.Select(_ => new List<Measurement>())];
        string?[] failures = new string?[contestants.Count];
        for (int run = 0; run <= runs; run++)
        {
            for (int i = 0; i < contestants.Count; i++)
            {
                string output = Path.Combine(folder, $"output-{i}.txt");
                Measurement one = MeasuredProcess.Run(contestants[i].Command, output);
                failures[i] ??= contestants[i].Check(output, one.ExitCode);
                if (run > 0)
                {
                    measured[i].Add(one);
                }
            }
        }

        return Table(runs, measured, failures);
    }

    private string Table(int runs, List<Measurement>[] measured, string?[] failures)
    {
        StringBuilder text = new();
        text.AppendLine(CultureInfo.InvariantCulture, $"### {title}").AppendLine();
        text.AppendLine(CultureInfo.InvariantCulture, $"{runs} runs each, in turns, after one warm-up; wall time as median (least to most).").AppendLine();
        text.AppendLine("| program | wall | processor | peak memory | wall against the first |").AppendLine("|---|---|---|---|---|");
        TimeSpan reference = Median(measured[0], m => m.Wall);
        for (int i = 0; i < contestants.Count; i++)
        {
            List<Measurement> all = measured[i];
            TimeSpan wall = Median(all, m => m.Wall);
            text.Append(CultureInfo.InvariantCulture, $"| {contestants[i].Name} | {wall.TotalSeconds:0.00} s ({all.Min(m => m.Wall).TotalSeconds:0.00} to {all.Max(m => m.Wall).TotalSeconds:0.00}) ");
            text.Append(CultureInfo.InvariantCulture, $"| {Median(all, m => m.Processor).TotalSeconds:0.00} s | {all.Max(m => m.PeakBytes) / 1048576.0:0} MiB | {wall / reference:0.0} x |");
            text.AppendLine(failures[i] is { } failure ? $" FAILED: {failure} |" : "");
        }

        foreach (string peer in absent)
        {
            text.AppendLine().AppendLine(CultureInfo.InvariantCulture, $"Not measured: {peer}");
        }

        return text.ToString();
    }

    private static TimeSpan Median(List<Measurement> all, Func<Measurement, TimeSpan> value)
    {
        TimeSpan[] sorted = [.. all.Select(value).Order()];
        return sorted.Length % 2 == 1 ? sorted[sorted.Length / 2] : (sorted[sorted.Length / 2 - 1] + sorted[sorted.Length / 2]) / 2;
    }
}
