using System.Globalization;
using Dump.Benchmarks.Heap;
using Dump.Benchmarks.Measuring;
using Dump.Testing;
using Dump.Testing.Fixtures;

namespace Dump.Benchmarks.Start;

/// <summary>
/// What the program does before it can begin: methods that the runtime must compile although a build is precompiled, counted by the runtime itself (none where
/// there is no runtime), and the processor time of the whole command. Other builds run in turns with it.
/// </summary>
internal static class StartContest
{
    private const int MostMethods = 300;
    private const double MostSecondsOnFixture = 0.15;
    private const double MostSecondsOnCore = 0.25;
    private const int ThreadsOfCore = 10;

    /// <summary>Measures; 0 when the first program kept the goals.</summary>
    /// <param name="programs">Paths of builds of <c>dumpanalyze</c>; the linux-x64 archive of this repository is built when there is none.</param>
    /// <param name="rounds">How often the processor time is measured, after a round that warms up.</param>
    public static int Run(IReadOnlyList<string> programs, int rounds)
    {
        using Workspace workspace = new();
        programs = programs.Count > 0 ? programs : [BuildArchive()];
        Console.WriteLine(Machine.Describe());
        string fixture = Fixture.Named("loader-exit").Path;
        string core = HeapCore.Make(["thread-program", ThreadsOfCore.ToString(CultureInfo.InvariantCulture)], Path.Combine(workspace.Folder, "threads.core"));
        bool isGood = Measure("the fixture loader-exit.dmp", fixture, programs, rounds, workspace.Folder, MostSecondsOnFixture, MostMethods);
        isGood &= Measure($"a core of a .NET process with {ThreadsOfCore} threads", core, programs, rounds, workspace.Folder, MostSecondsOnCore, null);
        Console.WriteLine();
        Console.WriteLine($"Compiled for the fixture by {programs[0]}:");
        Console.WriteLine();
        Console.Write(CompilationList.Of(workspace.Folder, [programs[0], fixture]).ToMarkdown());
        return isGood ? 0 : 1;
    }

    private static bool Measure(string what, string dump, IReadOnlyList<string> programs, int rounds, string folder, double mostSeconds, int? mostMethods)
    {
        List<Measurement>[] measured = [.. programs.Select(_ => new List<Measurement>())];
        for (int round = 0; round <= rounds; round++)
        {
            for (int turn = 0; turn < programs.Count; turn++)
            {
                int i = (round + turn) % programs.Count;
                Measurement one = MeasuredProcess.Run([programs[i], dump], Path.Combine(folder, "output.txt"));
                if (round > 0)
                {
                    measured[i].Add(one);
                }
            }
        }

        Console.WriteLine();
        Console.WriteLine(string.Create(CultureInfo.InvariantCulture, $"On {what}, {rounds} rounds in turns, load average {Machine.Load():0.0}"));
        Console.WriteLine();
        Console.WriteLine("| program | methods compiled | goal | CPU, s: median (least to most) | goal | wall, s | peak memory, MB |");
        Console.WriteLine("|---|---|---|---|---|---|---|");
        bool isGood = true;
        for (int i = 0; i < programs.Count; i++)
        {
            int methods = CompilationList.Of(folder, [programs[i], dump]).Methods.Count;
            double[] processor = [.. measured[i].Select(m => m.Processor.TotalSeconds)];
            Console.WriteLine(string.Create(CultureInfo.InvariantCulture,
                $"| `{programs[i]}` | {methods:N0} | {(mostMethods is { } most ? $"below {most}" : "")} | {Statistics.Spread(processor)} | {mostSeconds} | {Statistics.Spread(measured[i].Select(m => m.Wall.TotalSeconds))} | {measured[i].Max(m => m.PeakBytes) / 1e6:0} |"));
            isGood &= i > 0 || (!(methods >= mostMethods) && Statistics.Median(processor) <= mostSeconds);
        }

        return isGood;
    }

    /// <summary>The archive as it is shipped: published by its script, and the program in it.</summary>
    internal static string BuildArchive()
    {
        Workspace.Run(Repository.Root, Path.Combine(Repository.Root, "packaging", "archive.sh"), "linux-x64");
        return Path.Combine(Repository.Root, "artifacts", "packaging", "linux-x64", "publish", "Dump.Cli", "release_linux-x64", "dumpanalyze");
    }
}
