using System.Diagnostics.CodeAnalysis;
using Dump.Model.Contract;

namespace Dump.Clr.Wine;

/// <summary>How to read the managed half of a Windows dump under Wine.</summary>
public sealed record WineReadOptions
{
    /// <summary>Path of the win-x64 build of this program, <c>dumpanalyze.exe</c>.</summary>
    public required string Program { get; init; }

    /// <summary>Path of the 64-bit Wine loader.</summary>
    public required string Loader { get; init; }

    /// <summary>Directory of the Wine prefix, made at its first use (some 700 MB, 5 to 15 s).</summary>
    public required string Prefix { get; init; }

    /// <summary>Longest time for one dump; the process is ended after it.</summary>
    public TimeSpan TimeLimit { get; init; } = TimeSpan.FromMinutes(5);

    /// <summary>Finds what belongs together.</summary>
    /// <param name="programOrDirectory">Path of <c>dumpanalyze.exe</c> or of the directory that holds it.</param>
    /// <param name="options">The options, with the prefix of <c>WINEPREFIX</c> or one of this program's own in the user's cache.</param>
    /// <param name="problem">What is missing, for the user.</param>
    public static bool TryFind(string programOrDirectory, [NotNullWhen(true)] out WineReadOptions? options, [NotNullWhen(false)] out string? problem)
    {
        const string ProgramName = "dumpanalyze.exe";
        string program = Directory.Exists(programOrDirectory) ? Path.Combine(programOrDirectory, ProgramName) : programOrDirectory;
        options = null;
        problem = !OperatingSystem.IsLinux() ? "Wine is used on Linux only."
            : !File.Exists(program) ? $"there is no {ProgramName}; unpack the archive of this program for win-x64 and name its folder."
            : FindLoader() is null ? "Wine is not installed (Debian: apt-get install wine64)."
            : null;
        if (problem is not null)
        {
            return false;
        }

        options = new WineReadOptions { Program = Path.GetFullPath(program), Loader = FindLoader()!, Prefix = DefaultPrefix() };
        return true;
    }

    // Debian's script "wine" asks for 32-bit packages on every call; its package wine64 has the loader outside of the path.
    private static string? FindLoader()
    {
        string[] path = Environment.GetEnvironmentVariable(EnvironmentVariables.ProgramPath)?.Split(Path.PathSeparator, StringSplitOptions.RemoveEmptyEntries)
            ?? [];
        return new[] { "/usr/lib/wine/wine64" }.Concat(path.Select(d => Path.Combine(d, "wine64"))).Concat(path.Select(d => Path.Combine(d, "wine")))
            .FirstOrDefault(c => Path.IsPathRooted(c) && File.Exists(c));
    }

    private static string DefaultPrefix() =>
        Environment.GetEnvironmentVariable(EnvironmentVariables.WinePrefix) is { Length: > 0 } prefix && Path.IsPathRooted(prefix) ? prefix
        : Path.Combine(
            Environment.GetEnvironmentVariable(EnvironmentVariables.CacheHome) is { Length: > 0 } cache && Path.IsPathRooted(cache)
                ? cache
                : Path.Combine(Environment.GetFolderPath(Environment.SpecialFolder.UserProfile), ".cache"),
            "dumpanalyze", "wine");
}
