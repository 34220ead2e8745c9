using System.Diagnostics;
using System.Text.Json;

namespace Dump.EndToEnd.Tests.Verdicts;

/// <summary>Runs the built command-line program as a user does: a process of its own, with exit code, standard output and standard error.</summary>
internal sealed record DumpAnalyze(int ExitCode, string Output, string Error)
{
    // Longer than what the program allows its own helper under Wine, so that it can say that.
    private static readonly TimeSpan s_limit = TimeSpan.FromMinutes(6);

    /// <summary>The folder with the program, compiled ahead of time where the build can do that.</summary>
    public static string Folder { get; } = Path.Combine(AppContext.BaseDirectory, "program");

    /// <summary>The program, as an argument of <c>dotnet</c>.</summary>
    public static string Program { get; } = Path.Combine(Folder, "dumpanalyze.dll");

    /// <summary>Runs it, without a symbol path in its environment, and waits for its end.</summary>
    public static DumpAnalyze Run(params string[] arguments) => RunWith(null, arguments);

    /// <summary>Runs it with a symbol path in its environment, or without one, and waits for its end.</summary>
    public static DumpAnalyze RunWith(string? symbolPath, params string[] arguments)
    {
        ProcessStartInfo start = new("dotnet", [Program, .. arguments]);
        start.Environment["_NT_SYMBOL_PATH"] = symbolPath;
        return Run(start);
    }

    /// <summary>Runs it with variables in its environment, without a symbol path, and waits for its end.</summary>
    public static DumpAnalyze RunIn((string Name, string? Value)[] environment, params string[] arguments)
    {
        ProcessStartInfo start = new("dotnet", [Program, .. arguments]);
        start.Environment["_NT_SYMBOL_PATH"] = null;
        foreach ((string name, string? value) in environment)
        {
            start.Environment[name] = value;
        }

        return Run(start);
    }

    /// <summary>Runs it in a folder, without a symbol path in its environment, and waits for its end.</summary>
    public static DumpAnalyze RunAt(string folder, params string[] arguments)
    {
        ProcessStartInfo start = new("dotnet", [Program, .. arguments]) { WorkingDirectory = folder };
        start.Environment["_NT_SYMBOL_PATH"] = null;
        return Run(start);
    }

    /// <summary>Runs it inside a shell command, where <c>$0</c> is the program and <c>$1</c> the dump.</summary>
    public static DumpAnalyze RunInShell(string command, string dump, params (string Name, string? Value)[] environment)
    {
        ProcessStartInfo start = new("bash", ["-c", command, $"dotnet {Program}", dump]);
        start.Environment["_NT_SYMBOL_PATH"] = null;
        foreach ((string name, string? value) in environment)
        {
            start.Environment[name] = value;
        }

        return Run(start);
    }

    private static DumpAnalyze Run(ProcessStartInfo start)
    {
        start.RedirectStandardOutput = true;
        start.RedirectStandardError = true;
        using Process process = Process.Start(start)!;
        Task<string> output = process.StandardOutput.ReadToEndAsync();
        Task<string> error = process.StandardError.ReadToEndAsync();
        if (!process.WaitForExit(s_limit))
        {
            process.Kill(entireProcessTree: true);
            throw new TimeoutException($"dumpanalyze {string.Join(' ', start.ArgumentList)} did not end within {s_limit}.");
        }

        return new DumpAnalyze(process.ExitCode, output.Result, error.Result);
    }

    /// <summary>The JSON report of a dump.</summary>
    public static (int ExitCode, JsonElement Report) Json(string dump, params string[] options)
    {
        DumpAnalyze run = Run([dump, "--format", "json", .. options]);
        return (run.ExitCode, JsonDocument.Parse(run.Output).RootElement);
    }
}
