namespace Dump.Readers.Windows.Layouts;

/// <summary>
/// Offsets in the parameters of a process. Source: the field order of RTL_USER_PROCESS_PARAMETERS in System Informer's
/// phnt headers (ntrtl.h), compiled for x64 and x86; ARM64 uses the x64 layout.
/// </summary>
/// <param name="abi">Pointer size and version.</param>
internal sealed class ProcessParametersLayout(WindowsAbi abi)
{
    /// <summary>
    /// Offset of the address of the environment: UTF-16 texts <c>NAME=VALUE</c>, each with a zero behind it, and a zero behind the last.
    /// </summary>
    public int Environment { get; } = abi.Offset(x64: 0x80, x86: 0x48);
}
