using System.Net;
using System.Net.Sockets;
using System.Runtime.Versioning;
using Dump.Capture.Proc;

namespace Dump.Capture.Tests;

/// <summary>Sockets as the system lists them: the texts of /proc, the answers over netlink, and the real ones of this process.</summary>
[SupportedOSPlatform("linux")]
public sealed class SocketTests
{
    private const string Tcp = """
          sl  local_address rem_address   st tx_queue rx_queue tr tm->when retrnsmt   uid  timeout inode
           0: 0100007F:46B3 00000000:0000 0A 00000000:00000003 00:00000000 00000000     0        0 4711 1 0000000000000000 100 0 0 10 0
           1: 0100007F:46B3 0100007F:C350 01 00000000:00000005 00:00000000 00000000     0        0 4712 1 0000000000000000 20 4 30 10 -1
           2: 0100007F:C350 0100007F:46B3 01 00000000:00000000 00:00000000 00000000     0        0 4713 1 0000000000000000 20 4 30 10 -1
           3: nonsense
        """;

    private const string Unix = """
        Num       RefCount Protocol Flags    Type St Inode Path
        0000000000000000: 00000002 00000000 00010000 0001 01 5001 /run/shop
        0000000000000000: 00000002 00000000 00000000 0001 02     0 /run/shop
        0000000000000000: 00000003 00000000 00000000 0001 03 5002 /run/shop
        0000000000000000: 00000003 00000000 00000000 0002 01 5003
        """;

    private static readonly SocketTable s_table = SocketTable.Parse([("tcp", Tcp)], Unix);

    [Fact]
    public void Listening_sockets_tell_how_many_wait_to_be_accepted()
    {
        SocketRow tcp = s_table.Find(4711)!, unix = s_table.Find(5001)!;
        Assert.Equal((true, "tcp 127.0.0.1:18099", 3L), (tcp.IsListening, tcp.Kind, s_table.WaitingFor(tcp)));
        Assert.Equal((true, "unix /run/shop", 1L), (unix.IsListening, unix.Kind, s_table.WaitingFor(unix)));
    }

    [Fact]
    public void Connections_have_two_ends()
    {
        Assert.Equal((false, "127.0.0.1:50000"), (s_table.Find(4712)!.IsListening, s_table.Find(4712)!.Remote));
        Assert.Equal(4713u, s_table.OtherEndOf(s_table.Find(4712)!)!.Number);
        Assert.Null(s_table.OtherEndOf(s_table.Find(4711)!));
        Assert.Equal((false, true), (s_table.Find(5003)!.IsListening, s_table.Find(5003)!.IsDatagram));
        Assert.Null(s_table.Find(0));
        Assert.Null(s_table.Find(9));
    }

    [SkippableFact]
    public void Ends_of_a_pair_in_this_process_are_named()
    {
        Skip.IfNot(OperatingSystem.IsLinux(), "needs Linux");
        using TcpListener listener = new(IPAddress.Loopback, 0);
        listener.Start();
        using TcpClient client = new();
        client.Connect((IPEndPoint)listener.LocalEndpoint);
        using TcpClient server = listener.AcceptTcpClient();
        OpenDescriptors descriptors = new(Environment.ProcessId);
        SocketEnds ends = new(descriptors);
        string file = descriptors.Files[server.Client.Handle.ToInt32()];
        Assert.Contains($"its other end is open in this process itself: file descriptor {client.Client.Handle}", ends.Describe(file), StringComparison.Ordinal);
        Assert.Contains(", listening", ends.Describe(descriptors.Files[listener.Server.Handle.ToInt32()]), StringComparison.Ordinal);
        Assert.Equal("", ends.Describe("socket:[1]"));
        Assert.Equal("", ends.Describe("/etc/passwd"));
    }

    [SkippableFact]
    public void Ends_of_unix_sockets_are_paired_by_the_system()
    {
        Skip.IfNot(OperatingSystem.IsLinux(), "needs Linux");
        string path = Path.Combine(Directory.CreateTempSubdirectory("sockets-").FullName, "s");
        using Socket listener = new(AddressFamily.Unix, SocketType.Stream, ProtocolType.Unspecified);
        listener.Bind(new UnixDomainSocketEndPoint(path));
        listener.Listen();
        using Socket client = new(AddressFamily.Unix, SocketType.Stream, ProtocolType.Unspecified);
        client.Connect(new UnixDomainSocketEndPoint(path));
        using Socket server = listener.Accept();
        Skip.If(UnixSocketPeers.Read() is null, "the system lists no Unix sockets over netlink");
        OpenDescriptors descriptors = new(Environment.ProcessId);
        Assert.Contains($"file descriptor {client.Handle}", new SocketEnds(descriptors).Describe(descriptors.Files[server.Handle.ToInt32()]),
            StringComparison.Ordinal);
        Directory.Delete(Path.GetDirectoryName(path)!, recursive: true);
    }

    /// <summary>Answers over netlink, whatever their bytes: sockets, the end, or nothing.</summary>
    [Fact]
    public void Damaged_answers_are_no_sockets()
    {
        byte[] answer = new byte[16 + 16 + 8 + 16];
        BitConverter.TryWriteBytes(answer, 40);
        BitConverter.TryWriteBytes(answer.AsSpan(4), (ushort)20);
        BitConverter.TryWriteBytes(answer.AsSpan(20), 77u);
        BitConverter.TryWriteBytes(answer.AsSpan(32), (ushort)8);
        BitConverter.TryWriteBytes(answer.AsSpan(34), (ushort)2);
        BitConverter.TryWriteBytes(answer.AsSpan(36), 78u);
        BitConverter.TryWriteBytes(answer.AsSpan(40), 16);
        BitConverter.TryWriteBytes(answer.AsSpan(44), (ushort)3);
        Dictionary<uint, uint> peers = [];
        Assert.True(UnixSocketPeers.Take(answer, peers));
        Assert.Equal(78u, peers[77]);
        Random random = new(19);
        for (int i = 0; i < 5_000; i++)
        {
            byte[] damaged = [.. answer];
            damaged[random.Next(damaged.Length)] = (byte)random.Next(256);
            UnixSocketPeers.Take(damaged.AsSpan(0, random.Next(damaged.Length + 1)), []);
        }
    }

    [Theory]
    [InlineData("pos:\t0\nflags:\t02\neventfd-count:               1f\neventfd-id: 7\n", 31ul, 7u)]
    [InlineData("eventfd-count: 0\n", 0ul, null)]
    public void Counters_are_read(string text, ulong count, uint? identity) => Assert.Equal(new EventCounter(count, identity), EventCounter.Parse(text));

    [Theory]
    [InlineData(null)]
    [InlineData("pos:\t0\nflags:\t02\n")]
    [InlineData("eventfd-count: x\n")]
    public void What_is_no_counter_is_none(string? text) => Assert.Null(EventCounter.Parse(text));

    [Fact]
    public void Members_of_a_set_of_files_are_read() =>
        Assert.Equal([6, 12, -1], ServerWaits.MembersIn("pos:\t0\ntfd:        6 events:       19 data: 6\ntfd:       12 events: 1 data: 0\ntfd: \nx\n"));

    [Theory]
    [InlineData("         0     100000      65536\n", 100_000u)]
    [InlineData("      1000     100000      65536\n         0       1000          1\n", 1_000u)]
    [InlineData("      1000     100000      65536\n", null)]
    [InlineData("0 5 0\n", null)]
    [InlineData("nonsense\n\n", null)]
    public void Root_of_a_user_namespace_is_read(string map, uint? user) => Assert.Equal(user, ProcessOwners.MappedRoot(map));
}
