namespace Dump.Readers.Windows.Layouts;

/// <summary>Offsets in a <c>MSG</c>: a window handle, then the message's number. Source: Microsoft Learn, "MSG structure (winuser.h)".</summary>
internal static class MessageLayout
{
    public const int Window = 0x0;

    /// <summary>The message's number, for handles of 4 or 8 bytes.</summary>
    public static int Message(int pointerSize) => pointerSize;

    /// <summary>Window handles have 32 significant bits (Microsoft Learn, "Interprocess Communication Between 32-bit and 64-bit Applications").</summary>
    public const ulong MostWindow = uint.MaxValue;

    /// <summary>Messages have numbers up to this (Microsoft Learn, "About Messages and Message Queues").</summary>
    public const uint MostMessage = 0xFFFF;
}
