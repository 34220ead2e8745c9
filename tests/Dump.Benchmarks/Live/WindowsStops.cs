using System.Globalization;
using System.Text.RegularExpressions;
using Dump.Benchmarks.Measuring;
using Dump.Benchmarks.Peers;
using Dump.Testing.Lab;

namespace Dump.Benchmarks.Live;

/// <summary>
/// How long Windows processes stand still in a look of the win-x64 build under Wine: with the memory that the question needs, and beside it with all memory, as
/// a writer of full dumps stops them. Both are written by the same <c>MiniDumpWriteDump</c>, in turns.
/// </summary>
internal static partial class WindowsStops
{
    private const string Version = "10.0.12";
    private static readonly TimeSpan s_limit = TimeSpan.FromMinutes(5);

    private static readonly (string Name, string[] Command)[] s_targets =
    [
        ("native, a cycle of two critical sections", ["cs-cycle2"]),
        ("native, an owner that computes", ["spin-owner"]),
        ($".NET {Version}, a cycle of three monitors", ManagedWineLab.Command(Version, "monitor-cycle3")),
    ];

    /// <summary>Measures and prints; 0 when each look was answered, 1 when it cannot be measured here.</summary>
    /// <param name="looks">Looks of each kind that count, at least 1; one that is not counted comes first.</param>
    public static int Run(int looks)
    {
        if ((WineLab.Shared.Unavailable ?? ManagedWineLab.Unavailable ?? ManagedWineLab.Runtime(Version).Unavailable) is { } reason)
        {
            Console.WriteLine($"Not measured: {reason}");
            return 1;
        }

        using WineSession session = new();
        Console.WriteLine(Machine.Describe());
        Console.WriteLine();
        Console.WriteLine("| process | stood still, ms: median (least to most) | with all memory | size of that dump | load average |");
        Console.WriteLine("|---|---|---|---|---|");
        foreach ((string name, string[] command) in s_targets)
        {
            using WineSample living = WineSample.Start(command);
            List<double> small = [], full = [];
            long size = 0;
            for (int look = 0; look <= looks; look++)
            {
                double least = Look(living, []);
                (double most, size) = Kept(living);
                if (look > 0)
                {
                    small.Add(least);
                    full.Add(most);
                }
            }

            Console.WriteLine(string.Create(CultureInfo.InvariantCulture,
                $"| {name} | {Statistics.Spread(small)} | {Statistics.Spread(full)} | {size / 1e6:0.0} MB | {Machine.Load():0.0} |"));
        }

        return 0;
    }

    private static (double Milliseconds, long Bytes) Kept(WineSample living)
    {
        string folder = Directory.CreateTempSubdirectory("dump-stops-").FullName;
        try
        {
            string dump = Path.Combine(folder, "full.dmp");
            double stopped = Look(living, ["--keep", WineLab.WindowsPath(dump)]);
            return (stopped, new FileInfo(dump).Length);
        }
        finally
        {
            Directory.Delete(folder, recursive: true);
        }
    }

    private static double Look(WineSample living, string[] options)
    {
        using WineProcess look = WineProcess.Start(
            [("DOTNET_EnableWriteXorExecute", "0"), ("LAB_WRITER", WineLab.WindowsPath(Path.Combine(WineLab.DebuggerDirectory, "dbgcore.dll")))],
            [
                WineLab.WindowsPath(Path.Combine(ManagedWineLab.Program, "dumpanalyze.exe")), "live", $"{living.Facts.ProcessId}", "--dump-writer",
                @"L:\labwriter.dll", .. options,
            ]);
        return look.WaitForEnd(s_limit) && Stopped().Match(look.Errors) is { Success: true } match
            ? double.Parse(match.Groups[1].Value, CultureInfo.InvariantCulture)
            : throw new InvalidOperationException($"The look did not say for how long: {look.Errors}");
    }

    [GeneratedRegex(@"was stopped (?:\d+ times )?for (\d+) ms")]
    private static partial Regex Stopped();
}
