using System.Diagnostics;
using System.Text.Json;

namespace Dump.EndToEnd.Tests.Verdicts;

/// <summary>Runs the built command-line program as a user does: a process of its own, with exit code, standard output and standard error.</summary>
internal sealed record DumpAnalyze(int ExitCode, string Output, string Error)
{
    // Longer than what the program allows its own helper under Wine, so that it can say that.
    private static readonly TimeSpan s_limit = TimeSpan.FromMinutes(6);

    /// <summary>
    /// Names the unpacked archive for Linux, which then is the program under test; without it the build for the installed .NET is. test.sh sets it.
    /// </summary>
    public const string ArchiveVariable = "DUMP_TEST_ARCHIVE";

    /// <summary>The folder with the build for the installed .NET, compiled ahead of time where the build can do that.</summary>
    public static string BuildFolder { get; } = Path.Combine(AppContext.BaseDirectory, "program");

    /// <summary>The program of that build, as an argument of <c>dotnet</c>.</summary>
    public static string Build { get; } = Path.Combine(BuildFolder, "dumpanalyze.dll");

    /// <summary>The program of the unpacked archive; null where the build for the installed .NET is under test.</summary>
    public static string? Archive { get; } =
        Environment.GetEnvironmentVariable(ArchiveVariable) is { Length: > 0 } folder ? Path.Combine(folder, "dumpanalyze") : null;

    /// <summary>The command line of the program under test, without arguments.</summary>
    public static string[] Command { get; } = Archive is { } archive ? [archive] : ["dotnet", Build];

    /// <summary>How to start the program under test, without a symbol path in its environment.</summary>
    public static ProcessStartInfo Start(params IEnumerable<string> arguments)
    {
        ProcessStartInfo start = new(Command[0], [.. Command[1..], .. arguments]);
        start.Environment["_NT_SYMBOL_PATH"] = null;
        return start;
    }

    /// <summary>Runs it, without a symbol path in its environment, and waits for its end.</summary>
    public static DumpAnalyze Run(params string[] arguments) => Run(Start(arguments));

    /// <summary>Runs it with a symbol path in its environment, or without one, and waits for its end.</summary>
    public static DumpAnalyze RunWith(string? symbolPath, params string[] arguments) => RunIn([("_NT_SYMBOL_PATH", symbolPath)], arguments);

    /// <summary>Runs it with variables in its environment, without a symbol path, and waits for its end.</summary>
    public static DumpAnalyze RunIn((string Name, string? Value)[] environment, params string[] arguments) => Run(In(Start(arguments), environment));

    /// <summary>Runs it in a folder, without a symbol path in its environment, and waits for its end.</summary>
    public static DumpAnalyze RunAt(string folder, params string[] arguments)
    {
        ProcessStartInfo start = Start(arguments);
        start.WorkingDirectory = folder;
        return Run(start);
    }

    /// <summary>Runs the build for the installed .NET, whichever program is under test, and waits for its end.</summary>
    public static DumpAnalyze RunBuild(params string[] arguments) => Run(In(new ProcessStartInfo("dotnet", [Build, .. arguments]), [("_NT_SYMBOL_PATH", null)]));

    /// <summary>Runs it inside a shell command, where <c>$0</c> is the program and <c>$1</c> the dump.</summary>
    public static DumpAnalyze RunInShell(string command, string dump, params (string Name, string? Value)[] environment)
    {
        ProcessStartInfo start = new("bash", ["-c", command, string.Join(' ', Command), dump]);
        return Run(In(start, [("_NT_SYMBOL_PATH", null), .. environment]));
    }

    private static ProcessStartInfo In(ProcessStartInfo start, (string Name, string? Value)[] environment)
    {
        foreach ((string name, string? value) in environment)
        {
            start.Environment[name] = value;
        }

        return start;
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
