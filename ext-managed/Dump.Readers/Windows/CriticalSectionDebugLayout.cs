namespace Dump.Readers.Windows;

/// <summary>Offsets in the 64-bit RTL_CRITICAL_SECTION_DEBUG. Source: the public definition in winnt.h.</summary>
internal static class CriticalSectionDebugLayout
{
    public const int Type = 0x0;
    public const int CriticalSection = 0x8;
    public const int ProcessLocksList = 0x10;

    /// <summary>Offset of the backward link in a LIST_ENTRY.</summary>
    public const int BackwardLink = 8;

    /// <summary>Highest valid value of the type field: 0 is a critical section, 1 a resource.</summary>
    public const ushort HighestType = 1;
}
