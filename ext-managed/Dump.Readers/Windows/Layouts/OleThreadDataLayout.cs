namespace Dump.Readers.Windows.Layouts;

/// <summary>
/// Offsets in SOleTlsData, which COM keeps of each thread and does not document. Sources: the types of ole32's own PDB of Windows 7 SP1, x64 and x86
/// (ntdiff/headers, tagSOleTlsData), and of Windows 10 the declaration in System Informer's phnt headers (ntmisc.h); the fields up to the caller are the same
/// in both. Later fields have moved in between and are not read. Wine keeps something else in that place.
/// </summary>
/// <param name="abi">Pointer size and version.</param>
internal sealed class OleThreadDataLayout(WindowsAbi abi)
{
    /// <summary>Bit of the flags: the thread is in a single-threaded apartment.</summary>
    public const uint SingleThreaded = 0x80;

    /// <summary>Bit of the flags: the thread is in the multi-threaded apartment.</summary>
    public const uint MultiThreaded = 0x100;

    /// <summary>End of the last field that is read, of all versions and sizes.</summary>
    public const int End = 0x5C;

    public int? Flags { get; } = abi.Offset(x64: 0x14, x86: 0xC, since: WindowsVersions.Windows7);

    /// <summary>Id of the thread whose call this one is executing; 0 when it executes none, or the caller is on another machine.</summary>
    public int? CallerThreadId { get; } = abi.Offset(x64: 0x58, x86: 0x34, since: WindowsVersions.Windows7);
}
