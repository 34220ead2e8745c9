using Dump.EndToEnd.Tests.Triage;

namespace Dump.EndToEnd.Tests.Packages;

/// <summary>A folder of its own on a machine without network and without .NET: what a user has who unpacks an archive there.</summary>
internal sealed class EmptyPlace : IDisposable
{
    // The installed .NET lies under an empty file system, which only the program that follows sees.
    private const string Apart = """mount -t tmpfs none "$0" && cd "$1" && shift && exec env -i PATH=/usr/bin:/bin HOME="$PWD" "$@" """;

    /// <summary>The folder.</summary>
    public string Folder { get; } = Directory.CreateTempSubdirectory("dump-package-").FullName;

    /// <summary>Why no program can be shut off from network and .NET here, for a skipped test; null when it can.</summary>
    public static string? Unavailable { get; } = !OperatingSystem.IsLinux() ? "needs Linux"
        : ShellProgram.Run("unshare", [.. Namespaces, "true"]) is { ExitCode: not 0 } refused ? $"unshare does not run here: {refused.Errors.Trim()}"
        : null;

    // Root needs no user namespace, which containers often refuse.
    private static string[] Namespaces => Environment.IsPrivilegedProcess ? ["--net", "--mount"] : ["--map-root-user", "--net", "--mount"];

    private static string DotNet => ShellProgram.Environment.Single(v => v.Name == "DOTNET_ROOT").Value;

    /// <summary>Unpacks an archive with the system's own program.</summary>
    public void Unpack(string archive)
    {
        ShellProgram run = archive.EndsWith(".zip", StringComparison.Ordinal)
            ? ShellProgram.Run("cmake", ["-E", "chdir", Folder, "cmake", "-E", "tar", "xf", archive])
            : ShellProgram.Run("tar", ["-xf", archive, "-C", Folder]);
        Assert.True(run.ExitCode == 0, run.Errors);
    }

    /// <summary>Runs a program there.</summary>
    public ShellProgram Run(string program, params string[] arguments) =>
        ShellProgram.Run("unshare", [.. Namespaces, "bash", "-c", Apart, DotNet, Folder, program, .. arguments]);

    /// <inheritdoc/>
    public void Dispose() => Directory.Delete(Folder, recursive: true);
}
