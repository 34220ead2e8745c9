using Dump.Model.Process;

namespace Dump.Readers.Minidump;

/// <summary>The SystemInfo stream.</summary>
/// <param name="Architecture">Processor architecture.</param>
/// <param name="RawArchitecture">The number as recorded: 0 x86, 5 ARM, 9 x64, 12 ARM64.</param>
/// <param name="ProcessorCount">Number of processors; 0 when not recorded.</param>
/// <param name="ProductType">1 workstation, 2 domain controller, 3 server.</param>
/// <param name="MajorVersion">Major version.</param>
/// <param name="MinorVersion">Minor version.</param>
/// <param name="Build">Build number.</param>
/// <param name="PlatformId">2 for Windows NT; Breakpad and Crashpad use 0x8000 and above for other systems.</param>
/// <param name="ServicePack">Service pack text (sanitised), empty when none.</param>
/// <param name="WineVersion">Wine's build text when the writer left its marker behind the structure, else null.</param>
public sealed record MinidumpSystemInfo(
    ProcessorArchitecture Architecture,
    ushort RawArchitecture,
    int ProcessorCount,
    byte ProductType,
    uint MajorVersion,
    uint MinorVersion,
    uint Build,
    uint PlatformId,
    string ServicePack,
    string? WineVersion);
