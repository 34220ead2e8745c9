namespace Dump.Readers.Windows;

/// <summary>Offsets in a 64-bit <c>MSG</c>. Source: Microsoft Learn, "MSG structure (winuser.h)".</summary>
internal static class MessageLayout
{
    public const int Window = 0x0;
    public const int Message = 0x8;

    /// <summary>Window handles have 32 significant bits (Microsoft Learn, "Interprocess Communication Between 32-bit and 64-bit Applications").</summary>
    public const ulong MostWindow = uint.MaxValue;

    /// <summary>Messages have numbers up to this (Microsoft Learn, "About Messages and Message Queues").</summary>
    public const uint MostMessage = 0xFFFF;
}
