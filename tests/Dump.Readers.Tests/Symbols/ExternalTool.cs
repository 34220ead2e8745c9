using System.Diagnostics;

namespace Dump.Readers.Tests.Symbols;

/// <summary>A program of another project on the search path of programs.</summary>
internal static class ExternalTool
{
    private static readonly TimeSpan s_limit = TimeSpan.FromMinutes(1);

    /// <summary>Skips the test, naming the first of the programs that is not installed.</summary>
    public static void Require(params string[] programs)
    {
        foreach (string program in programs)
        {
            string[] directories = (Environment.GetEnvironmentVariable("PATH") ?? "").Split(Path.PathSeparator, StringSplitOptions.RemoveEmptyEntries);
            Skip.IfNot(directories.Any(d => File.Exists(Path.Combine(d, program))), $"{program} is not installed");
        }
    }

    /// <summary>Runs a program in a directory and returns its standard output.</summary>
    public static string Run(string directory, string program, string arguments)
    {
        using Process process = Process.Start(new ProcessStartInfo(program, arguments)
        {
            WorkingDirectory = directory,
            RedirectStandardOutput = true,
            RedirectStandardError = true,
        })!;
        Task<string> output = process.StandardOutput.ReadToEndAsync();
        Task<string> error = process.StandardError.ReadToEndAsync();
        if (!process.WaitForExit(s_limit))
        {
            process.Kill(entireProcessTree: true);
            throw new TimeoutException($"{program} {arguments} did not end within {s_limit}.");
        }

        Assert.True(process.ExitCode == 0, $"{program} {arguments}: {error.Result}");
        return output.Result;
    }
}
