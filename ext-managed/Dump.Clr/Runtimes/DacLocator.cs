using System.Runtime.InteropServices;
using Dump.Model.Facts;
using Dump.Readers.ElfCore;
using Microsoft.Diagnostics.Runtime;

namespace Dump.Clr.Runtimes;

/// <summary>
/// Finds the data-access library of a dump's runtime, in trusted directories only: one that the user names, the installed runtimes,
/// that of a living process where its files can be trusted, and what was fetched and verified. On Linux the library is taken when the runtime beside it has the
/// build id that the dump has:
/// a program in a single file names that of the runtime it was made of. On Windows by <see cref="WindowsDac"/>.
/// </summary>
internal static class DacLocator
{
    private const string DacName = "libmscordaccore.so";
    private const string RuntimeName = "libcoreclr.so";

    /// <summary>Looks for it.</summary>
    public static LocatedDac Find(ClrInfo info, ClrReadOptions options)
    {
        OSPlatform platform = info.DataTarget.DataReader.TargetPlatform;
        if (platform == OSPlatform.Windows && OperatingSystem.IsWindows())
        {
            return WindowsDac.Find(info, options);
        }

        if (!OperatingSystem.IsLinux() || platform != OSPlatform.Linux)
        {
            return new LocatedDac(null, new MissingData(
                "the managed half of the dump (a data-access library runs only on the operating system of its runtime)",
                "managed stacks and locks are unknown",
                platform == OSPlatform.Windows && OperatingSystem.IsLinux()
                    ? "run the same command with dumpanalyze on Windows, or with its win-x64 build under Wine: wine64 dumpanalyze.exe COMMAND "
                        + "'Z:\\home\\me\\hang.dmp' ... --dac 'Z:\\...' (in the archive of this program for win-x64)"
                    : "run dumpanalyze on the operating system that the dump comes from"));
        }

        string wanted = Convert.ToHexStringLower(info.BuildId.AsSpan());
        if (wanted.Length == 0)
        {
            return new LocatedDac(null, new MissingData(
                "the build id of the .NET runtime in the dump", "the matching data-access library cannot be told from others", Advice.FullDump));
        }

        string? match = Candidates(options).FirstOrDefault(directory => Matches(directory, wanted))
            ?? FetchedRuntimes.Find(WantedRuntime.LinuxKey(wanted)) switch { { } fetched when Matches(fetched, wanted) => fetched, _ => null };
        return match is not null
            ? new LocatedDac(Path.Combine(match, DacName), null)
            : new LocatedDac(null, new MissingData(
                $"the data-access library ({DacName}) of the .NET runtime {Release(info)}with build id {wanted}"
                    + (info.IsSingleFile ? ", which lies inside of the program's single file" : ""),
                "managed stacks and locks are unknown",
                options.UntrustedRuntimeDirectory is { } own
                    ? $"install that runtime, or, if you trust this process (code from its files is run then), give its own with --dac {own}"
                    : options.CanFetch ? $"{DotNetRuntime.FetchAdvice}, or install that runtime, or give its directory with --dac DIR"
                    : "install that runtime, or give its directory with --dac DIR; the NuGet package Microsoft.NETCore.App.Runtime.linux-x64 of the same "
                        + "version contains it"));
    }

    private static IEnumerable<string> Candidates(ClrReadOptions options) =>
        options.RuntimeDirectory is { } running
            ? TrustedDirectories.List(options.DacDirectory).Prepend(running)
            : TrustedDirectories.List(options.DacDirectory);

    /// <summary>The release and a blank, where the process tells it.</summary>
    private static string Release(ClrInfo info) => info.Version is { } version && DotNetRuntime.ReleaseOf(version) is { } release ? $"{release} " : "";

    /// <summary>Whether a directory holds the library of the runtime with a build id.</summary>
    internal static bool Matches(string directory, string wanted) =>
        File.Exists(Path.Combine(directory, DacName)) && ElfBuildId.Read(Path.Combine(directory, RuntimeName)) == wanted;
}
