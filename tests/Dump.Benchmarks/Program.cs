using System.Globalization;
using System.Runtime.Versioning;
using BenchmarkDotNet.Configs;
using BenchmarkDotNet.Jobs;
using BenchmarkDotNet.Reports;
using BenchmarkDotNet.Running;
using BenchmarkDotNet.Toolchains.InProcess.Emit;
using Dump.Benchmarks.Extension;
using Dump.Benchmarks.Heap;
using Dump.Benchmarks.Live;
using Dump.Benchmarks.Measuring;
using Dump.Benchmarks.Peers;
using Dump.Benchmarks.Scenarios;
using Dump.Benchmarks.Start;
using Dump.Benchmarks.Stores;
using Dump.Benchmarks.Triage;
using Dump.Testing;

namespace Dump.Benchmarks;

/// <summary>Measures <c>dumpanalyze</c> as whole processes beside its peers, and single algorithms with BenchmarkDotNet.</summary>
internal static class Program
{
    private const string Usage = """
        usage: dotnet run -c Release --project tests/Dump.Benchmarks -- [SCENARIO...] [--runs N]
               dotnet run -c Release --project tests/Dump.Benchmarks -- micro [BenchmarkDotNet options]
               dotnet run -c Release --project tests/Dump.Benchmarks -- heap [OBJECTS]
               dotnet run -c Release --project tests/Dump.Benchmarks -- core [OBJECTS]
               dotnet run -c Release --project tests/Dump.Benchmarks -- tasks [METHODS]
               dotnet run -c Release --project tests/Dump.Benchmarks -- live [OTHER_DUMPANALYZE...]
               dotnet run -c Release --project tests/Dump.Benchmarks -- live windows [LOOKS]
               dotnet run -c Release --project tests/Dump.Benchmarks -- folder DIR [DUMPS]
               dotnet run -c Release --project tests/Dump.Benchmarks -- triage [DUMPS] [KILLS]
               dotnet run -c Release --project tests/Dump.Benchmarks -- extension [PAIRS]
               dotnet run -c Release --project tests/Dump.Benchmarks -- extension process [ROUNDS]
               dotnet run -c Release --project tests/Dump.Benchmarks -- store [RECORDS] [postgres://...|FILE] [FIRST]
               dotnet run -c Release --project tests/Dump.Benchmarks -- records DIR FIRST COUNT
               dotnet run -c Release --project tests/Dump.Benchmarks -- jit [DUMPANALYZE...]
               dotnet run -c Release --project tests/Dump.Benchmarks -- jit list DUMPANALYZE
               dotnet run -c Release --project tests/Dump.Benchmarks -- cold [DUMPANALYZE...]
               dotnet run -c Release --project tests/Dump.Benchmarks -- threads [DUMPANALYZE...]
        scenarios: small, full, sparse, native (all by default). Prints Markdown tables.
        """;

    private const int UsageExitCode = 2;
    private const int MaximumIterations = 20;
    private const int DefaultObjects = 20_000_000;
    private const int LargeObjects = 40_000_000;
    private const int DefaultMethods = 1_000_000;
    private const int HeapRounds = 5;
    private const int DefaultDumps = 1_000;
    private const int DefaultRecords = 100_000;
    private const int DefaultKills = 20;
    private const int ExtensionPairs = 11;
    private const int StartRounds = 9;
    private const int ColdRounds = 5;
    private static readonly Dictionary<string, Func<Workspace, Contest>> s_scenarios = new(StringComparer.Ordinal)
    {
        ["small"] = SmallFixture.Prepare,
        ["full"] = FullNativeDump.Prepare,
        ["sparse"] = SparseDump.Prepare,
        ["native"] = workspace => OperatingSystem.IsLinux() ? NativeLinuxCore.Prepare(workspace) : throw new ScenarioUnavailableException("needs Linux"),
    };

