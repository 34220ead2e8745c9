using System.Diagnostics;
using System.Globalization;

namespace Dump.Fuzz.Shipped;

/// <summary>
/// Runs the shipped program as a child, measured by GNU time: processor time and the most resident memory of it and of all that it has waited for. This process
/// cannot measure that itself, because the kernel counts the memory of whoever starts a program as that program's.
/// </summary>
/// <param name="path">The program.</param>
/// <param name="scratch">A folder for what GNU time writes and for the program's caches.</param>
internal sealed class ShippedProgram(string path, string scratch)
{
    private const string Time = "/usr/bin/time";
    private const int SignalBase = 128;

    // The program ends what comes to no end after its own limit, which is below this one.
    private static readonly TimeSpan s_limit = TimeSpan.FromMinutes(5);

    /// <summary>Why no program can be measured here; null when it can.</summary>
    public static string? Unavailable => File.Exists(Time) ? null : $"needs GNU time ({Time}, package time)";

    /// <summary>Variables of its environment: all files that it may find lie in the scratch folder.</summary>
    /// <param name="scratch">That folder.</param>
    public static IReadOnlyDictionary<string, string> Environment(string scratch) => new Dictionary<string, string>
    {
        ["_NT_SYMBOL_PATH"] = "",
        ["DEBUGINFOD_CACHE_PATH"] = Path.Combine(scratch, ProgramFiles.Debug),
    };

    /// <summary>Runs it to its end.</summary>
    /// <param name="arguments">Its command line.</param>
    public ProgramRun Run(params IEnumerable<string> arguments)
    {
        string figures = Path.Combine(scratch, "time.txt");
        ProcessStartInfo start = new(Time, ["-q", "-o", figures, "-f", "%U %S %M", path, .. arguments])
        {
            RedirectStandardInput = true,
            RedirectStandardOutput = true,
            RedirectStandardError = true,
        };
        foreach ((string name, string value) in Environment(scratch))
        {
            start.Environment[name] = value;
        }

        using Process child = Process.Start(start) ?? throw new InvalidOperationException($"{Time} did not start.");
        child.StandardInput.Close();
        Task<string> output = child.StandardOutput.ReadToEndAsync(), errors = child.StandardError.ReadToEndAsync();
        if (!child.WaitForExit(s_limit))
        {
            child.Kill(entireProcessTree: true);
            child.WaitForExit();
            return new ProgramRun(null, s_limit, 0, output.Result, errors.Result);
        }

        string[] words = File.ReadAllText(figures).Split((char[])[' ', '\n'], StringSplitOptions.RemoveEmptyEntries);
        return new ProgramRun(child.ExitCode, Seconds(words[0]) + Seconds(words[1]), long.Parse(words[2], CultureInfo.InvariantCulture) << 10, output.Result,
            errors.Result);
    }

    /// <summary>An exit code in words: GNU time, as shells do, has 128 and the number of the signal for a child that a signal has ended.</summary>
    public static string Words(int? code) => code is null ? "it did not end within minutes"
        : code > SignalBase ? $"exit code {code} (signal {code - SignalBase})"
        : $"exit code {code}";

    private static TimeSpan Seconds(string text) => TimeSpan.FromSeconds(double.Parse(text, CultureInfo.InvariantCulture));
}
