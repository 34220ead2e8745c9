namespace Dump.Readers.Windows.Layouts;

/// <summary>
/// Offsets in the parameters of a process. Source: the field order of RTL_USER_PROCESS_PARAMETERS in System
/// Informer's phnt headers (ntrtl.h), compiled for x64 and x86; ARM64 uses the x64 layout.
/// </summary>
internal sealed record ProcessParametersLayout
{
    private static readonly ProcessParametersLayout s_wide = new() { Environment = 0x80 };
    private static readonly ProcessParametersLayout s_narrow = new() { Environment = 0x48 };

    /// <summary>Offset of the address of the environment: UTF-16 texts <c>NAME=VALUE</c>, each with a zero behind it, and a zero behind the last.</summary>
    public required int Environment { get; init; }

    /// <summary>The layout for addresses of 4 or 8 bytes.</summary>
    public static ProcessParametersLayout Of(int pointerSize) => pointerSize == sizeof(uint) ? s_narrow : s_wide;
}
