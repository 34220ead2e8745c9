using System.Buffers.Binary;
using System.Runtime.InteropServices;
using Microsoft.Win32.SafeHandles;

namespace Dump.Capture.Proc;

/// <summary>
/// Which Unix sockets are the two ends of one connection, as the system lists them over netlink (sock_diag(7)). Nothing is sent to anybody else.
/// </summary>
internal static partial class UnixSocketPeers
{
    private const int BufferSize = 65_536;
    private const int MostMessages = 10_000;

    /// <summary>The other end of each connected Unix socket, by number; null where the system does not tell.</summary>
    /// <param name="process">The process whose sockets are asked for: those of another network than this program's cannot be listed.</param>
    public static IReadOnlyDictionary<uint, uint>? Of(int process) =>
        ProcFile.Link($"/proc/{process}/ns/net") is { } theirs && theirs == ProcFile.Link("/proc/self/ns/net") ? Read() : null;

    /// <summary>Those of this program's network.</summary>
    internal static IReadOnlyDictionary<uint, uint>? Read()
    {
        using SafeFileHandle socket = new(Socket(UnixDiagLayout.NetlinkFamily, UnixDiagLayout.SocketType, UnixDiagLayout.SocketDiag), ownsHandle: true);
        byte[] request = Request(), answer = new byte[BufferSize];
        if (socket.IsInvalid || Send(socket, request, request.Length, 0) != request.Length)
        {
            return null;
        }

        Dictionary<uint, uint> peers = [];
        for (int i = 0; i < MostMessages; i++)
        {
            // The answer to a request is there when the request was sent, and each part when the one before it was taken.
            nint length = Receive(socket, answer, answer.Length, UnixDiagLayout.WithoutWaiting);
            if (length <= 0 || Take(answer.AsSpan(0, (int)length), peers) is not { } isDone)
            {
                return null;
            }

            if (isDone)
            {
                return peers;
            }
        }

        return null;
    }

    /// <summary>Takes the sockets of one part of the answer.</summary>
    /// <returns>True when it was the last one; null when it is no answer.</returns>
    internal static bool? Take(ReadOnlySpan<byte> answer, Dictionary<uint, uint> peers)
    {
        while (answer.Length >= UnixDiagLayout.HeaderSize)
        {
            uint length = BinaryPrimitives.ReadUInt32LittleEndian(answer);
            ushort type = BinaryPrimitives.ReadUInt16LittleEndian(answer[UnixDiagLayout.HeaderType..]);
            if (type == UnixDiagLayout.Done)
            {
                return true;
            }

            if (type == UnixDiagLayout.Failed || length < UnixDiagLayout.HeaderSize || length > answer.Length)
            {
                return null;
            }

            if (length >= UnixDiagLayout.Attributes && PeerIn(answer[UnixDiagLayout.Attributes..(int)length]) is { } peer)
            {
                peers[BinaryPrimitives.ReadUInt32LittleEndian(answer[UnixDiagLayout.Number..])] = peer;
            }

            answer = answer[Math.Min(answer.Length, (int)((length + 3) & ~3u))..];
        }

        return false;
    }

    private static uint? PeerIn(ReadOnlySpan<byte> attributes)
    {
        while (attributes.Length >= UnixDiagLayout.AttributeHeader)
        {
            ushort length = BinaryPrimitives.ReadUInt16LittleEndian(attributes), type = BinaryPrimitives.ReadUInt16LittleEndian(attributes[2..]);
            if (length < UnixDiagLayout.AttributeHeader || length > attributes.Length)
            {
                return null;
            }

            if (type == UnixDiagLayout.Peer && length >= UnixDiagLayout.AttributeHeader + sizeof(uint))
            {
                return BinaryPrimitives.ReadUInt32LittleEndian(attributes[UnixDiagLayout.AttributeHeader..]);
            }

            attributes = attributes[Math.Min(attributes.Length, (length + 3) & ~3)..];
        }

        return null;
    }

    private static byte[] Request()
    {
        byte[] bytes = new byte[UnixDiagLayout.HeaderSize + UnixDiagLayout.RequestSize];
        BinaryPrimitives.WriteInt32LittleEndian(bytes, bytes.Length);
        BinaryPrimitives.WriteUInt16LittleEndian(bytes.AsSpan(UnixDiagLayout.HeaderType), UnixDiagLayout.ByFamily);
        BinaryPrimitives.WriteUInt16LittleEndian(bytes.AsSpan(UnixDiagLayout.HeaderFlags), UnixDiagLayout.Dump);
        bytes[UnixDiagLayout.HeaderSize] = UnixDiagLayout.UnixFamily;
        BinaryPrimitives.WriteUInt32LittleEndian(bytes.AsSpan(UnixDiagLayout.RequestStates), uint.MaxValue);
        BinaryPrimitives.WriteUInt32LittleEndian(bytes.AsSpan(UnixDiagLayout.RequestShow), UnixDiagLayout.ShowPeer);
        return bytes;
    }

    [LibraryImport("libc", EntryPoint = "socket", SetLastError = true)]
    private static partial int Socket(int family, int type, int protocol);

    [LibraryImport("libc", EntryPoint = "send", SetLastError = true)]
    private static partial nint Send(SafeFileHandle socket, byte[] bytes, nint length, int flags);

    [LibraryImport("libc", EntryPoint = "recv", SetLastError = true)]
    private static partial nint Receive(SafeFileHandle socket, [Out] byte[] bytes, nint length, int flags);
}

/// <summary>
/// Numbers of the system's list of Unix sockets over netlink, the same on x64 and Arm64. Sources: Linux include/uapi/linux/netlink.h, sock_diag.h, unix_diag.h;
/// sock_diag(7).
/// </summary>
internal static class UnixDiagLayout
{
    /// <summary>AF_NETLINK; SOCK_RAW and SOCK_CLOEXEC; NETLINK_SOCK_DIAG; AF_UNIX; MSG_DONTWAIT.</summary>
    public const int NetlinkFamily = 16;
    public const int SocketType = 3 | 0x80000;
    public const int SocketDiag = 4;
    public const byte UnixFamily = 1;
    public const int WithoutWaiting = 0x40;

    /// <summary>struct nlmsghdr: length, type, flags, sequence, port; and struct unix_diag_req behind it.</summary>
    public const int HeaderSize = 16;
    public const int RequestSize = 24;
    public const int HeaderType = 4;
    public const int HeaderFlags = 6;
    public const int RequestStates = HeaderSize + 4;
    public const int RequestShow = HeaderSize + 12;

    /// <summary>SOCK_DIAG_BY_FAMILY; NLM_F_REQUEST and NLM_F_DUMP; NLMSG_ERROR; NLMSG_DONE; UDIAG_SHOW_PEER.</summary>
    public const ushort ByFamily = 20;
    public const ushort Dump = 0x301;
    public const ushort Failed = 2;
    public const ushort Done = 3;
    public const uint ShowPeer = 4;

    /// <summary>struct unix_diag_msg behind the header: the socket's number, and where its attributes (length, type, value) begin.</summary>
    public const int Number = HeaderSize + 4;
    public const int Attributes = HeaderSize + 16;
    public const int AttributeHeader = 4;

    /// <summary>UNIX_DIAG_PEER.</summary>
    public const ushort Peer = 2;
}
