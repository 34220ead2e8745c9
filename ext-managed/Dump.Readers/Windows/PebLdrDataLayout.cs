namespace Dump.Readers.Windows;

/// <summary>Offsets in the 64-bit PEB_LDR_DATA. Source: its field order in System Informer's phnt headers (ntpsapi.h).</summary>
internal static class PebLdrDataLayout
{
    public const int ShutdownInProgress = 0x48;
    public const int ShutdownThreadId = 0x50;
}
