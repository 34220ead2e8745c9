using System.Buffers.Binary;
using System.Globalization;
using System.Net;
using Dump.Model.Text;

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

/// <summary>
/// The sockets of the network that a process sees: <c>tcp</c>, <c>tcp6</c>, <c>udp</c>, <c>udp6</c> and <c>unix</c> of <c>/proc/PID/net</c> (proc_pid_net(5);
/// Linux net/ipv4/tcp_ipv4.c, get_tcp4_sock; net/unix/af_unix.c, unix_seq_show).
/// </summary>
internal sealed class SocketTable
{
    private const int MostRows = 200_000;
    private const int LongestPath = 120;
    private const string Listen = "0A";

    // Fields of a line of tcp and udp, and of unix.
    private const int Local = 1, Remote = 2, State = 3, Queues = 4, Inode = 9;
    private const int UnixFlags = 3, UnixType = 4, UnixInode = 6, UnixPath = 7;
    private const uint Accepts = 0x10000;
    private const uint Datagram = 2;
    private readonly ILookup<uint, SocketRow> _rows;

    private SocketTable(IEnumerable<SocketRow> rows) => _rows = rows.ToLookup(r => r.Number);

    /// <summary>Reads those that a process sees.</summary>
    /// <param name="process">The process.</param>
    public static SocketTable Of(int process) => Parse(
        [.. ((string[])["tcp", "tcp6", "udp", "udp6"]).Select(n => (n[..3], ProcFile.Text($"/proc/{process}/net/{n}") ?? ""))],
        ProcFile.Text($"/proc/{process}/net/unix") ?? "");

    /// <summary>Reads the files' texts.</summary>
    /// <param name="internet">Protocol and text of each list of tcp and udp.</param>
    /// <param name="unix">The list of Unix sockets.</param>
    internal static SocketTable Parse((string Protocol, string Text)[] internet, string unix) => new(
        internet.SelectMany(l => Lines(l.Text).Select(line => Internet(l.Protocol, line))).Concat(Lines(unix).Select(Unix)).OfType<SocketRow>());

    /// <summary>A socket; null where it is of another kind or of another network.</summary>
    /// <param name="number">Its number.</param>
    public SocketRow? Find(uint number) => number == 0 ? null : _rows[number].FirstOrDefault();

    /// <summary>How many connections wait to be accepted by a listening socket.</summary>
    /// <param name="listening">The socket.</param>
    public long WaitingFor(SocketRow listening) => listening.IsUnix ? _rows[0].Count(r => r.Path.Length > 0 && r.Path == listening.Path) : listening.Unread;

    /// <summary>The socket of this network at the other end of a connection to the same machine; null when there is none.</summary>
    /// <param name="row">One end.</param>
    public SocketRow? OtherEndOf(SocketRow row) => row is not { IsUnix: false, Remote: { } remote } ? null
        : _rows.SelectMany(r => r)
            .FirstOrDefault(r => r is { IsUnix: false, Number: not 0 } && r.Kind == $"{row.Kind[..3]} {remote}" && $"{r.Kind[..3]} {r.Remote}" == row.Kind);

    private static IEnumerable<string[]> Lines(string text) =>
        text.Split('\n').Skip(1).Take(MostRows).Select(l => l.Split(' ', StringSplitOptions.RemoveEmptyEntries));

    private static SocketRow? Internet(string protocol, string[] fields)
    {
        if (fields.Length <= Inode || Address(fields[Local]) is not { } own || Address(fields[Remote]) is not { } remote
            || !uint.TryParse(fields[Inode], NumberStyles.None, CultureInfo.InvariantCulture, out uint number)
            || fields[Queues].Split(':') is not [_, var unread]
            || !uint.TryParse(unread, NumberStyles.AllowHexSpecifier, CultureInfo.InvariantCulture, out uint bytes))
        {
            return null;
        }

        bool isTcp = protocol == "tcp", isListening = isTcp && fields[State] == Listen;
        return new SocketRow(number, $"{protocol} {own}", isListening || remote.Port == 0 ? null : remote.ToString(), isListening, !isTcp, bytes);
    }

    private static SocketRow? Unix(string[] fields) =>
        fields.Length > UnixInode && uint.TryParse(fields[UnixFlags], NumberStyles.AllowHexSpecifier, CultureInfo.InvariantCulture, out uint flags)
            && uint.TryParse(fields[UnixType], NumberStyles.AllowHexSpecifier, CultureInfo.InvariantCulture, out uint type)
            && uint.TryParse(fields[UnixInode], NumberStyles.None, CultureInfo.InvariantCulture, out uint number)
            ? Unix(number, string.Join(' ', fields.Skip(UnixPath)), (flags & Accepts) != 0, type == Datagram)
            : null;

    private static SocketRow Unix(uint number, string path, bool isListening, bool isDatagram) =>
        new(number, path.Length == 0 ? "unix" : $"unix {SafeText.Clean(path, LongestPath)}", null, isListening, isDatagram, 0) { Path = path, IsUnix = true };

    /// <summary>An address as words of 32 bits in the machine's order, a colon and the port, all in hexadecimal digits.</summary>
    private static IPEndPoint? Address(string text)
    {
        if (text.Split(':') is not [{ Length: 8 or 32 } address, { Length: 4 } port] || !address.All(char.IsAsciiHexDigit)
            || !ushort.TryParse(port, NumberStyles.AllowHexSpecifier, CultureInfo.InvariantCulture, out ushort number))
        {
            return null;
        }

        byte[] bytes = new byte[address.Length / 2];
        for (int i = 0; i < bytes.Length; i += sizeof(uint))
        {
            BinaryPrimitives.WriteUInt32LittleEndian(
                bytes.AsSpan(i), uint.Parse(address.AsSpan(i * 2, 8), NumberStyles.AllowHexSpecifier, CultureInfo.InvariantCulture));
        }

        // A socket of IPv6 that speaks IPv4 has the other end's address in that form, and the other end has it in its own.
        IPAddress found = new(bytes);
        return new IPEndPoint(found.IsIPv4MappedToIPv6 ? found.MapToIPv4() : found, number);
    }
}

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
