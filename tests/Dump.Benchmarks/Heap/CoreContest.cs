using System.Globalization;
using Dump.Benchmarks.Measuring;

namespace Dump.Benchmarks.Heap;

/// <summary>
/// The verdict on a core with a large heap, which it must not depend on: <c>dumpanalyze FILE</c> as it is shipped, on a process in which two threads wait for
/// each other.
/// </summary>
internal static class CoreContest
{
    private const double MostSeconds = 0.5;
    private const double MostMegabytes = 80;
    private const long BytesEach = 50;

    /// <summary>Makes the core, measures, deletes it; 0 when the goals were met.</summary>
    /// <param name="objects">How many small objects the heap gets.</param>
    /// <param name="rounds">How often it is measured, after a round that warms up.</param>
    public static int Run(int objects, int rounds)
    {
        using Workspace workspace = new();
        workspace.RequireFreeSpace(objects * BytesEach);
        Console.WriteLine(Machine.Describe());
        string core = HeapCore.Make(objects, Path.Combine(workspace.Folder, "hang.core"), hangs: true);
        Console.WriteLine(string.Create(CultureInfo.InvariantCulture,
            $"Core of {new FileInfo(core).Length / 1e9:0.00} GB with {objects:N0} objects and a deadlock of two monitors, load average {Machine.Load():0.0}"));
        SampledRun.Of(workspace.DumpAnalyze, core);
        SampledRun[] runs = [.. Enumerable.Range(0, rounds).Select(_ => SampledRun.Of(workspace.DumpAnalyze, core))];
        bool isRight = runs.All(r => r.ExitCode is 10 or 11 && r.Output.Contains("DUMP1002", StringComparison.Ordinal));
        double[] seconds = [.. runs.Select(r => r.Seconds).Order()];
        double megabytes = runs.Max(r => r.Megabytes);
        Console.WriteLine(string.Create(
            CultureInfo.InvariantCulture,
            $"`dumpanalyze FILE`: {seconds[rounds / 2]:0.00} s ({seconds[0]:0.00} to {seconds[^1]:0.00}; goal {MostSeconds}), most anonymous memory of one process {megabytes:0.0} MB (goal {MostMegabytes}), {(isRight ? "verdict DUMP1002" : "WRONG ANSWER")}, load average {Machine.Load():0.0}"));
        return isRight && seconds[rounds / 2] < MostSeconds && megabytes < MostMegabytes ? 0 : 1;
    }
}
