namespace Dump.Readers.Windows;

/// <summary>Offsets in the 64-bit process environment block. Source: the field order of PEB in System Informer's phnt headers (ntpebteb.h), compiled for x64; ARM64 uses the same layout.</summary>
internal static class PebLayout
{
    public const int ImageBaseAddress = 0x10;
    public const int Ldr = 0x18;
    public const int ProcessHeap = 0x30;
    public const int FastPebLock = 0x38;
    public const int LoaderLock = 0x110;
}
