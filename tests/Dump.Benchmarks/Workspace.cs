using System.Diagnostics;
using System.Runtime.InteropServices;
using Dump.Benchmarks.Scenarios;
using Dump.Testing;

namespace Dump.Benchmarks;

/// <summary>A temporary directory for generated dumps, and the published program; the directory is deleted in the end.</summary>
internal sealed class Workspace : IDisposable
{
    private readonly Lazy<string> _program = new(() => Publish("ext-managed/Dump.Cli", "ready-to-run", readyToRun: true, "dumpanalyze"));
    private readonly Lazy<string> _jitProgram = new(() => Publish("ext-managed/Dump.Cli", "jit", readyToRun: false, "dumpanalyze"));
    private readonly Lazy<string> _stackList = new(() => Publish("tests/stacklist", "stacklist", readyToRun: true, "stacklist"));

    // Since .NET 10 a signal ends the process without any event or finally block.
    private readonly PosixSignalRegistration[] _signals;

    /// <summary>Makes the directory. It is deleted on an interrupt too.</summary>
    public Workspace() => _signals =
        [.. new[] { PosixSignal.SIGINT, PosixSignal.SIGTERM }.Select(signal => PosixSignalRegistration.Create(signal, _ => DeleteFolder()))];

    /// <summary>The temporary directory.</summary>
    public string Folder { get; } = Directory.CreateTempSubdirectory("dump-benchmark-").FullName;

    /// <summary>Path of <c>dumpanalyze</c>, published ReadyToRun for this machine as it is shipped.</summary>
    public string DumpAnalyze => _program.Value;

    /// <summary>The same, all of it compiled when it runs.</summary>
    public string DumpAnalyzeWithoutReadyToRun => _jitProgram.Value;

    /// <summary>Path of the peer that lists managed stacks by ClrMD alone, published in the same way as <see cref="DumpAnalyze"/>.</summary>
    public string StackList => _stackList.Value;

    /// <summary>Where things that are fetched once are kept, outside of version control.</summary>
    public static string Lab { get; } = Environment.GetEnvironmentVariable("DUMP_LAB_DIRECTORY") is { Length: > 0 } folder ? folder
        : Path.Combine(Repository.Root, ".lab");

    /// <summary>Makes sure that the temporary directory can take that many bytes.</summary>
    /// <exception cref="ScenarioUnavailableException">It cannot.</exception>
    public void RequireFreeSpace(long bytes)
    {
        long free = new DriveInfo(Folder).AvailableFreeSpace;
        if (free < bytes)
        {
            throw new ScenarioUnavailableException($"{bytes / 1_000_000} MB of free disk space are needed, {free / 1_000_000} MB are there");
        }
    }

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
    public void Dispose()
    {
        foreach (PosixSignalRegistration signal in _signals)
        {
            signal.Dispose();
        }

        DeleteFolder();
    }

    private void DeleteFolder()
    {
        if (Directory.Exists(Folder))
        {
            Directory.Delete(Folder, recursive: true);
        }
    }

    private static string Publish(string project, string name, bool readyToRun, string program)
    {
        string folder = Path.Combine(Repository.Root, "artifacts", "benchmark", name);
        if (Directory.Exists(folder))
        {
            Directory.Delete(folder, recursive: true);
        }

        Run(Repository.Root, "dotnet",
        [
            "publish", project, "-c", "Release", "-r", RuntimeInformation.RuntimeIdentifier, "--self-contained", "false",
            $"-p:PublishReadyToRun={(readyToRun ? "true" : "false")}", "-o", folder, "-v", "quiet", "-nodeReuse:false",
        ]);
        ReadyToRunCheck.Require(folder, readyToRun);
        return Path.Combine(folder, program);
    }
}
