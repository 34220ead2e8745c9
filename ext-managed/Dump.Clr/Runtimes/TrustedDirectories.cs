using System.Runtime.InteropServices;
using Dump.Model.Contract;

namespace Dump.Clr.Runtimes;

/// <summary>
/// Where a data-access library may be loaded from: a directory that the user names, and the runtimes
/// installed on this machine. Never a path that only a dump names.
/// </summary>
internal static class TrustedDirectories
{
    private static readonly string s_sharedFramework = Path.Combine("shared", "Microsoft.NETCore.App");

    /// <summary>The directories, the user's first.</summary>
    /// <param name="userDirectory">Directory that the user named, which may hold the library itself or one directory for each runtime; or null.</param>
    public static IEnumerable<string> List(string? userDirectory)
    {
        if (userDirectory is not null)
        {
            yield return userDirectory;
            foreach (string directory in Subdirectories(userDirectory))
            {
                yield return directory;
            }
        }

        // The runtime that this program runs on: its own directory when it carries one with it, else one that lies beside the other installed ones.
        string own = Path.TrimEndingDirectorySeparator(RuntimeEnvironment.GetRuntimeDirectory());
        yield return own;
        foreach (string directory in Roots(own).Distinct(StringComparer.Ordinal).SelectMany(Subdirectories))
        {
            yield return directory;
        }
    }

    /// <summary>True when a file lies in a directory or below it.</summary>
    public static bool IsBelow(string file, string directory) =>
        Path.GetFullPath(file).StartsWith(Path.TrimEndingDirectorySeparator(Path.GetFullPath(directory)) + Path.DirectorySeparatorChar, PathComparison);

    private static IEnumerable<string> Roots(string own)
    {
        if (Path.GetDirectoryName(own) is { } beside && beside.EndsWith(s_sharedFramework, PathComparison))
        {
            yield return beside;
        }

        if (Environment.GetEnvironmentVariable(EnvironmentVariables.DotNetRoot) is { Length: > 0 } root)
        {
            yield return Path.Combine(root, s_sharedFramework);
        }

        if (OperatingSystem.IsWindows())
        {
            if (Environment.GetFolderPath(Environment.SpecialFolder.ProgramFiles) is { Length: > 0 } programs)
            {
                yield return Path.Combine(programs, "dotnet", s_sharedFramework);
            }

            yield break;
        }

        yield return Path.Combine("/usr/share/dotnet", s_sharedFramework);
        yield return Path.Combine("/usr/lib/dotnet", s_sharedFramework);
    }

    private static StringComparison PathComparison => OperatingSystem.IsWindows() ? StringComparison.OrdinalIgnoreCase : StringComparison.Ordinal;

    private static string[] Subdirectories(string directory)
    {
        try
        {
            return Directory.Exists(directory) ? [.. Directory.EnumerateDirectories(directory).Order(StringComparer.Ordinal)] : [];
        }
        catch (Exception error) when (error is IOException or UnauthorizedAccessException)
        {
            return [];
        }
    }
}
