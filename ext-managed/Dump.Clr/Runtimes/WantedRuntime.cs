using System.Collections.Immutable;
using System.Globalization;
using System.Runtime.InteropServices;
using Dump.Model.Text;
using Dump.Readers.Elf;
using Dump.Readers.ElfCore;
using Dump.Readers.Pe;
using Microsoft.Diagnostics.Runtime;

namespace Dump.Clr.Runtimes;

/// <summary>The .NET runtime whose data-access library a dump needs and which is not here: what a package of it must hold.</summary>
public sealed record WantedRuntime
{
    private const int MostModules = 65_536;
    private const int LongestVersion = 64;
    private const int MostNames = 8;
    private const string LibraryBeginning = "mscordaccore";
    private const string LinuxLibrary = "libmscordaccore.so";
    private const string SharedFramework = "/shared/Microsoft.NETCore.App/";

    private string? BuildId { get; init; }

    internal PeFileIdentity? Library { get; init; }

    private PeFileIdentity? Runtime { get; init; }

    /// <summary>Name that tells this build from all others, as that of a directory.</summary>
    public required string Key { get; init; }

    /// <summary>The runtime for people, for example <c>.NET 8.0.0 with build id 0f…</c>.</summary>
    public required string Name { get; init; }

    /// <summary>Platform as packages name it, for example <c>linux-x64</c>.</summary>
    public required string Platform { get; init; }

    /// <summary>Exact versions of packages that may hold it, the likeliest first; empty when the dump tells none.</summary>
    public required ImmutableArray<string> Versions { get; init; }

    /// <summary>Names of the files that are needed of it: the first two must be there.</summary>
    public required ImmutableArray<string> Files { get; init; }

    /// <summary>
    /// How symbol servers name the library of a Windows runtime: its name, and the key of the library itself or of the runtime that it belongs to. Empty for
    /// others: what servers have of those bears no signature.
    /// </summary>
    public ImmutableArray<(string Name, string Key)> OnSymbolServers { get; init; } = [];

    /// <summary>True when its library runs on this machine, by itself or under Wine.</summary>
    public required bool RunsHere { get; init; }

    /// <summary>Finds out what a dump needs.</summary>
    /// <param name="path">Path of the dump.</param>
    /// <param name="options">How it would be read: where its runtime is looked for.</param>
    /// <param name="underWine">Directory of the Windows build that would read a Windows dump on this system; null when there is none.</param>
    /// <returns>The runtime; null when its library is here, the process has no runtime, or one that this program does not read.</returns>
    public static WantedRuntime? Of(string path, ClrReadOptions options, string? underWine)
    {
        try
        {
            using DataTarget target = DumpFile.Open(path, new DataTargetOptions { FileLocator = new TrustedFiles() });
            return target.ClrVersions.FirstOrDefault() is not { Flavor: ClrFlavor.Core } info ? null
                : target.DataReader.TargetPlatform == OSPlatform.Windows ? OfWindows(info, options, underWine)
                : target.DataReader.TargetPlatform == OSPlatform.Linux ? OfLinux(info, options)
                : null;
        }
        catch (Exception error) when (error is not OutOfMemoryException)
        {
            // What ClrMD cannot open is said when the dump is read.
            return null;
        }
    }

    /// <summary>The directory of the fetched library that reads a Windows dump; null when none was fetched.</summary>
    /// <param name="path">Path of the dump.</param>
    internal static string? FetchedFor(string path)
    {
        try
        {
            using DataTarget target = DumpFile.Open(path, new DataTargetOptions { FileLocator = new TrustedFiles() });
            (PeFileIdentity? library, PeFileIdentity? runtime) = target.ClrVersions.FirstOrDefault() is { } info ? WindowsDac.Wanted(info) : default;
            return WindowsKey(library, runtime) is { } key && FetchedRuntimes.Find(key) is { } directory && WindowsDac.Matches(directory, library, runtime)
                ? directory : null;
        }
        catch (Exception error) when (error is not OutOfMemoryException)
        {
            return null;
        }
    }

    /// <summary>True when a directory holds the library of this very build.</summary>
    public bool IsIn(string directory) => BuildId is { } id ? DacLocator.Matches(directory, id) : WindowsDac.Matches(directory, Library, Runtime);

    /// <summary>Name of the directory in which a fetched Linux runtime lies.</summary>
    internal static string LinuxKey(string buildId) => $"elf-{buildId}";

    /// <summary>The same of a Windows runtime: by its library's identity, or by its own where the dump does not tell that.</summary>
    internal static string? WindowsKey(PeFileIdentity? library, PeFileIdentity? runtime) =>
        library is { } dac ? string.Create(CultureInfo.InvariantCulture, $"dac-{dac.TimeDateStamp:x8}{dac.SizeOfImage:x}")
        : runtime is { } clr ? string.Create(CultureInfo.InvariantCulture, $"clr-{clr.TimeDateStamp:x8}{clr.SizeOfImage:x}")
        : null;

