namespace Dump.Readers.Windows.Layouts;

/// <summary>
/// Offsets in the process environment block. Source: the field order of PEB in System Informer's phnt headers
/// (ntpebteb.h), compiled for x64 and x86; ARM64 uses the x64 layout.
/// </summary>
internal sealed record PebLayout
{
    private static readonly PebLayout s_wide = new()
    {
        ImageBaseAddress = 0x10, Ldr = 0x18, ProcessParameters = 0x20, ProcessHeap = 0x30, FastPebLock = 0x38, NumberOfHeaps = 0xE8, ProcessHeaps = 0xF0,
        LoaderLock = 0x110, WaitOnAddressHashTable = 0x3A0,
    };

    private static readonly PebLayout s_narrow = new()
    {
        ImageBaseAddress = 0x8, Ldr = 0xC, ProcessParameters = 0x10, ProcessHeap = 0x18, FastPebLock = 0x1C, NumberOfHeaps = 0x88, ProcessHeaps = 0x90,
        LoaderLock = 0xA0, WaitOnAddressHashTable = 0x25C,
    };

    public required int ImageBaseAddress { get; init; }

    public required int Ldr { get; init; }

    /// <summary>Offset of the address of the process' parameters.</summary>
    public required int ProcessParameters { get; init; }

    public required int ProcessHeap { get; init; }

    public required int FastPebLock { get; init; }

    /// <summary>Offset of a 32-bit number of heaps.</summary>
    public required int NumberOfHeaps { get; init; }

    /// <summary>Offset of the address of an array of their addresses.</summary>
    public required int ProcessHeaps { get; init; }

    public required int LoaderLock { get; init; }

    /// <summary>Offset of 128 pointers, Windows 8 and later.</summary>
    public required int WaitOnAddressHashTable { get; init; }

    /// <summary>The layout for addresses of 4 or 8 bytes.</summary>
    public static PebLayout Of(int pointerSize) => pointerSize == sizeof(uint) ? s_narrow : s_wide;
}
