using System.Diagnostics;
using System.Globalization;

namespace Dump.Benchmarks.Heap;

/// <summary>A command that ran to its end as a process of its own.</summary>
/// <param name="Seconds">How long it took.</param>
/// <param name="Megabytes">The most anonymous memory that it, or the child that it reads cores in, had at one moment, sampled from /proc every 2 ms. Mapped
/// pages of the core are not in that.</param>
/// <param name="ExitCode">Its exit code.</param>
/// <param name="Output">What it printed.</param>
internal sealed record SampledRun(double Seconds, double Megabytes, int ExitCode, string Output)
{
    /// <summary>Runs it.</summary>
    public static SampledRun Of(string program, params string[] arguments)
    {
        Stopwatch clock = Stopwatch.StartNew();
        using Process process = Process.Start(new ProcessStartInfo(program, arguments) { RedirectStandardOutput = true })!;
        Task<string> output = process.StandardOutput.ReadToEndAsync();
        double most = 0;
        while (!process.WaitForExit(2))
        {
            most = Math.Max(most, Children(process.Id).Append(process.Id).Max(AnonymousMegabytes));
        }

        return new SampledRun(clock.Elapsed.TotalSeconds, most, process.ExitCode, output.Result);
    }

    private static int[] Children(int process)
    {
        try
        {
            return [.. File.ReadAllText($"/proc/{process}/task/{process}/children").Split(' ', StringSplitOptions.RemoveEmptyEntries)
                .Select(c => int.Parse(c, CultureInfo.InvariantCulture))];
        }
        catch (IOException)
        {
            return [];
        }
    }

    private static double AnonymousMegabytes(int process)
    {
        try
        {
            string line = File.ReadLines($"/proc/{process}/status").FirstOrDefault(l => l.StartsWith("RssAnon:", StringComparison.Ordinal)) ?? "RssAnon: 0 kB";
            return double.Parse(line.Split([' ', '\t'], StringSplitOptions.RemoveEmptyEntries)[^2], CultureInfo.InvariantCulture) / 1000;
        }
        catch (IOException)
        {
            return 0;
        }
    }
}
