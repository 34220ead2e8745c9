using System.Diagnostics;
using System.Runtime.InteropServices;

namespace Dump.EndToEnd.Tests.Triage;

/// <summary>Runs a script of the repository, or the program as a user's scheduler does: by the path of an executable.</summary>
internal sealed record ShellProgram(int ExitCode, string Output, string Errors)
{
    private static readonly TimeSpan s_limit = TimeSpan.FromMinutes(3);

    /// <summary>Path of <c>dumpanalyze</c> as an executable.</summary>
    public static string DumpAnalyze { get; } = Verdicts.DumpAnalyze.Archive
        ?? Path.Combine(Verdicts.DumpAnalyze.BuildFolder, OperatingSystem.IsWindows() ? "dumpanalyze.exe" : "dumpanalyze");

    /// <summary>What that executable needs where .NET is not installed in the usual place, and the program for scripts that look for it.</summary>
    public static (string Name, string Value)[] Environment { get; } =
        [("DOTNET_ROOT", Path.GetFullPath(Path.Combine(RuntimeEnvironment.GetRuntimeDirectory(), "..", "..", ".."))), ("DUMPANALYZE", DumpAnalyze)];

    /// <summary>Runs it to its end.</summary>
    /// <exception cref="TimeoutException">It did not end.</exception>
    public static ShellProgram Run(string program, IReadOnlyList<string> arguments, params IEnumerable<(string Name, string Value)> environment) =>
        RunWithin(s_limit, program, arguments, environment);

    /// <summary>Runs it to its end, within a limit of its own.</summary>
    /// <exception cref="TimeoutException">It did not end.</exception>
    public static ShellProgram RunWithin(
        TimeSpan limit, string program, IReadOnlyList<string> arguments, params IEnumerable<(string Name, string Value)> environment)
    {
        ProcessStartInfo start = new(program, arguments) { RedirectStandardInput = true, RedirectStandardOutput = true, RedirectStandardError = true };
        foreach ((string name, string value) in environment)
        {
            start.Environment[name] = value;
        }

        using Process process = Process.Start(start)!;
        process.StandardInput.Close();
        Task<string> output = process.StandardOutput.ReadToEndAsync();
        Task<string> errors = process.StandardError.ReadToEndAsync();
        if (!process.WaitForExit(limit))
        {
            process.Kill(entireProcessTree: true);
            throw new TimeoutException($"{program} did not end within {limit}.");
        }

        return new ShellProgram(process.ExitCode, output.Result, errors.Result);
    }
}
