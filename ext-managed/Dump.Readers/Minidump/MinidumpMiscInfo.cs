namespace Dump.Readers.Minidump;

/// <summary>The MiscInfo stream. A field is null when its flag is not set or the stream is too short for it.</summary>
/// <param name="Size">Size that the structure claims, which tells its version.</param>
/// <param name="Flags">Which fields are valid.</param>
/// <param name="ProcessId">Process id.</param>
/// <param name="CreateTime">Seconds since 1970 (UTC) when the process was created.</param>
/// <param name="UserTime">Seconds of processor time in user mode.</param>
/// <param name="KernelTime">Seconds of processor time in kernel mode.</param>
/// <param name="BuildString">The system's build text (sanitised).</param>
/// <param name="DebugBuildString">The writer's build text (sanitised).</param>
public sealed record MinidumpMiscInfo(
    uint Size,
    uint Flags,
    uint? ProcessId,
    uint? CreateTime,
    uint? UserTime,
    uint? KernelTime,
    string? BuildString,
    string? DebugBuildString);
