namespace Dump.Readers.Windows.Layouts;

/// <summary>
/// Offsets in the thread environment block. Source: the field order of TEB in System Informer's phnt headers
/// (ntpebteb.h), compiled for x64 and x86, which also say since when bits of SameTebFlags are used; ARM64 uses the x64 layout.
/// </summary>
/// <param name="abi">Pointer size and version.</param>
internal sealed class TebLayout(WindowsAbi abi)
{
    /// <summary>Bit of SameTebFlags: the thread runs fibers, so its stack pointer may lie outside the recorded bounds.</summary>
    public const ushort HasFiberData = 1 << 2;

    /// <summary>End of the last field that is read, of all versions and sizes.</summary>
    public const int End = 0x17F0;

    /// <summary>Size of the addresses in it, in bytes.</summary>
    public int PointerSize { get; } = abi.PointerSize;

    public int StackBase { get; } = abi.Offset(x64: 0x8, x86: 0x4);

    public int StackLimit { get; } = abi.Offset(x64: 0x10, x86: 0x8);

    /// <summary>Lowest address that is set aside for the stack, below the part that is in use.</summary>
    public int DeallocationStack { get; } = abi.Offset(x64: 0x1478, x86: 0xE0C);

    public int Self { get; } = abi.Offset(x64: 0x30, x86: 0x18);

    public int ClientIdThread { get; } = abi.Offset(x64: 0x48, x86: 0x24);

    public int ProcessEnvironmentBlock { get; } = abi.Offset(x64: 0x60, x86: 0x30);

    /// <summary>A kernel address once the thread has called the window manager, else 0.</summary>
    public int Win32ThreadInfo { get; } = abi.Offset(x64: 0x78, x86: 0x40);

    /// <summary>Pointer to what COM keeps of the thread (<see cref="Ole"/>); 0 until the thread uses COM.</summary>
    public int ReservedForOle { get; } = abi.Offset(x64: 0x1758, x86: 0xF80);

    /// <summary>A 32-bit value that is 1 while the thread waits for the critical section which is the loader lock.</summary>
    public int WaitingOnLoaderLock { get; } = abi.Offset(x64: 0x1760, x86: 0xF84);

    public int SameTebFlags { get; } = abi.Offset(x64: 0x17EE, x86: 0xFCA);

    /// <summary>Bit of SameTebFlags: the thread owns the loader's work queue.</summary>
    public ushort? LoadOwner { get; } = abi.Bit(12, since: WindowsVersions.Windows10);

    /// <summary>Bit of SameTebFlags: the thread is one of the loader's own workers.</summary>
    public ushort? LoaderWorker { get; } = abi.Bit(13, since: WindowsVersions.Windows10);

    /// <summary>Where what COM keeps of the thread has its fields.</summary>
    public OleThreadDataLayout Ole { get; } = new(abi);
}
