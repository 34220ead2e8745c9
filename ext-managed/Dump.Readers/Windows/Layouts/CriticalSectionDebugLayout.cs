using Dump.Readers.Windows.Locks;

namespace Dump.Readers.Windows.Layouts;

/// <summary>Offsets in RTL_CRITICAL_SECTION_DEBUG. Source: the public definition in winnt.h, for x64 and x86.</summary>
internal sealed record CriticalSectionDebugLayout
{
    /// <summary>Highest valid value of the type field: 0 is a critical section, 1 a resource.</summary>
    public const ushort HighestType = 1;

    private static readonly CriticalSectionDebugLayout s_wide = new() { Type = 0x0, CriticalSection = 0x8, ProcessLocksList = 0x10, BackwardLink = 8 };

    private static readonly CriticalSectionDebugLayout s_narrow = new() { Type = 0x0, CriticalSection = 0x4, ProcessLocksList = 0x8, BackwardLink = 4 };

    public required int Type { get; init; }

    public required int CriticalSection { get; init; }

    public required int ProcessLocksList { get; init; }

    /// <summary>Offset of the backward link in a LIST_ENTRY.</summary>
    public required int BackwardLink { get; init; }

    /// <summary>The layout for addresses of 4 or 8 bytes.</summary>
    public static CriticalSectionDebugLayout Of(int pointerSize) => pointerSize == sizeof(uint) ? s_narrow : s_wide;
}
