using System.Globalization;
using Dump.Benchmarks.Heap;
using Dump.Benchmarks.Measuring;
using Dump.Testing.Fixtures;

namespace Dump.Benchmarks.Start;

/// <summary>The same commands with nothing of them in the page cache, as the first one of a day is, and with all of it there. Needs root: the cache is dropped.</summary>
internal static class ColdContest
{
    private const string DropCaches = "/proc/sys/vm/drop_caches";
    private const string PagesAndEntries = "3";
    private const int CannotDrop = 3;
    private const int ThreadsOfCore = 500;

    /// <summary>Measures; 0 when it could be measured.</summary>
    /// <param name="programs">Builds of <c>dumpanalyze</c>; the published one when there is none. ClrMD's list of stacks runs beside them.</param>
    /// <param name="rounds">How often.</param>
    public static int Run(IReadOnlyList<string> programs, int rounds)
    {
        if (!TryDrop())
        {
            Console.Error.WriteLine($"{DropCaches} cannot be written: run as root on Linux");
            return CannotDrop;
        }

        using Workspace workspace = new();
        string core = HeapCore.Make(["thread-program", ThreadsOfCore.ToString(CultureInfo.InvariantCulture)], Path.Combine(workspace.Folder, "threads.core"));
        string fixture = Fixture.Named("loader-exit").Path;
        programs = programs.Count > 0 ? programs : [workspace.DumpAnalyze];
        (string What, string[] Command)[] contestants =
        [
            .. programs.SelectMany(p => ((string What, string[] Command)[])
            [
                ("fixture of 0.1 MB", [p, fixture]), ($"core of {new FileInfo(core).Length / 1_000_000} MB, {ThreadsOfCore} threads", [p, core]),
            ]),
            ("the same core", [workspace.StackList, core]),
        ];
        Console.WriteLine(Machine.Describe());
        Console.WriteLine();
        Console.WriteLine("| dump | program | cold, wall, s: median (least to most) | warm, wall, s | load average |");
        Console.WriteLine("|---|---|---|---|---|");
        foreach ((string what, string[] command) in contestants)
        {
            List<double> cold = [], warm = [];
            for (int round = 0; round < rounds; round++)
            {
                TryDrop();
                cold.Add(MeasuredProcess.Run(command, Path.Combine(workspace.Folder, "output.txt")).Wall.TotalSeconds);
                warm.Add(MeasuredProcess.Run(command, Path.Combine(workspace.Folder, "output.txt")).Wall.TotalSeconds);
            }

            Console.WriteLine(string.Create(CultureInfo.InvariantCulture,
                $"| {what} | `{command[0]}` | {Statistics.Spread(cold)} | {Statistics.Spread(warm)} | {Machine.Load():0.0} |"));
        }

        return 0;
    }

    /// <summary>What has been written goes to the disk first: the kernel keeps pages that are not there yet.</summary>
    private static bool TryDrop()
    {
        try
        {
            Workspace.Run("/", "sync");
            File.WriteAllText(DropCaches, PagesAndEntries);
            return true;
        }
        catch (Exception error) when (error is IOException or UnauthorizedAccessException)
        {
            return false;
        }
    }
}
