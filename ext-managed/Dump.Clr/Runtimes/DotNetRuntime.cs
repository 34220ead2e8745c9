using Dump.Model.Facts;
using Dump.Model.Process;
using Dump.Model.Text;
using Dump.Readers.Pe;
using Microsoft.Diagnostics.Runtime;

namespace Dump.Clr.Runtimes;

/// <summary>The .NET runtime in a Windows process, in words: what reading its managed half takes.</summary>
/// <param name="Module">File name of the runtime's module.</param>
/// <param name="FileVersion">Its file version, or null.</param>
internal sealed record DotNetRuntime(string Module, Version? FileVersion)
{
    /// <summary>The data-access library of .NET (Core) on Windows.</summary>
    public const string WindowsDacName = "mscordaccore.dll";

    /// <summary>The runtime of .NET (Core) on Windows.</summary>
    public const string WindowsRuntimeName = "coreclr.dll";

    private const string LinuxRuntimeName = "libcoreclr.so";

    /// <summary>Where else to look.</summary>
    public const string DebuggerAdvice = $"the dump is good as it is; {SosAdvice}";

    private const string SosAdvice = "look at its managed threads with WinDbg and SOS (!syncblk, ~*e !clrstack)";

    private const string FrameworkDirectory =
        $"there --dac DIR names a directory with that build's {FrameworkDac.LibraryName} and {FrameworkDac.RuntimeName}, if it is not the installed one";

    /// <summary>How to get the library where the network may be asked.</summary>
    public const string FetchAdvice = "get it from your NuGet feed: dumpanalyze fetch FILE";

    private const int FirstMajorWithReleaseInFileVersion = 5;
    private const int ReleaseFactor = 100;

    /// <summary>The runtime that ClrMD found.</summary>
    public static DotNetRuntime Of(ClrInfo info) => new(
        SafeText.Clean(info.ModuleInfo.FileName is { } path ? path[(path.LastIndexOfAny(['/', '\\']) + 1)..] : "", 64),
        info.IsSingleFile || info.ModuleInfo.Version is null or { Major: 0 } ? info.Version : info.ModuleInfo.Version)
    {
        IsInsideProgram = info.IsSingleFile,
        FolderRelease = info.ModuleInfo.FileName?.Split('/', '\\') is [.., var folder, _] && Version.TryParse(folder, out Version? release) && release.Build >= 0
            ? folder : null,
    };

    /// <summary>The runtime of a module.</summary>
    public static DotNetRuntime Of(ModuleSnapshot module) => module.HoldsDotNetRuntime == true
        ? new(module.Name, null) { IsInsideProgram = true }
        : new(module.Name, Version.TryParse(module.Version, out Version? version) ? version : null);

    /// <summary>True where <see cref="Module"/> is a program published in a single file, with the runtime inside.</summary>
    public bool IsInsideProgram { get; init; }

    /// <summary>The release that an installed runtime's folder is called by; null for another folder.</summary>
    private string? FolderRelease { get; init; }

    /// <summary>True for .NET (Core), false for .NET Framework.</summary>
    public bool IsCore => IsInsideProgram || IsLinuxRuntime || string.Equals(Module, WindowsRuntimeName, StringComparison.OrdinalIgnoreCase);

    private bool IsLinuxRuntime => Module == LinuxRuntimeName;

    /// <summary>True for .NET Framework 4, whose runtime has another name than that of version 2 and 3.5.</summary>
    public bool IsFramework4 => !IsCore && string.Equals(Module, FrameworkDac.RuntimeName, StringComparison.OrdinalIgnoreCase);

    /// <summary>
    /// The release, for example <c>10.0.12</c>; null where the file version does not carry it. Since .NET 5
    /// its third number is the release times 100 plus the year.
    /// </summary>
    public string? Release => IsCore && FileVersion is { } version ? ReleaseOf(version) : null;

