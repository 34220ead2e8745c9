using System.Globalization;

namespace Dump.Benchmarks.Measuring;

/// <summary>What is printed of several measurements.</summary>
internal static class Statistics
{
    /// <summary>The middle one, or the mean of the two in the middle.</summary>
    public static double Median(IEnumerable<double> values)
    {
        double[] sorted = [.. values.Order()];
        return (sorted[(sorted.Length - 1) / 2] + sorted[sorted.Length / 2]) / 2;
    }

    /// <summary>"MEDIAN (LEAST to MOST)" with two decimals.</summary>
    public static string Spread(IEnumerable<double> values)
    {
        double[] all = [.. values];
        return string.Create(CultureInfo.InvariantCulture, $"{Median(all):0.00} ({all.Min():0.00} to {all.Max():0.00})");
    }
}
