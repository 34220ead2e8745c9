namespace Dump.Capture.Proc;

/// <summary>A socket as <c>/proc/PID/net</c> lists it.</summary>
/// <param name="Number">Its number, which descriptors lead to; 0 for a connection of a Unix socket that nobody has accepted yet.</param>
/// <param name="Kind">What it is and its own address, in words: <c>tcp 127.0.0.1:80</c>.</param>
/// <param name="Remote">The address of the other end; null where it has none, or the list does not tell.</param>
/// <param name="IsListening">True when connections to it are accepted.</param>
/// <param name="IsDatagram">True for one of datagrams.</param>
/// <param name="Unread">
/// Bytes that were not read yet; of a listening one how many wait to be accepted. 0 for Unix sockets, where the list does not tell.
/// </param>
internal sealed record SocketRow(uint Number, string Kind, string? Remote, bool IsListening, bool IsDatagram, uint Unread)
{
    /// <summary>Where a Unix socket lies; empty for one without a name, and for others.</summary>
    public string Path { get; init; } = "";

    /// <summary>True for a Unix socket.</summary>
    public bool IsUnix { get; init; }
}
