using System.Runtime.InteropServices;
using Dump.Model.Facts;
using Dump.Model.Text;
using Dump.Readers.Elf;
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
    private const string DebuggingName = "libmscordbi.so";

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
            return new LocatedDac(null, MissingData.Of(
                MissingKind.ManagedHalfElsewhere,
                advice: platform == OSPlatform.Windows && OperatingSystem.IsLinux()
                    ? "run the same command with dumpanalyze on Windows, or with its win-x64 build under Wine: wine64 dumpanalyze.exe COMMAND "
                        + "'Z:\\home\\me\\hang.dmp' ... --dac 'Z:\\...' (in the archive of this program for win-x64)"
                    : "run dumpanalyze on the operating system that the dump comes from"));
        }

        Architecture processor = info.DataTarget.DataReader.Architecture, here = RuntimeInformation.ProcessArchitecture;
        if (processor != here)
        {
            return new LocatedDac(null, MissingData.Of(
                MissingKind.ManagedHalfOfOtherProcessor, subject: NameOf(processor), detail: NameOf(here),
                advice: $"run the same command with dumpanalyze on a Linux machine of {NameOf(processor)}"));
        }

        string wanted = Convert.ToHexStringLower(info.BuildId.AsSpan());
        if (wanted.Length == 0)
        {
            return new LocatedDac(null, MissingData.Of(MissingKind.RuntimeIdentity));
        }

        string? refused = null;
        CodeFile? match = Candidates(options).Select(directory => Library(directory, wanted, options, ref refused)).FirstOrDefault(library => library is not null);
        if (match is null && FetchedRuntimes.Find(WantedRuntime.LinuxKey(wanted)) is { } fetched)
        {
            match = Library(fetched, wanted, options, ref refused);
        }

        if (match is not null)
        {
            return new LocatedDac(match.LoadPath, null)
            {
                DebuggingPath = CodeFile.Open(Path.Combine(Path.GetDirectoryName(match.Path)!, DebuggingName), out _)?.LoadPath,
            };
        }

        return new LocatedDac(null, MissingData.Of(
            MissingKind.DataAccessLibrary,
            subject: $".NET runtime {Release(info)}with build id {wanted}",
            detail: (info.IsSingleFile ? ", which is inside the program's single file" : "")
                + (refused is null ? "" : $"; one is here and not loaded, because {refused}"),
            advice: refused is not null
                ? "copy its directory to one that only you and root may write to, and give that with --dac DIR (code from it is run then), or install that runtime"
                : options.UntrustedRuntimeDirectory is { } own
                ? $"install that runtime, or, if you trust this process (code from its files is run then), give its own with --dac {own}"
                : options.CanFetch ? $"{DotNetRuntime.FetchAdvice}, or install that runtime, or give its directory with --dac DIR"
                : $"install that runtime, or give its directory with --dac DIR; the NuGet package Microsoft.NETCore.App.Runtime.linux-{here.ToString().ToLowerInvariant()} of "
                    + "the same version contains it"));
    }

    private static string NameOf(Architecture processor) => processor switch
    {
        Architecture.X64 => "x64",
        Architecture.Arm64 => "ARM64",
        _ => processor.ToString(),
    };

    private static IEnumerable<string> Candidates(ClrReadOptions options) =>
        options.RuntimeDirectory is { } running
            ? TrustedDirectories.List(options.DacDirectory).Prepend(running)
            : TrustedDirectories.List(options.DacDirectory);

    /// <summary>The library of the runtime with a build id in a directory, when its code may run here.</summary>
    /// <param name="directory">The directory.</param>
    /// <param name="wanted">The build id.</param>
    /// <param name="options">How to read.</param>
    /// <param name="refused">Takes the reason when the library is there and may not be loaded.</param>
    private static CodeFile? Library(string directory, string wanted, ClrReadOptions options, ref string? refused)
    {
        if (!File.Exists(Path.Combine(directory, DacName)))
        {
            return null;
        }

        // The runtime tells which build the library is: who could have written it could have written that.
        CodeFile? runtime = CodeFile.Open(Path.Combine(directory, ClrLibrary.Name), out string? ofRuntime);
        if (ElfBuildId.Read(runtime?.LoadPath ?? Path.Combine(directory, ClrLibrary.Name)) != wanted)
        {
            return null;
        }

        CodeFile? library = CodeFile.Open(Path.Combine(directory, DacName), out string? ofLibrary);
        refused ??= ofRuntime ?? ofLibrary;
        if (runtime is null || library is null)
        {
            return null;
        }

        if (directory == options.RuntimeDirectory && !runtime.Is(options.MappedRuntime))
        {
            refused ??= $"{SafeText.Clean(runtime.Path)} is not the file whose code the process runs";
            return null;
        }

        return library;
    }

    /// <summary>The release and a blank, where the process tells it.</summary>
    private static string Release(ClrInfo info) => info.Version is { } version && DotNetRuntime.ReleaseOf(version) is { } release ? $"{release} " : "";

    /// <summary>Whether a directory holds the library of the runtime with a build id.</summary>
    internal static bool Matches(string directory, string wanted) =>
        File.Exists(Path.Combine(directory, DacName)) && ElfBuildId.Read(Path.Combine(directory, ClrLibrary.Name)) == wanted;
}
