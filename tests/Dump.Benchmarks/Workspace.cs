using System.Diagnostics;
using Dump.Testing;

namespace Dump.Benchmarks;

/// <summary>A temporary directory for generated dumps, and the published program; the directory is deleted in the end.</summary>
internal sealed class Workspace : IDisposable
{
    private readonly Lazy<string> _program = new(Publish);

    /// <summary>The temporary directory.</summary>
    public string Folder { get; } = Directory.CreateTempSubdirectory("dump-benchmark-").FullName;

    /// <summary>Path of <c>dumpanalyze</c>, published ReadyToRun for this machine.</summary>
    public string DumpAnalyze => _program.Value;

    /// <summary>Where things that are fetched once are kept, outside of version control.</summary>
    public static string Lab { get; } = Environment.GetEnvironmentVariable("DUMP_LAB_DIRECTORY") is { Length: > 0 } folder ? folder : Path.Combine(Repository.Root, ".lab");

    /// <summary>Runs a command to its end.</summary>
    /// <exception cref="InvalidOperationException">It did not end with 0.</exception>
    public static void Run(string folder, string program, params string[] arguments)
    {
        ProcessStartInfo start = new(program, arguments) { WorkingDirectory = folder, RedirectStandardOutput = true, RedirectStandardError = true };
        using Process process = Process.Start(start) ?? throw new InvalidOperationException($"{program} did not start.");
        Task<string> output = process.StandardOutput.ReadToEndAsync();
        Task<string> errors = process.StandardError.ReadToEndAsync();
        process.WaitForExit();
        if (process.ExitCode != 0)
        {
            throw new InvalidOperationException($"{program} ended with {process.ExitCode}: {errors.Result} {output.Result}");
        }
    }

    /// <inheritdoc/>
    public void Dispose() => Directory.Delete(Folder, recursive: true);

    private static string Publish()
    {
        string folder = Path.Combine(Repository.Root, "artifacts", "benchmark", "dumpanalyze");
        Run(
            Repository.Root, "dotnet", "publish", "ext-managed/Dump.Cli", "-c", "Release", "-r", "linux-x64", "--self-contained", "false", "-o", folder, "-v", "quiet");
        return Path.Combine(folder, "dumpanalyze");
    }
}
