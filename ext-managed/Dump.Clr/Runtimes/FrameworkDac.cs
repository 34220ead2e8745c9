using System.Runtime.InteropServices;
using Dump.Readers.Pe;
using Microsoft.Diagnostics.Runtime;

namespace Dump.Clr.Runtimes;

/// <summary>
/// Finds the data-access library of .NET Framework 4 (mscordacwks.dll): in the directory that the user names, and in the folder of the Framework that is
/// installed on this machine. The runtime beside it must be the dump's very build, by time stamp and size.
/// </summary>
internal static class FrameworkDac
{
    /// <summary>File name of the library.</summary>
    public const string LibraryName = "mscordacwks.dll";

    /// <summary>File name of the runtime.</summary>
    public const string RuntimeName = "clr.dll";

    // All releases of version 4 are installed in this folder, each in place of the one before.
    private const string Release = "v4.0.30319";

    /// <summary>Looks for it; runs on Windows only.</summary>
    public static LocatedDac Find(ClrInfo info, ClrReadOptions options)
    {
        (PeFileIdentity? library, PeFileIdentity? runtime) = WindowsDac.Wanted(info);
        string windows = Environment.GetFolderPath(Environment.SpecialFolder.Windows);
        return Directories(options.DacDirectory, windows).FirstOrDefault(d => Matches(d, library, runtime)) is { } directory
            ? new LocatedDac(Path.Combine(directory, LibraryName), null)
            : new LocatedDac(null, DotNetRuntime.Of(info).OtherFrameworkHere(HasFramework(windows)));
    }

    /// <summary>Where it may be loaded from: the user's directory first. A path that only the dump names is none of them.</summary>
    /// <param name="userDirectory">Directory that the user named, or null.</param>
    /// <param name="windows">Folder of Windows; empty when it is not known.</param>
    internal static IEnumerable<string> Directories(string? userDirectory, string windows)
    {
        if (userDirectory is not null)
        {
            yield return userDirectory;
        }

        if (windows.Length > 0)
        {
            yield return Installed(windows);
        }
    }

    /// <summary>Whether a directory holds the library of this very build.</summary>
    /// <param name="directory">The directory.</param>
    /// <param name="library">Identity of the library, or null when the dump does not tell it.</param>
    /// <param name="runtime">Identity of the runtime, or null when the dump does not tell it.</param>
    internal static bool Matches(string directory, PeFileIdentity? library, PeFileIdentity? runtime) =>
        PeFileIdentity.Read(Path.Combine(directory, LibraryName)) is { } found
        && (library is not null ? found == library : runtime is not null && PeFileIdentity.Read(Path.Combine(directory, RuntimeName)) == runtime);

    private static bool HasFramework(string windows) => windows.Length > 0 && File.Exists(Path.Combine(Installed(windows), LibraryName));

    private static string Installed(string windows) => Path.Combine(windows, "Microsoft.NET",
        RuntimeInformation.ProcessArchitecture switch { Architecture.X86 => "Framework", Architecture.Arm64 => "FrameworkArm64", _ => "Framework64" }, Release);
}
