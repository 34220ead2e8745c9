namespace Dump.Readers.Windows;

/// <summary>Offsets in the 64-bit thread environment block. Source: the field order of TEB in System Informer's phnt headers (ntpebteb.h), compiled for x64; ARM64 uses the same layout.</summary>
internal static class TebLayout
{
    public const int StackBase = 0x8;
    public const int StackLimit = 0x10;
    public const int Self = 0x30;
    public const int ClientIdThread = 0x48;
    public const int ProcessEnvironmentBlock = 0x60;
    public const int DeallocationStack = 0x1478;

    /// <summary>A 32-bit value that is 1 while the thread waits for the critical section which is the loader lock.</summary>
    public const int WaitingOnLoaderLock = 0x1760;

    public const int SameTebFlags = 0x17EE;

    /// <summary>Bit of SameTebFlags: the thread runs fibers, so its stack pointer may lie outside the recorded bounds.</summary>
    public const ushort HasFiberData = 1 << 2;

    /// <summary>Bit of SameTebFlags, Windows 10 and later: the thread owns the loader's work queue.</summary>
    public const ushort LoadOwner = 1 << 12;

    /// <summary>Bit of SameTebFlags, Windows 10 and later: the thread is one of the loader's own workers.</summary>
    public const ushort LoaderWorker = 1 << 13;
}
