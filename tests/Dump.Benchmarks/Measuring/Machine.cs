using System.Globalization;

namespace Dump.Benchmarks.Measuring;

/// <summary>The machine that measures.</summary>
internal static class Machine
{
    /// <summary>One line: processors, memory, system, runtime.</summary>
    public static string Describe()
    {
        string model = File.ReadLines("/proc/cpuinfo").FirstOrDefault(l => l.StartsWith("model name", StringComparison.Ordinal))?.Split(':', 2)[1].Trim()
            ?? "unknown processor";
        double memory = GC.GetGCMemoryInfo().TotalAvailableMemoryBytes / (double)(1L << 30);
        return string.Create(CultureInfo.InvariantCulture,
            $"Machine: {Environment.ProcessorCount} x {model}, {memory:0} GiB, {Environment.OSVersion.VersionString}, .NET {Environment.Version}");
    }

    /// <summary>Load average of the last minute: how many threads ran or wanted to.</summary>
    public static double Load() => double.Parse(File.ReadAllText("/proc/loadavg").Split(' ')[0], CultureInfo.InvariantCulture);
}