    private static int Main(string[] arguments)
    {
        if (arguments is ["heap-program", var count, .. var what])
        {
            return HeapProgram.Run(int.Parse(count, CultureInfo.InvariantCulture), hangs: what is ["hang"]);
        }

        if (arguments is ["task-program", var methods, var shape])
        {
            return TaskProgram.Run(int.Parse(methods, CultureInfo.InvariantCulture), ofSources: shape == "sources");
        }

        if (arguments is ["tasks", .. var many])
        {
            return TaskContest.Run(many is [var wantedMethods] ? int.Parse(wantedMethods, CultureInfo.InvariantCulture) : DefaultMethods, HeapRounds);
        }

        if (arguments is ["thread-program", var threads])
        {
            return ThreadProgram.Run(int.Parse(threads, CultureInfo.InvariantCulture));
        }

        if (arguments is ["live", "windows", .. var looks])
        {
            return WindowsStops.Run(looks is [var each] ? int.Parse(each, CultureInfo.InvariantCulture) : StartRounds);
        }

        if (arguments is ["live", .. var otherPrograms])
        {
            return LiveContest.Run(otherPrograms);
        }

        if (arguments is ["core", .. var coreSize])
        {
            return CoreContest.Run(coreSize is [var number] ? int.Parse(number, CultureInfo.InvariantCulture) : LargeObjects, HeapRounds);
        }

        if (arguments is ["heap", .. var size])
        {
            return HeapContest.Run(size is [var text] ? int.Parse(text, CultureInfo.InvariantCulture) : DefaultObjects, HeapRounds);
        }

        if (arguments is ["folder" or "triage", ..] && OperatingSystem.IsLinux())
        {
            return Triage(arguments);
        }

        if (arguments is ["jit", "list", var recorded])
        {
            return MethodList.Write(recorded, Path.Combine(Repository.Root, "packaging", "start-methods.txt"));
        }

        if (arguments is ["jit", .. var builds])
        {
            return StartContest.Run(builds, StartRounds);
        }

        if (arguments is ["cold", .. var compared])
        {
            return ColdContest.Run(compared, ColdRounds);
        }

        if (arguments is ["threads", .. var otherBuilds])
        {
            return ThreadsContest.Run(otherBuilds, StartRounds);
        }

        if (arguments is ["extension", "process", .. var rounds])
        {
            return StoppedProcessContest.Run(rounds is [var number] ? int.Parse(number, CultureInfo.InvariantCulture) : StartRounds);
        }

        if (arguments is ["extension", .. var pairs])
        {
            return ExtensionContest.Run(pairs is [var wanted] ? int.Parse(wanted, CultureInfo.InvariantCulture) : ExtensionPairs);
        }

        if (arguments is ["store", .. var growth])
        {
            int most = growth is [var wanted, ..] ? int.Parse(wanted, CultureInfo.InvariantCulture) : DefaultRecords;
            return growth is [_, var place, var least] ? StoreGrowth.Run(most, place, int.Parse(least, CultureInfo.InvariantCulture))
                : StoreGrowth.Run(most, growth is [_, var server] ? server : null);
        }

        if (arguments is ["records", var folder, var first, var added])
        {
            return StoreGrowth.WriteFolder(folder, int.Parse(first, CultureInfo.InvariantCulture), int.Parse(added, CultureInfo.InvariantCulture));
        }

        if (arguments is ["micro", .. var options])
        {
            return MeasureAlgorithms(options);
        }

        List<string> names = [.. arguments];
        int runs = 5;
        int option = names.IndexOf("--runs");
        bool isUsable = option < 0 || (option + 1 < names.Count && int.TryParse(names[option + 1], out runs) && runs > 0);
        if (isUsable && option >= 0)
        {
            names.RemoveRange(option, 2);
        }

        if (!isUsable || names.Exists(n => !s_scenarios.ContainsKey(n)))
        {
            Console.Error.WriteLine(Usage);
            return UsageExitCode;
        }

        return MeasureProcesses(names.Count == 0 ? [.. s_scenarios.Keys] : names, runs);
    }

    [SupportedOSPlatform("linux")]
    private static int Triage(string[] arguments)
    {
        int Number(int at, int otherwise) => arguments.Length > at ? int.Parse(arguments[at], CultureInfo.InvariantCulture) : otherwise;
        if (arguments[0] == "triage")
        {
            return TriageContest.Run(Number(1, DefaultDumps), Number(2, DefaultKills));
        }

        if (arguments.Length == 1)
        {
            Console.Error.WriteLine(Usage);
            return UsageExitCode;
        }

        FolderCommand.Make(arguments[1], Number(2, DefaultDumps), Console.WriteLine);
        return 0;
    }

    private static int MeasureAlgorithms(string[] options)
    {
        // In this process: the generated projects of the default toolchain do not build below this repository's central settings.
        IConfig config = DefaultConfig.Instance.AddJob(Job.Default.WithToolchain(InProcessEmitToolchain.Instance).WithMaxIterationCount(MaximumIterations));
        IEnumerable<Summary> summaries = BenchmarkSwitcher.FromAssembly(typeof(Program).Assembly)
            .Run(options.Length == 0 ? ["--filter", "*"] : options, config);
        return summaries.Any(s => s.HasCriticalValidationErrors || s.Reports.Any(r => !r.Success)) ? 1 : 0;
    }

    /// <summary>Measures the scenarios in their order; 1 when one failed or missed its target.</summary>
    private static int MeasureProcesses(List<string> names, int runs)
    {
        using Workspace workspace = new();
        Console.WriteLine(Machine.Describe());
        int status = 0;
        foreach (string name in names)
        {
            Console.WriteLine();
            try
            {
                Console.Error.WriteLine($"preparing {name}");
                Contest contest = s_scenarios[name](workspace);
                using WineSession session = new();
                ContestResult result = contest.Run(runs, workspace.Folder);
                Console.WriteLine(result.ToMarkdown());
                status = result.IsGood ? status : 1;
            }
            catch (ScenarioUnavailableException reason)
            {
                Console.WriteLine($"Not measured: {name}: {reason.Message}");
            }
        }

        return status;
    }
}
