using Dump.Readers.Windows.Process;

namespace Dump.Readers.Windows.Layouts;

/// <summary>
/// Offsets in the thread environment block. Source: the field order of TEB in System Informer's phnt headers
/// (ntpebteb.h), compiled for x64 and x86; ARM64 uses the x64 layout.
/// </summary>
internal sealed record TebLayout
{
    /// <summary>Bit of SameTebFlags: the thread runs fibers, so its stack pointer may lie outside the recorded bounds.</summary>
    public const ushort HasFiberData = 1 << 2;

    /// <summary>Bit of SameTebFlags, Windows 10 and later: the thread owns the loader's work queue.</summary>
    public const ushort LoadOwner = 1 << 12;

    /// <summary>Bit of SameTebFlags, Windows 10 and later: the thread is one of the loader's own workers.</summary>
    public const ushort LoaderWorker = 1 << 13;

    private static readonly TebLayout s_wide = new()
    {
        PointerSize = sizeof(ulong),
        StackBase = 0x8,
        StackLimit = 0x10,
        Self = 0x30,
        ClientIdThread = 0x48,
        ProcessEnvironmentBlock = 0x60,
        Win32ThreadInfo = 0x78,
        ReservedForOle = 0x1758,
        WaitingOnLoaderLock = 0x1760,
        SameTebFlags = 0x17EE,
    };

    private static readonly TebLayout s_narrow = new()
    {
        PointerSize = sizeof(uint),
        StackBase = 0x4,
        StackLimit = 0x8,
        Self = 0x18,
        ClientIdThread = 0x24,
        ProcessEnvironmentBlock = 0x30,
        Win32ThreadInfo = 0x40,
        ReservedForOle = 0xF80,
        WaitingOnLoaderLock = 0xF84,
        SameTebFlags = 0xFCA,
    };

    /// <summary>Size of the addresses in it, in bytes.</summary>
    public required int PointerSize { get; init; }

    public required int StackBase { get; init; }

    public required int StackLimit { get; init; }

    public required int Self { get; init; }

    public required int ClientIdThread { get; init; }

    public required int ProcessEnvironmentBlock { get; init; }

    /// <summary>A kernel address once the thread has called the window manager, else 0.</summary>
    public required int Win32ThreadInfo { get; init; }

    /// <summary>Pointer to what COM keeps of the thread (<see cref="OleThreadDataLayout"/>); 0 until the thread uses COM.</summary>
    public required int ReservedForOle { get; init; }

    /// <summary>A 32-bit value that is 1 while the thread waits for the critical section which is the loader lock.</summary>
    public required int WaitingOnLoaderLock { get; init; }

    public required int SameTebFlags { get; init; }

    /// <summary>The layout for addresses of 4 or 8 bytes.</summary>
    public static TebLayout Of(int pointerSize) => pointerSize == sizeof(uint) ? s_narrow : s_wide;
}
