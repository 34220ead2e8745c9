namespace Dump.Readers.Windows.Layouts;

/// <summary>
/// Bits of the pointer-sized RTL_SRWLOCK. Source for Windows: the structure in the public symbols of ntdll (Locked, Waiting, Waking, MultipleShared, Shared),
/// Windows 7 to 11; once a thread waits, the upper bits are the address of a wait block on a waiter's stack instead of a count. Source for Wine 7 to 8: struct
/// srw_lock in dlls/ntdll/sync.c, 16 bits of exclusive waiters and 16 of owners; later versions count twice as much in the lower half.
/// </summary>
internal static class SlimReaderWriterLockLayout
{
    public const ulong Locked = 1 << 0;
    public const ulong Waiting = 1 << 1;
    public const ulong MultipleShared = 1 << 3;
    public const ulong FlagMask = 0xF;

    /// <summary>Offset of Wine's count of owners.</summary>
    public const int WineOwners = 2;

    /// <summary>Alignment of Wine's lock, of which it uses 32 bits.</summary>
    public const int WineAlignment = 4;
}
