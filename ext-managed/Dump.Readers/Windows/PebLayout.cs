namespace Dump.Readers.Windows;

/// <summary>Offsets in the process environment block. Source: the field order of PEB in System Informer's phnt headers (ntpebteb.h), compiled for x64 and x86; ARM64 uses the x64 layout.</summary>
internal sealed record PebLayout
{
    private static readonly PebLayout s_wide = new() { ImageBaseAddress = 0x10, Ldr = 0x18, ProcessHeap = 0x30, FastPebLock = 0x38, LoaderLock = 0x110 };

    private static readonly PebLayout s_narrow = new() { ImageBaseAddress = 0x8, Ldr = 0xC, ProcessHeap = 0x18, FastPebLock = 0x1C, LoaderLock = 0xA0 };

    public required int ImageBaseAddress { get; init; }

    public required int Ldr { get; init; }

    public required int ProcessHeap { get; init; }

    public required int FastPebLock { get; init; }

    public required int LoaderLock { get; init; }

    /// <summary>The layout for addresses of 4 or 8 bytes.</summary>
    public static PebLayout Of(int pointerSize) => pointerSize == sizeof(uint) ? s_narrow : s_wide;
}
