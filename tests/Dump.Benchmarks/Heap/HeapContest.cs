using System.Diagnostics;
using System.Globalization;
using Dump.Benchmarks.Measuring;
using Dump.Clr.Collections;
using Dump.Clr.Heap;
using Dump.Model.Collections;
using Dump.Model.Managed;
using Dump.Readers.ElfCore;
using Microsoft.Diagnostics.Runtime;

namespace Dump.Benchmarks.Heap;

/// <summary>
/// Our walk over a heap with the check of every collection, beside ClrMD's <c>EnumerateObjects</c> filtered by type, on one core in one process, in turns.
/// </summary>
internal static class HeapContest
{
    private const double Target = 8;
    private const double MostMegabytes = 150;

    /// <summary>Makes the core, measures, deletes it; 0 when the goals were met.</summary>
    /// <param name="objects">How many small objects the heap gets.</param>
    /// <param name="rounds">How often each is measured, after a round that warms up.</param>
    public static int Run(int objects, int rounds)
    {
        string folder = Directory.CreateTempSubdirectory("dump-heap-benchmark-").FullName;
        try
        {
            Console.WriteLine(Machine.Describe());
            string core = HeapCore.Make(objects, Path.Combine(folder, "heap.core"));
            Console.WriteLine(string.Create(CultureInfo.InvariantCulture,
                $"Core of {new FileInfo(core).Length / 1e9:0.00} GB, load average {Machine.Load():0.0}"));
            bool isGood = Measure(core, rounds) & MeasureProgram(core);
            return isGood ? 0 : 1;
        }
        finally
        {
            Directory.Delete(folder, recursive: true);
        }
    }

    private static bool Measure(string core, int rounds)
    {
        using DataTarget target = DataTarget.LoadDump(core, new DataTargetOptions { SymbolPaths = [] });
        using ClrRuntime runtime = target.ClrVersions[0].CreateRuntime();
        using ElfCoreFile memory = ElfCoreFile.Open(core);
        List<double> ours = [], alone = [], peer = [];
        (long ourObjects, long ourDictionaries, long broken) = Walk(runtime, memory, null);
        (long peerObjects, long peerDictionaries) = Enumerate(runtime);
        for (int i = 0; i < rounds; i++)
        {
            ours.Add(Time(() => Walk(runtime, memory, null)));
            peer.Add(Time(() => Enumerate(runtime)));
            alone.Add(Time(() => Walk(runtime, memory, 1)));
        }

        double ratio = Median(peer.Zip(ours, (p, o) => p / o));
        Console.WriteLine();
        Console.WriteLine("| walk | ms: median (least to most) | objects | dictionaries |");
        Console.WriteLine("|---|---|---|---|");
        Console.WriteLine(Row($"ours, {Environment.ProcessorCount} threads, every collection checked", ours, ourObjects, ourDictionaries));
        Console.WriteLine(Row("ours, 1 thread, every collection checked", alone, ourObjects, ourDictionaries));
        Console.WriteLine(Row("ClrMD `EnumerateObjects`, type test only", peer, peerObjects, peerDictionaries));
        Console.WriteLine();
        Console.WriteLine(string.Create(CultureInfo.InvariantCulture,
            $"Ratio, median of the rounds' own: {ratio:0.0} (goal {Target}); broken: {broken}; load average {Machine.Load():0.0}"));
        return ratio >= Target && ourObjects == peerObjects && ourDictionaries == peerDictionaries && broken == 1;
    }

    private static (long Objects, long Dictionaries, long Broken) Walk(ClrRuntime runtime, ElfCoreFile memory, int? workers)
    {
        StepBudget budget = new(long.MaxValue);
        (HeapWalkFacts facts, var tallies) = HeapWalk.Run(
            memory, ClrHeapSegments.Read(runtime.Heap), new CollectionTypes(runtime), () => new CollectionTally(new CollectionMemory(memory, budget, default)),
                null, default, workers);
        return (facts.Objects, tallies.SelectMany(t => t.Met).Where(m => m.Key == CollectionKind.Dictionary).Sum(m => m.Value),
            tallies.Sum(t => t.Broken.Count));
    }

    private static (long Objects, long Dictionaries) Enumerate(ClrRuntime runtime)
    {
        Dictionary<ClrType, bool> wanted = [];
        long objects = 0, dictionaries = 0;
        foreach (ClrObject item in runtime.Heap.EnumerateObjects())
        {
            objects++;
            if (item.Type is { } type)
            {
                if (!wanted.TryGetValue(type, out bool isWanted))
                {
                    wanted.Add(type, isWanted = CollectionKinds.OfType(type.Name) == CollectionKind.Dictionary);
                }

                dictionaries += isWanted ? 1 : 0;
            }
        }

        return (objects, dictionaries);
    }

    private static bool MeasureProgram(string core)
    {
        SampledRun run = SampledRun.Of("dotnet", Path.Combine(AppContext.BaseDirectory, "dumpanalyze.dll"), "dictloop", core, "--heap");
        Console.WriteLine(string.Create(
            CultureInfo.InvariantCulture,
            $"`dumpanalyze dictloop --heap`: {run.Seconds:0.00} s, most anonymous memory {run.Megabytes:0} MB (goal {MostMegabytes}), exit code {run.ExitCode}"));
        Console.WriteLine(string.Join('\n', run.Output.Split('\n').Skip(3)));
        return run.Megabytes < MostMegabytes;
    }

    private static double Time<T>(Func<T> work)
    {
        Stopwatch clock = Stopwatch.StartNew();
        work();
        return clock.Elapsed.TotalMilliseconds;
    }

    private static string Row(string name, List<double> times, long objects, long dictionaries) => string.Create(
        CultureInfo.InvariantCulture, $"| {name} | {Median(times):0} ({times.Min():0} to {times.Max():0}) | {objects:N0} | {dictionaries:N0} |");

    private static double Median(IEnumerable<double> values)
    {
        double[] sorted = [.. values.Order()];
        return sorted.Length % 2 == 1 ? sorted[sorted.Length / 2] : (sorted[sorted.Length / 2 - 1] + sorted[sorted.Length / 2]) / 2;
    }
}