    /// <summary>The release of .NET (Core) that a runtime's file version carries, or null.</summary>
    public static string? ReleaseOf(Version fileVersion) => fileVersion is { Major: >= FirstMajorWithReleaseInFileVersion, Build: >= 0 } v
        ? string.Create(System.Globalization.CultureInfo.InvariantCulture, $"{v.Major}.{v.Minor}.{v.Build / ReleaseFactor}")
        : null;

    /// <summary>The product with its release, for example <c>.NET 10.0.12</c>.</summary>
    public string Product => IsCore ? $".NET {Release ?? FolderRelease}".TrimEnd() : ".NET Framework";

    /// <summary>The runtime for people: the product, and the file that holds it.</summary>
    public string Name => $"{Product} ({(IsInsideProgram ? "inside of " : "")}{Module}{(FileVersion is null ? "" : $" {FileVersion}")})";

    /// <summary>What is missing on Windows itself.</summary>
    /// <param name="library">Identity of the wanted library, or null when the dump does not tell it.</param>
    /// <param name="canFetch">True where <c>dumpanalyze fetch FILE</c> gets it.</param>
    public MissingData MissingHere(PeFileIdentity? library, bool canFetch) => MissingData.Of(
        MissingKind.WindowsDataAccessLibrary,
        subject: Name,
        detail: $"{WindowsDacName}{(library is { } id ? $", time stamp 0x{id.TimeDateStamp:x8}, size 0x{id.SizeOfImage:x}" : "")}",
        advice: $"{(canFetch ? $"{FetchAdvice}, or " : "")}install that runtime, or give its directory with --dac DIR; {Package}");

    /// <summary>What is missing on another system than Windows.</summary>
    public MissingData MissingElsewhere() => IsCore
        ? MissingData.Of(
            MissingKind.WindowsManagedHalf, subject: Name, detail: $"; its {WindowsDacName} runs on Windows only",
            advice: "give the win-x64 build of dumpanalyze with --wine DIR to read it under Wine, or run dumpanalyze on Windows; either needs that runtime's "
                + $"{WindowsDacName} (--dac DIR); {Package}")
        : IsFramework4 ? MissingData.Of(
            MissingKind.WindowsManagedHalf, subject: Name, detail: $"; its {FrameworkDac.LibraryName} runs on Windows only",
            advice: $"run dumpanalyze on the machine that the dump comes from, or on Windows with the same build of .NET Framework; {FrameworkDirectory}; "
                + $"or {SosAdvice}")
        : Unread();

    /// <summary>What is missing on Windows where another build of .NET Framework is installed than the dump's, or none.</summary>
    /// <param name="hasOther">True when another one is.</param>
    public MissingData OtherFrameworkHere(bool hasOther) => MissingData.Of(
        hasOther ? MissingKind.FrameworkDataAccessLibrary : MissingKind.WindowsDataAccessLibrary, subject: Name, detail: FrameworkDac.LibraryName,
        advice: $"run dumpanalyze on the machine that the dump comes from, or on one with the same build of .NET Framework; {FrameworkDirectory}");

    /// <summary>What is missing of a runtime whose managed half no system reads.</summary>
    public MissingData Unread() => MissingData.Of(
        MissingKind.WindowsManagedHalf, subject: Name, detail: ", which this version does not read: it reads .NET Framework 4 and .NET", advice: DebuggerAdvice);

    /// <summary>What is missing where the modules name a runtime that the reader of managed code does not find.</summary>
    public MissingData NotFound() => MissingData.Of(
        MissingKind.WindowsManagedHalf, subject: Name, detail: ", which could not be found in the dump's memory", capture: CaptureKind.FullDump);

    /// <summary>What is missing of a second runtime in one process.</summary>
    public MissingData Second() => MissingData.Of(MissingKind.SecondRuntime, subject: Name, advice: DebuggerAdvice);

    private string Package => Release is null
        ? "the NuGet package of the same version contains it"
        : $"the NuGet package Microsoft.NETCore.App.Runtime.win-x64 {Release} contains it";
}
