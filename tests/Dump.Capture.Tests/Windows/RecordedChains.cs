using System.Buffers.Binary;
using System.Text;
using Dump.Capture.Windows.Chains;

namespace Dump.Capture.Tests.Windows;

/// <summary>
/// Arrays of WAITCHAIN_NODE_INFO as Microsoft documents them (wct.h), with numbers of its own and not the reader's: 280 bytes a node; type, status, then of a
/// thread process, id, wait time and switches, of an object 128 characters, a time and whether it is alertable.
/// </summary>
internal static class RecordedChains
{
    private const int NodeSize = 280;

    /// <summary>WctThreadType.</summary>
    public const uint ThreadKind = 8;

    /// <summary>WctStatusBlocked.</summary>
    public const uint Blocked = 3;

    /// <summary>WctStatusOwned.</summary>
    public const uint Owned = 6;

    /// <summary>A thread that waits.</summary>
    public static byte[] Thread(uint process, uint id, uint status = Blocked)
    {
        byte[] node = Node(ThreadKind, status);
        BinaryPrimitives.WriteUInt32LittleEndian(node.AsSpan(8), process);
        BinaryPrimitives.WriteUInt32LittleEndian(node.AsSpan(12), id);
        BinaryPrimitives.WriteUInt32LittleEndian(node.AsSpan(16), 60_000);
        return node;
    }

    /// <summary>What it waits for.</summary>
    public static byte[] Object(uint kind, uint status = Owned, string name = "")
    {
        byte[] node = Node(kind, status);
        Encoding.Unicode.GetBytes(name).CopyTo(node, 8);
        return node;
    }

    /// <summary>What Windows answers with these nodes.</summary>
    public static WaitChain Chain(params byte[][] nodes) => WaitChain.Read(nodes.SelectMany(n => n).ToArray(), nodes.Length, isCycle: false);

    private static byte[] Node(uint kind, uint status)
    {
        byte[] node = new byte[NodeSize];
        BinaryPrimitives.WriteUInt32LittleEndian(node, kind);
        BinaryPrimitives.WriteUInt32LittleEndian(node.AsSpan(4), status);
        return node;
    }
}
