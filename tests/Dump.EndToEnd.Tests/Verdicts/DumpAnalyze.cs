using System.Diagnostics;
using System.Text.Json;

namespace Dump.EndToEnd.Tests.Verdicts;

/// <summary>Runs the built command-line program as a user does: a process of its own, with exit code, standard output and standard error.</summary>
internal sealed record DumpAnalyze(int ExitCode, string Output, string Error)
{
    private static readonly TimeSpan s_limit = TimeSpan.FromMinutes(2);

    /// <summary>Runs it, without a symbol path in its environment, and waits for its end.</summary>
    public static DumpAnalyze Run(params string[] arguments) => RunWith(null, arguments);

    /// <summary>Runs it with a symbol path in its environment, or without one, and waits for its end.</summary>
    public static DumpAnalyze RunWith(string? symbolPath, params string[] arguments)
    {
        ProcessStartInfo start = new("dotnet") { RedirectStandardOutput = true, RedirectStandardError = true };
        start.ArgumentList.Add(Path.Combine(AppContext.BaseDirectory, "dumpanalyze.dll"));
        start.Environment["_NT_SYMBOL_PATH"] = symbolPath;
        foreach (string argument in arguments)
        {
            start.ArgumentList.Add(argument);
        }

        using Process process = Process.Start(start)!;
        Task<string> output = process.StandardOutput.ReadToEndAsync();
        Task<string> error = process.StandardError.ReadToEndAsync();
        if (!process.WaitForExit(s_limit))
        {
            process.Kill(entireProcessTree: true);
            throw new TimeoutException($"dumpanalyze {string.Join(' ', arguments)} did not end within {s_limit}.");
        }

        return new DumpAnalyze(process.ExitCode, output.Result, error.Result);
    }

    /// <summary>The JSON report of a dump.</summary>
    public static (int ExitCode, JsonElement Report) Json(string dump)
    {
        DumpAnalyze run = Run(dump, "--format", "json");
        return (run.ExitCode, JsonDocument.Parse(run.Output).RootElement);
    }
}
