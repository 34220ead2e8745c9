namespace Dump.Readers.Windows.Layouts;

/// <summary>
/// Offsets in SOleTlsData, which COM keeps of each thread and does not document. Sources: the types of ole32's own PDB of Windows 7 SP1, x64 and x86
/// (ntdiff/headers, tagSOleTlsData), and of Windows 10 the declaration in System Informer's phnt headers (ntmisc.h); the fields up to the caller are the same
/// in both. Later fields have moved in between and are not read.
/// </summary>
internal sealed record OleThreadDataLayout
{
    /// <summary>Bit of the flags: the thread is in a single-threaded apartment.</summary>
    public const uint SingleThreaded = 0x80;

    /// <summary>Bit of the flags: the thread is in the multi-threaded apartment.</summary>
    public const uint MultiThreaded = 0x100;

    private static readonly OleThreadDataLayout s_wide = new() { Flags = 0x14, CallerThreadId = 0x58 };
    private static readonly OleThreadDataLayout s_narrow = new() { Flags = 0xC, CallerThreadId = 0x34 };

    public required int Flags { get; init; }

    /// <summary>Id of the thread whose call this one is executing; 0 when it executes none, or the caller is on another machine.</summary>
    public required int CallerThreadId { get; init; }

    /// <summary>The layout for addresses of 4 or 8 bytes.</summary>
    public static OleThreadDataLayout Of(int pointerSize) => pointerSize == sizeof(uint) ? s_narrow : s_wide;
}
