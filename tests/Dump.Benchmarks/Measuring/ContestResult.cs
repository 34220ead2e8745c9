using System.Globalization;
using System.Text;

namespace Dump.Benchmarks.Measuring;

/// <summary>The figures of a contest.</summary>
/// <param name="Contest">What was measured.</param>
/// <param name="Measured">For each contestant its runs, in the order of the rounds.</param>
/// <param name="Work">For each contestant what it did.</param>
/// <param name="Loads">Load average of the machine before each round.</param>
internal sealed record ContestResult(
    Contest Contest, IReadOnlyList<IReadOnlyList<Measurement>> Measured, IReadOnlyList<WorkDone> Work, IReadOnlyList<double> Loads)
{
    /// <summary>True when the first command did its work and kept its target in every run.</summary>
    public bool IsGood => Work[0].Failure is null && (Contest.Target is not { } target || Misses(target) == 0);

    /// <summary>The figures as a Markdown section.</summary>
    public string ToMarkdown()
    {
        StringBuilder text = new();
        text.AppendLine($"### {Contest.Title}").AppendLine();
        Add(text, $"{Measured[0].Count} rounds in turns after one that is not counted; median (least to most); load average {Loads.Min():0.0} to {Loads.Max():0.0}.");
        text.AppendLine();
        text.AppendLine("| program | wall, s | CPU, s | peak memory, MB | wall of the first ÷ this | printed |").AppendLine("|---|---|---|---|---|---|");
        for (int i = 0; i < Measured.Count; i++)
        {
            Add(text, $"| {Contest.Contestants[i].Name} | {Spread(i, m => m.Wall.TotalSeconds)} | {Spread(i, m => m.Processor.TotalSeconds)} | {Measured[i].Max(m => m.PeakBytes) / 1e6:0} | {Ratio(i)} | {(Work[i].Failure is { } failure ? $"FAILED: {failure}" : Work[i].Printed)} |");
        }

        if (Contest.Target is { } target)
        {
            int misses = Misses(target);
            text.AppendLine();
            Add(text, $"Target of the first, {target.Wall.TotalSeconds:0.#} s and {target.PeakBytes / 1e6:0} MB: {(misses == 0 ? "kept in every run" : $"MISSED in {misses} of {Measured[0].Count} runs")}.");
        }

        foreach (string peer in Contest.Absent)
        {
            text.AppendLine().AppendLine($"Not measured: {peer}");
        }

        return text.ToString();
    }

    private static void Add(StringBuilder text, FormattableString line) => text.AppendLine(line.ToString(CultureInfo.InvariantCulture));

    private int Misses(Target target) => Measured[0].Count(m => m.Wall > target.Wall || m.PeakBytes > target.PeakBytes);

    private string Spread(int index, Func<Measurement, double> value) => Statistics.Spread(Measured[index].Select(value));

    /// <summary>The median of the rounds' own ratios: what one round has in common, such as another program's load, cancels out.</summary>
    private string Ratio(int index) =>
        Statistics.Median(Measured[0].Zip(Measured[index], (first, own) => first.Wall / own.Wall)).ToString("0.00", CultureInfo.InvariantCulture);
}
