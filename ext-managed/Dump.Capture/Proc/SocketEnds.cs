namespace Dump.Capture.Proc;

/// <summary>What a thread reads or writes a socket for: which one it is, and where its other end is open.</summary>
/// <param name="descriptors">What the process has open.</param>
internal sealed class SocketEnds(OpenDescriptors descriptors)
{
    private readonly Lazy<SocketTable> _table = new(() => SocketTable.Of(descriptors.Process));
    private readonly Lazy<IReadOnlyDictionary<uint, uint>?> _peers = new(() => UnixSocketPeers.Of(descriptors.Process));

    /// <summary>The sockets that the process sees.</summary>
    public SocketTable Table => _table.Value;

    /// <summary>The other end of a connected socket of this machine; null when there is none, or it is not known.</summary>
    /// <param name="row">The socket.</param>
    public uint? OtherEndOf(SocketRow row) => row.IsUnix
        ? _peers.Value is { } peers && peers.TryGetValue(row.Number, out uint peer) && peer != 0 ? peer : null
        : Table.OtherEndOf(row)?.Number;

    /// <summary>What it is, as a clause; empty where that is not known.</summary>
    /// <param name="file">What the descriptor leads to.</param>
    public string Describe(string file)
    {
        if (OpenDescriptors.SocketOf(file) is not { } number || Table.Find(number) is not { } row)
        {
            return "";
        }

        int[] others = OtherEndOf(row) is { } end ? descriptors.OfSocket(end) : [];
        return $"; {row.Kind}{(row.IsListening ? ", listening" : row.Remote is { } remote ? $" with {remote}" : "")}"
            + (others.Length == 0 ? "" : $"; its other end is open in this process itself: {DescriptorWords.Of(others)}");
    }
}
