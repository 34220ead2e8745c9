using System.Globalization;

namespace Dump.Benchmarks.Measuring;

/// <summary>Describes the machine that measured.</summary>
internal static class Machine
{
    /// <summary>One line: processors, memory, load.</summary>
    public static string Describe()
    {
        string model = File.ReadLines("/proc/cpuinfo").FirstOrDefault(l => l.StartsWith("model name", StringComparison.Ordinal))?.Split(':', 2)[1].Trim() ?? "unknown processor";
        double memory = GC.GetGCMemoryInfo().TotalAvailableMemoryBytes / (double)(1L << 30);
        string load = File.ReadAllText("/proc/loadavg").Split(' ')[0];
        return string.Create(CultureInfo.InvariantCulture, $"Machine: {Environment.ProcessorCount} x {model}, {memory:0} GiB, {Environment.OSVersion.VersionString}, .NET {Environment.Version}; load before the first run {load}");
    }
}
