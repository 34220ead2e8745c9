namespace Dump.Readers.Windows.Layouts;

/// <summary>Offsets in RTL_CRITICAL_SECTION. Source: the public definition in winnt.h, for x64 and x86.</summary>
internal sealed record CriticalSectionLayout
{
    /// <summary>Size of the larger of the two.</summary>
    public const int LargestSize = 0x28;

    private static readonly CriticalSectionLayout s_wide = new()
    {
        DebugInfo = 0x0, LockCount = 0x8, RecursionCount = 0xC, OwningThread = 0x10, LockSemaphore = 0x18, SpinCount = 0x20, Size = LargestSize,
        PointerSize = sizeof(ulong),
    };

    private static readonly CriticalSectionLayout s_narrow = new()
    {
        DebugInfo = 0x0, LockCount = 0x4, RecursionCount = 0x8, OwningThread = 0xC, LockSemaphore = 0x10, SpinCount = 0x14, Size = 0x18,
        PointerSize = sizeof(uint),
    };

    public required int DebugInfo { get; init; }

    public required int LockCount { get; init; }

    public required int RecursionCount { get; init; }

    public required int OwningThread { get; init; }

    public required int LockSemaphore { get; init; }

    public required int SpinCount { get; init; }

    public required int Size { get; init; }

    /// <summary>Size of an address, which the structure is aligned to.</summary>
    public required int PointerSize { get; init; }

    /// <summary>The layout for addresses of 4 or 8 bytes.</summary>
    public static CriticalSectionLayout Of(int pointerSize) => pointerSize == sizeof(uint) ? s_narrow : s_wide;
}
