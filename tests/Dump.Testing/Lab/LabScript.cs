using System.Diagnostics;

namespace Dump.Testing.Lab;

/// <summary>Runs one script of the repository's <c>lab</c> folder.</summary>
internal static class LabScript
{
    public static LabScriptResult Run(string script, TimeSpan limit, params IEnumerable<string> arguments)
    {
        var start = new ProcessStartInfo("bash")
        {
            RedirectStandardInput = true,
            RedirectStandardOutput = true,
            RedirectStandardError = true,
            UseShellExecute = false,
        };
        start.ArgumentList.Add(Path.Combine(Repository.Root, "lab", script));
        foreach (var argument in arguments)
        {
            start.ArgumentList.Add(argument);
        }

        using var process = Process.Start(start) ?? throw new InvalidOperationException("bash did not start.");
        process.StandardInput.Close();
        var output = process.StandardOutput.ReadToEndAsync();
        var errors = process.StandardError.ReadToEndAsync();
        if (!process.WaitForExit(limit))
        {
            process.Kill(entireProcessTree: true);
            throw new TimeoutException($"lab/{script} did not end within {limit}.");
        }

        return new LabScriptResult(process.ExitCode, output.GetAwaiter().GetResult(), errors.GetAwaiter().GetResult().Trim());
    }
}
