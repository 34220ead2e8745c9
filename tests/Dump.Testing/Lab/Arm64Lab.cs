using System.Runtime.Versioning;

namespace Dump.Testing.Lab;

/// <summary>Cores of ARM64 processes that a Linux kernel for ARM64 writes in an emulator, made once by <c>lab/arm64.sh</c>.</summary>
[SupportedOSPlatform("linux")]
public static class Arm64Lab
{
    private const int CannotHere = 3;

    // The guest takes half a minute on two cores; the packages come before.
    private static readonly TimeSpan s_limit = TimeSpan.FromMinutes(20);
    private static readonly Lazy<(string? Directory, string? Unavailable)> s_made = new(Make);

    /// <summary>Why there are none on this machine, for a skipped test; null when there are.</summary>
    public static string? Unavailable => s_made.Value.Unavailable;

    /// <summary>Where the files lie that the scenes run, as below the root of the guest.</summary>
    public static string Root => Path.Combine(s_made.Value.Directory!, "root");

    /// <summary>The core of a scene.</summary>
    /// <param name="scene">Its name, and the kind of its program behind a hyphen, such as <c>mutex-cycle2-pac</c>.</param>
    public static string Core(string scene) => Path.Combine(s_made.Value.Directory!, $"{scene}.core");

    private static (string? Directory, string? Unavailable) Make()
    {
        string directory = Directory.CreateTempSubdirectory("dump-arm64-").FullName;
        AppDomain.CurrentDomain.ProcessExit += (_, _) => Directory.Delete(directory, recursive: true);
        LabScriptResult result = LabScript.Run("arm64.sh", s_limit, "--out", directory);
        return result.ExitCode switch
        {
            0 => (directory, null),
            CannotHere => (null, result.Errors),
            _ => throw new InvalidOperationException($"lab/arm64.sh failed: {result.Errors}"),
        };
    }
}
