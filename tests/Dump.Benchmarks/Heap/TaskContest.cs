using System.Globalization;
using Dump.Benchmarks.Measuring;

namespace Dump.Benchmarks.Heap;

/// <summary><c>dumpanalyze tasks</c> as it is shipped, on cores of processes with many pending async methods.</summary>
internal static class TaskContest
{
    private const double MostSeconds = 3;
    private const double MostMegabytes = 500;

    /// <summary>Makes the cores, measures, deletes them; 0 when the goals were met.</summary>
    /// <param name="methods">How many async methods each process has.</param>
    /// <param name="rounds">How often it is measured, after a round that warms up.</param>
    public static int Run(int methods, int rounds)
    {
        using Workspace workspace = new();
        Console.WriteLine(Machine.Describe());
        bool isGood = true;
        foreach ((string name, string what) in (ReadOnlySpan<(string, string)>)[("semaphore", "two methods a request, all requests at one semaphore"),
            ("sources", "each method at a completion source of its own")])
        {
            string core = HeapCore.Make(["task-program", methods.ToString(CultureInfo.InvariantCulture), name], Path.Combine(workspace.Folder, $"{name}.core"));
            SampledRun.Of(workspace.DumpAnalyze, "tasks", core);
            SampledRun[] runs = [.. Enumerable.Range(0, rounds).Select(_ => SampledRun.Of(workspace.DumpAnalyze, "tasks", core))];
            bool isRight = runs.All(r => r.ExitCode == 0 && r.Output.Contains(
                string.Create(CultureInfo.InvariantCulture, $"\n{methods:N0} async methods are pending in 1 kind of chains"), StringComparison.Ordinal));
            double[] seconds = [.. runs.Select(r => r.Seconds).Order()];
            double megabytes = runs.Max(r => r.Megabytes);
            Console.WriteLine(string.Create(
                CultureInfo.InvariantCulture,
                $"{methods:N0} methods, {what}; core of {new FileInfo(core).Length / 1e6:0} MB: {seconds[rounds / 2]:0.00} s ({seconds[0]:0.00} to {seconds[^1]:0.00}; goal {MostSeconds}), most anonymous memory of one process {megabytes:0} MB (goal {MostMegabytes}), {(isRight ? "one kind of chains" : "WRONG ANSWER")}, load average {Machine.Load():0.0}"));
            isGood &= isRight && seconds[rounds / 2] < MostSeconds && megabytes < MostMegabytes;
        }

        return isGood ? 0 : 1;
    }
}
