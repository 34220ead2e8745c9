namespace Dump.Capture.Proc;

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
