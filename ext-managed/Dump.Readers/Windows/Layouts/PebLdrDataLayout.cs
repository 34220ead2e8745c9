namespace Dump.Readers.Windows.Layouts;

/// <summary>Offsets in PEB_LDR_DATA. Source: its field order in System Informer's phnt headers (ntpsapi.h), compiled for x64 and x86.</summary>
/// <param name="abi">Pointer size and version.</param>
internal sealed class PebLdrDataLayout(WindowsAbi abi)
{
    /// <summary>Offset of the last field that is read, of all versions and sizes.</summary>
    public const int End = 0x50;

    public int ShutdownInProgress { get; } = abi.Offset(x64: 0x48, x86: 0x28);

    public int ShutdownThreadId { get; } = abi.Offset(x64: 0x50, x86: 0x2C);
}
