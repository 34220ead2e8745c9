namespace Dump.Model.Process;

/// <summary>The operating system that the process ran on.</summary>
/// <param name="Architecture">Processor architecture of the process.</param>
/// <param name="MajorVersion">Major version as recorded; 10 for Windows 10 and 11.</param>
/// <param name="MinorVersion">Minor version.</param>
/// <param name="Build">Build number, for example 19045.</param>
/// <param name="ProcessorCount">Number of processors, or null when not recorded.</param>
/// <param name="IsWine">True when the process ran under Wine, whose ntdll differs from Windows'.</param>
/// <param name="Text">One line that names it, for example <c>Windows 10.0.19045 x64</c>.</param>
public sealed record SystemDescription(
    ProcessorArchitecture Architecture,
    uint MajorVersion,
    uint MinorVersion,
    uint Build,
    int? ProcessorCount,
    bool IsWine,
    string Text)
{
    /// <summary>The family of operating systems.</summary>
    public OperatingSystemFamily Family { get; init; } = OperatingSystemFamily.Windows;

    /// <summary>True when the loader has a work queue with a load owner (Windows 10 and later, and not Wine).</summary>
    public bool HasLoadOwnership => Family == OperatingSystemFamily.Windows && MajorVersion >= 10 && !IsWine;
}

/// <summary>A family of operating systems.</summary>
public enum OperatingSystemFamily
{
    /// <summary>Windows, or Wine.</summary>
    Windows,

    /// <summary>Linux.</summary>
    Linux,
}

/// <summary>Processor architecture of the process.</summary>
public enum ProcessorArchitecture
{
    /// <summary>Not recognised.</summary>
    Unknown,

    /// <summary>32-bit x86.</summary>
    X86,

    /// <summary>64-bit x86.</summary>
    X64,

    /// <summary>32-bit ARM.</summary>
    Arm,

    /// <summary>64-bit ARM.</summary>
    Arm64,
}
