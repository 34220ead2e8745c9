namespace Dump.Readers.Windows;

/// <summary>Offsets in the 64-bit RTL_CRITICAL_SECTION. Source: the public definition in winnt.h.</summary>
internal static class CriticalSectionLayout
{
    public const int DebugInfo = 0x0;
    public const int LockCount = 0x8;
    public const int RecursionCount = 0xC;
    public const int OwningThread = 0x10;
    public const int LockSemaphore = 0x18;
    public const int SpinCount = 0x20;
    public const int Size = 0x28;
    public const int Alignment = 8;
}
