using Dump.Model.Facts;
using Dump.Readers.Pe;
using Microsoft.Diagnostics.Runtime;

namespace Dump.Clr.Runtimes;

/// <summary>
/// Finds the data-access library of a Windows runtime by time stamp and size, the identity under which symbol servers file images. The runtime's own image
/// names its library so (resource CLRDEBUGINFO of coreclr.dll: dotnet/runtime, src/coreclr/inc/clrinternal.h, CLR_DEBUG_RESOURCE); where that resource is not
/// in the dump, the runtime beside the library must be the dump's.
/// </summary>
internal static class WindowsDac
{
    /// <summary>File name of the runtime's debugging library, which lies beside it.</summary>
    public const string DebuggingLibraryName = "mscordbi.dll";

    /// <summary>Looks for it; runs on Windows only, where such a library can be loaded.</summary>
    public static LocatedDac Find(ClrInfo info, ClrReadOptions options)
    {
        DotNetRuntime runtime = DotNetRuntime.Of(info);
        if (info.Flavor != ClrFlavor.Core)
        {
            return FrameworkDac.Find(info, options);
        }

        (PeFileIdentity? library, PeFileIdentity? beside) = Wanted(info);
        return Directory(library, beside, options.DacDirectory) is { } match
            ? new LocatedDac(Path.Combine(match, DotNetRuntime.WindowsDacName), null)
            : new LocatedDac(null, runtime.MissingHere(library, options.CanFetch));
    }

    /// <summary>Identities of the library and of the runtime beside it, each null when the dump does not tell it.</summary>
    internal static (PeFileIdentity? Library, PeFileIdentity? Runtime) Wanted(ClrInfo info) => (Named(info, DebugLibraryKind.Dac), OfRuntime(info));

    /// <summary>Whether a file in the directory of the data-access library is this runtime's debugging library.</summary>
    internal static bool HasDebuggingLibrary(ClrInfo info, string directory, string path)
    {
        if (PeFileIdentity.Read(path) is not { } found)
        {
            return false;
        }

        return Named(info, DebugLibraryKind.Dbi) is { } named ? found == named
            : OfRuntime(info) is { } runtime && PeFileIdentity.Read(Path.Combine(directory, DotNetRuntime.WindowsRuntimeName)) == runtime;
    }

    /// <summary>The trusted directory that holds the library, or null.</summary>
    internal static string? Directory(PeFileIdentity? library, PeFileIdentity? runtime, string? userDirectory) =>
        TrustedDirectories.List(userDirectory).FirstOrDefault(directory => Matches(directory, library, runtime))
        ?? (WantedRuntime.WindowsKey(library, runtime) is { } key && FetchedRuntimes.Find(key) is { } fetched && Matches(fetched, library, runtime)
            ? fetched : null);

    /// <summary>Whether a directory holds the library.</summary>
    /// <param name="directory">The directory.</param>
    /// <param name="library">Identity of the library, or null when the dump does not tell it.</param>
    /// <param name="runtime">Identity of the runtime, or null when the dump does not tell it.</param>
    internal static bool Matches(string directory, PeFileIdentity? library, PeFileIdentity? runtime)
    {
        if (PeFileIdentity.Read(Path.Combine(directory, DotNetRuntime.WindowsDacName)) is not { } found)
        {
            return false;
        }

        return library is not null
            ? found == library
            : runtime is not null && PeFileIdentity.Read(Path.Combine(directory, DotNetRuntime.WindowsRuntimeName)) == runtime;
    }

    private static PeFileIdentity? Named(ClrInfo info, DebugLibraryKind kind) => Identities(
        info.DebuggingLibraries.Where(l => l.Kind == kind && l.ArchivedUnder == SymbolProperties.Self).Select(l => (l.IndexTimeStamp, l.IndexFileSize)));

    /// <summary>A program in a single file has the identity of no runtime's file.</summary>
    private static PeFileIdentity? OfRuntime(ClrInfo info) =>
        info.IsSingleFile ? null : Identities([(info.ModuleInfo.IndexTimeStamp, info.ModuleInfo.IndexFileSize)]);

    private static PeFileIdentity? Identities(IEnumerable<(int TimeStamp, int Size)> numbers) =>
        numbers.Where(n => n is { TimeStamp: not 0, Size: > 0 }).Select(n => (PeFileIdentity?)new PeFileIdentity((uint)n.TimeStamp, (uint)n.Size))
            .FirstOrDefault();
}
