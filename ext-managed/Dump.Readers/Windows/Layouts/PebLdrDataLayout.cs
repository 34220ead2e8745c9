namespace Dump.Readers.Windows.Layouts;

/// <summary>Offsets in PEB_LDR_DATA. Source: its field order in System Informer's phnt headers (ntpsapi.h), compiled for x64 and x86.</summary>
internal sealed record PebLdrDataLayout
{
    private static readonly PebLdrDataLayout s_wide = new() { ShutdownInProgress = 0x48, ShutdownThreadId = 0x50 };

    private static readonly PebLdrDataLayout s_narrow = new() { ShutdownInProgress = 0x28, ShutdownThreadId = 0x2C };

    public required int ShutdownInProgress { get; init; }

    public required int ShutdownThreadId { get; init; }

    /// <summary>The layout for addresses of 4 or 8 bytes.</summary>
    public static PebLdrDataLayout Of(int pointerSize) => pointerSize == sizeof(uint) ? s_narrow : s_wide;
}
