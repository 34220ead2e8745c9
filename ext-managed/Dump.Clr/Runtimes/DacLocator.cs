using System.Runtime.InteropServices;
using Dump.Model;
using Dump.Readers.ElfCore;
using Microsoft.Diagnostics.Runtime;

namespace Dump.Clr.Runtimes;

/// <summary>
/// Finds the data-access library of a dump's runtime in trusted places only: a directory that the user names, the runtimes installed on this machine, and the runtime of a
/// living process where its files can be trusted.
/// A path that only the dump names is never loaded from. The library is taken when the runtime beside it has the build id that the dump has.
/// </summary>
internal static class DacLocator
{
    private const string DacName = "libmscordaccore.so";
    private const string RuntimeName = "libcoreclr.so";
    private const string SharedFramework = "shared/Microsoft.NETCore.App";

    /// <summary>Looks for it.</summary>
    public static LocatedDac Find(ClrInfo info, ClrReadOptions options)
    {
        if (!OperatingSystem.IsLinux() || info.DataTarget.DataReader.TargetPlatform != OSPlatform.Linux)
        {
            return new LocatedDac(null, new MissingData(
                "the managed half of the dump (a data-access library runs only on the operating system of its runtime)",
                "managed stacks and locks are unknown",
                "run dumpanalyze on the operating system that the dump comes from"));
        }

        string wanted = Convert.ToHexStringLower(info.BuildId.AsSpan());
        if (wanted.Length == 0)
        {
            return new LocatedDac(null, new MissingData(
                "the build id of the .NET runtime in the dump", "the matching data-access library cannot be told from others", Advice.FullDump));
        }

        string? match = Candidates(options).FirstOrDefault(directory => Matches(directory, wanted));
        return match is not null
            ? new LocatedDac(Path.Combine(match, DacName), null)
            : new LocatedDac(null, new MissingData(
                $"the data-access library ({DacName}) of the .NET runtime with build id {wanted}",
                "managed stacks and locks are unknown",
                options.UntrustedRuntimeDirectory is { } own
                    ? $"install that runtime, or, if you trust this process (code from its files is run then), give its own with --dac {own}"
                    : "install that runtime, or give its directory with --dac DIR; the NuGet package Microsoft.NETCore.App.Runtime.linux-x64 of the same version contains it"));
    }

    private static IEnumerable<string> Candidates(ClrReadOptions options)
    {
        if (options.RuntimeDirectory is { } running)
        {
            yield return running;
        }

        if (options.DacDirectory is { } userDirectory)
        {
            yield return userDirectory;
            foreach (string directory in Subdirectories(userDirectory))
            {
                yield return directory;
            }
        }

        // The runtime that this program runs on lies beside the other installed ones.
        string? installed = Path.GetDirectoryName(Path.TrimEndingDirectorySeparator(RuntimeEnvironment.GetRuntimeDirectory()));
        string?[] roots =
        [
            installed,
            Environment.GetEnvironmentVariable("DOTNET_ROOT") is { Length: > 0 } root ? Path.Combine(root, SharedFramework) : null,
            Path.Combine("/usr/share/dotnet", SharedFramework),
            Path.Combine("/usr/lib/dotnet", SharedFramework),
        ];
        foreach (string directory in roots.OfType<string>().Distinct(StringComparer.Ordinal).SelectMany(Subdirectories))
        {
            yield return directory;
        }
    }

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

    private static bool Matches(string directory, string wanted) =>
        File.Exists(Path.Combine(directory, DacName)) && ElfBuildId.Read(Path.Combine(directory, RuntimeName)) == wanted;
}
