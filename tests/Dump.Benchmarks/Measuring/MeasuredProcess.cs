using System.Diagnostics;
using System.Globalization;

namespace Dump.Benchmarks.Measuring;

/// <summary>
/// Runs a process under GNU time, which counts exactly that process and the children it waits for. A child started from here directly would count this
/// program's own memory: the kernel keeps the largest resident set from before the child's exec.
/// </summary>
internal static class MeasuredProcess
{
    private const string Time = "/usr/bin/time";

    /// <summary>Runs it; its output goes to files.</summary>
    /// <param name="command">Program path and arguments.</param>
    /// <param name="output">File for standard output.</param>
    /// <exception cref="InvalidOperationException">GNU time is not installed, or said nothing.</exception>
    public static Measurement Run(IReadOnlyList<string> command, string output)
    {
        if (!File.Exists(Time))
        {
            throw new InvalidOperationException($"{Time} is missing: install the Debian package time.");
        }

        string figures = output + ".time";
        ProcessStartInfo start = new("/bin/bash", ["-c", "exec \"$0\" -q -o \"$1\" -f '%e %U %S %M %x' -- \"${@:3}\" > \"$2\" 2> \"$2.errors\" < /dev/null"]);
        start.ArgumentList.Add(Time);
        start.ArgumentList.Add(figures);
        start.ArgumentList.Add(output);
        foreach (string word in command)
        {
            start.ArgumentList.Add(word);
        }

        Stopwatch clock = Stopwatch.StartNew();
        using Process process = Process.Start(start) ?? throw new InvalidOperationException("bash did not start.");
        process.WaitForExit();
        TimeSpan wall = clock.Elapsed;
        string[] fields = File.ReadLines(figures).Last().Split(' ');
        return new Measurement(
            wall,
            TimeSpan.FromSeconds(Number(fields[1]) + Number(fields[2])),
            (long)Number(fields[3]) * 1024,
            (int)Number(fields[4]));
    }

    private static double Number(string text) => double.Parse(text, CultureInfo.InvariantCulture);
}
