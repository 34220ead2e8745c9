namespace Dump.Readers.Windows.Layouts;

/// <summary>
/// Offsets in RTL_RESOURCE: a critical section, then a semaphore with the number of its waiters for readers and one for writers, how many hold it, and the writer.
/// Not documented. Source: the code of RtlAcquireResourceShared and RtlAcquireResourceExclusive in the x64 ntdlls of 7601 to 26100, which agree; wine-8.0,
/// dlls/ntdll/rtl.c (RTL_RWLOCK). 32-bit code was not looked at.
/// </summary>
internal static class ReaderWriterResourceLayout
{
    /// <summary>The semaphore for which readers wait.</summary>
    public const int SharedSemaphore = 0x28;

    /// <summary>How many readers wait (ULONG).</summary>
    public const int SharedWaiters = 0x30;

    /// <summary>The semaphore for which writers wait.</summary>
    public const int ExclusiveSemaphore = 0x38;

    /// <summary>How many writers wait (ULONG).</summary>
    public const int ExclusiveWaiters = 0x40;

    /// <summary>How many hold it (LONG): readers count up, a writer's entries count down.</summary>
    public const int Active = 0x44;

    /// <summary>The writer's thread id, where there is a writer (HANDLE).</summary>
    public const int ExclusiveOwner = 0x48;

    /// <summary>Whether the fields are known to lie so.</summary>
    /// <param name="abi">Pointer size and version.</param>
    public static bool IsKnown(WindowsAbi abi) => abi.PointerSize == sizeof(ulong) && (abi.IsWine || abi.Version >= WindowsVersions.Windows7);
}