    private static WantedRuntime? OfLinux(ClrInfo info, ClrReadOptions options)
    {
        string id = Convert.ToHexStringLower(info.BuildId.AsSpan());
        if (id.Length == 0 || OperatingSystem.IsLinux() && DacLocator.Find(info, options).Path is not null)
        {
            return null;
        }

        string[] modules = [.. info.DataTarget.DataReader.EnumerateModules().Take(MostModules).Select(m => m.FileName ?? "")];
        bool isMusl = modules.Any(m => m.Contains("/ld-musl-", StringComparison.Ordinal));
        ImmutableArray<string> versions = Releases(info, modules);
        return new WantedRuntime
        {
            BuildId = id,
            Key = LinuxKey(id),
            Name = $".NET {versions.FirstOrDefault()}".TrimEnd() + $" with build id {id}",
            Platform = $"linux-{(isMusl ? "musl-" : "")}{Processor(info)}",
            Versions = versions,
            Files = [LinuxLibrary, ClrLibrary.Name, "libmscordbi.so"],
            RunsHere = OperatingSystem.IsLinux() && info.DataTarget.DataReader.Architecture == RuntimeInformation.ProcessArchitecture
                && isMusl == RuntimeInformation.RuntimeIdentifier.Contains("musl", StringComparison.Ordinal),
        };
    }

    private static WantedRuntime? OfWindows(ClrInfo info, ClrReadOptions options, string? underWine)
    {
        (PeFileIdentity? library, PeFileIdentity? runtime) = WindowsDac.Wanted(info);
        if (WindowsKey(library, runtime) is not { } key || WindowsDac.Directory(library, runtime, options.DacDirectory) is not null
            || underWine is not null && WindowsDac.Matches(underWine, library, runtime))
        {
            return null;
        }

        ImmutableArray<string> versions = Releases(info, []);
        return new WantedRuntime
        {
            Library = library,
            Runtime = runtime,
            Key = key,
            Name = DotNetRuntime.Of(info).Name,
            Platform = $"win-{Processor(info)}",
            Versions = versions,
            Files = [DotNetRuntime.WindowsDacName, DotNetRuntime.WindowsRuntimeName, WindowsDac.DebuggingLibraryName],
            OnSymbolServers = library is null ? [] : OnServers(info),
            RunsHere = (OperatingSystem.IsWindows() || underWine is not null)
                && info.DataTarget.DataReader.Architecture == RuntimeInformation.ProcessArchitecture,
        };
    }

    /// <summary>
    /// The library under its own time stamp and size, and under those of the runtime, with which Microsoft's server has it (dotnet/symstore,
    /// docs/specs/SSQP_Key_Conventions.md, "CoreCLR special files").
    /// </summary>
    private static ImmutableArray<(string Name, string Key)> OnServers(ClrInfo info) =>
    [
        .. info.DebuggingLibraries.Where(l => l is { Kind: DebugLibraryKind.Dac, IndexTimeStamp: not 0, IndexFileSize: > 0 } && l.Platform == OSPlatform.Windows
                && l.TargetArchitecture == RuntimeInformation.ProcessArchitecture)
            .Select(l => (Name: Path.GetFileName(l.FileName.Replace('\\', '/')), Key: string.Create(CultureInfo.InvariantCulture,
                $"{l.IndexTimeStamp:X8}{l.IndexFileSize:x}")))
            .Where(l => IsLibrary(l.Name)).Distinct().OrderByDescending(l => l.Name.Length).Take(MostNames),
    ];

    /// <summary>
    /// Which releases it may be: that of the directory which the dump says it was started from, also a preview, then that of its version. Either is only what
    /// is asked for: the build id, or time stamp and size, decide.
    /// </summary>
    private static ImmutableArray<string> Releases(ClrInfo info, IEnumerable<string> modules)
    {
        IEnumerable<string> named = modules.Append(info.ModuleInfo.FileName ?? "").Select(m => m.Replace('\\', '/'))
            .Where(m => m.Contains(SharedFramework, StringComparison.OrdinalIgnoreCase))
            .Select(m => m[(m.IndexOf(SharedFramework, StringComparison.OrdinalIgnoreCase) + SharedFramework.Length)..].Split('/')[0])
            .Where(IsVersion).Distinct().Take(1);
        string? told = info.Version is { } version ? DotNetRuntime.ReleaseOf(version) : null;
        return [.. named.Concat(told is null ? [] : [told]).Distinct().Select(v => SafeText.Clean(v))];
    }

    private static bool IsLibrary(string name) =>
        name.StartsWith(LibraryBeginning, StringComparison.Ordinal) && name.EndsWith(".dll", StringComparison.Ordinal) && name.Length <= LongestVersion
        && name.All(c => char.IsAsciiLetterOrDigit(c) || c is '.' or '_');

    private static bool IsVersion(string text) =>
        text.Length is > 4 and <= LongestVersion && char.IsAsciiDigit(text[0]) && text.Count(c => c == '.') >= 2
        && text.All(c => char.IsAsciiLetterOrDigit(c) || c is '.' or '-');

    private static string Processor(ClrInfo info) => info.DataTarget.DataReader.Architecture.ToString().ToLowerInvariant();
}
