namespace Dump.Readers.Windows.Layouts;

/// <summary>Offsets in RTL_CRITICAL_SECTION_DEBUG. Source: the public definition in winnt.h, for x64 and x86.</summary>
/// <param name="abi">Pointer size and version.</param>
internal sealed class CriticalSectionDebugLayout(WindowsAbi abi)
{
    /// <summary>Highest valid value of the type field: 0 is a critical section, 1 a resource.</summary>
    public const ushort HighestType = 1;

    public int Type { get; } = abi.Offset(x64: 0x0, x86: 0x0);

    public int CriticalSection { get; } = abi.Offset(x64: 0x8, x86: 0x4);

    public int ProcessLocksList { get; } = abi.Offset(x64: 0x10, x86: 0x8);

    /// <summary>
    /// How many waits for the section have begun (Windows, which makes the block at the first of them) or ended (Wine 8, checked there: it counts when a waiter
    /// has got the section).
    /// </summary>
    public int ContentionCount { get; } = abi.Offset(x64: 0x24, x86: 0x14);

    /// <summary>Offset of the backward link in a LIST_ENTRY.</summary>
    public int BackwardLink { get; } = abi.Offset(x64: 0x8, x86: 0x4);
}
