using System.Diagnostics;

namespace Dump.Testing.Lab;

/// <summary>The validators that others made for the formats written here: ajv for JSON schemas, Microsoft's for SARIF.</summary>
public static class Validators
{
    private const int UnavailableExitCode = 3;
    private static readonly TimeSpan s_setupLimit = TimeSpan.FromMinutes(15);
    private static readonly TimeSpan s_runLimit = TimeSpan.FromMinutes(10);
    private static readonly Lazy<(string? Folder, string? Missing)> s_setup = new(() =>
    {
        LabScriptResult setup = LabScript.Run("validators.sh", s_setupLimit);
        return setup.ExitCode switch
        {
            0 => (setup.Output.Trim(), null),
            UnavailableExitCode => (null, setup.Errors),
            _ => throw new InvalidOperationException($"lab/validators.sh ended with {setup.ExitCode}: {setup.Errors}"),
        };
    });

    /// <summary>Why they are not on this machine, for a skipped test; null when they are.</summary>
    public static string? Unavailable => OperatingSystem.IsLinux() ? s_setup.Value.Missing : "needs Linux";

    /// <summary>What ajv says against documents, a line for each error; empty when all follow the schema.</summary>
    /// <param name="schema">The schema file.</param>
    /// <param name="documents">The documents' files.</param>
    public static string[] JsonErrors(string schema, IEnumerable<string> documents)
    {
        (int exitCode, string output) = Run("node", ["validate-json.mjs", schema, .. documents]);
        string[] lines = output.Split('\n', StringSplitOptions.RemoveEmptyEntries);
        return exitCode == 0 == (lines.Length == 0) ? lines : throw new InvalidOperationException($"ajv ended with {exitCode}: {output}");
    }

    /// <summary>
    /// The errors and warnings of Microsoft's validator on a SARIF file, as lines of <c>level RULE: text</c>. Its notes are of taste, and one of them asks the network.
    /// </summary>
    public static string[] SarifFindings(string file)
    {
        string results = Path.Combine(Path.GetTempPath(), $"sarif-findings-{Guid.NewGuid():N}.sarif");
        try
        {
            (int exitCode, string output) = Run("node_modules/@microsoft/sarif-multitool-linux/Sarif.Multitool",
                ["validate", file, "--level", "Error;Warning", "--output", results]);
            return output.Contains("Analysis completed successfully", StringComparison.Ordinal)
                ? [.. output.Split('\n').Where(l => l.StartsWith(file, StringComparison.Ordinal)).Select(l => l[(l.IndexOf("): ", StringComparison.Ordinal) + 3)..])]
                : throw new InvalidOperationException($"the validator ended with {exitCode}: {output}");
        }
        finally
        {
            File.Delete(results);
        }
    }

    private static (int ExitCode, string Output) Run(string program, IEnumerable<string> arguments)
    {
        string folder = s_setup.Value.Folder ?? throw new InvalidOperationException(Unavailable);
        string path = program.Contains('/', StringComparison.Ordinal) ? Path.Combine(folder, program) : program;
        ProcessStartInfo start = new(path, arguments) { WorkingDirectory = folder, RedirectStandardOutput = true, RedirectStandardError = true };
        using Process process = Process.Start(start)!;
        Task<string> errors = process.StandardError.ReadToEndAsync();
        Task<string> output = process.StandardOutput.ReadToEndAsync();
        if (!process.WaitForExit(s_runLimit))
        {
            process.Kill(entireProcessTree: true);
            throw new TimeoutException($"{program} did not end within {s_runLimit}.");
        }

        string text = output.GetAwaiter().GetResult() + errors.GetAwaiter().GetResult();
        return (process.ExitCode, text);
    }
}
