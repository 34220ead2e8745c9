using System.Diagnostics;

namespace Dump.Testing.Lab;

/// <summary>Runs a managed scene that crashes, and finds the core that it leaves.</summary>
internal static class CrashedProgram
{
    private static readonly TimeSpan s_limit = TimeSpan.FromMinutes(5);

    /// <summary>Runs it to its end.</summary>
    /// <param name="place">Folder to make, for the core alone.</param>
    /// <param name="program">The sample.</param>
    /// <param name="scene">Name of the scene.</param>
    /// <param name="byKernel">True for the kernel's core, with mapped files; false for that of createdump, which the runtime starts.</param>
    /// <returns>The core's path.</returns>
    /// <exception cref="InvalidOperationException">There is no core.</exception>
    public static string Core(string place, string program, string scene, bool byKernel)
    {
        const string Script = "echo 0x3f > /proc/self/coredump_filter; ulimit -c $1; exec dotnet \"$0\" \"$2\"";
        Directory.CreateDirectory(place);
        ProcessStartInfo start = new("bash", ["-c", Script, program, byKernel ? "unlimited" : "0", scene])
        {
            WorkingDirectory = place,
            RedirectStandardOutput = true,
            RedirectStandardError = true,
        };
        if (!byKernel)
        {
            start.Environment["DOTNET_DbgEnableMiniDump"] = "1";
            start.Environment["DOTNET_DbgMiniDumpType"] = "2";
            start.Environment["DOTNET_DbgMiniDumpName"] = Path.Combine(place, "core");
        }

        using Process process = Process.Start(start) ?? throw new InvalidOperationException("The sample did not start.");
        Task<string> output = process.StandardOutput.ReadToEndAsync(), errors = process.StandardError.ReadToEndAsync();
        if (!process.WaitForExit(s_limit))
        {
            process.Kill(entireProcessTree: true);
            throw new InvalidOperationException($"{scene} did not end.");
        }

        return Directory.EnumerateFiles(place).SingleOrDefault() ?? throw new InvalidOperationException($"There is no core: {output.Result} {errors.Result}");
    }
}
