using System.Buffers.Binary;
using System.Collections.Immutable;
using System.Runtime.InteropServices;
using Dump.Model.Text;
using Layout = Dump.Capture.Windows.Chains.WaitChainLayout;

namespace Dump.Capture.Windows.Chains;

/// <summary>Who waits for whom from one thread on, as Windows itself tells (GetThreadWaitChain).</summary>
/// <param name="Nodes">The thread, what it waits for, the thread that holds that, and so on.</param>
/// <param name="IsCycle">True when the last thread waits for the first.</param>
/// <param name="IsTruncated">True when the chain goes on behind the last node.</param>
internal sealed record WaitChain(ImmutableArray<WaitChainNode> Nodes, bool IsCycle, bool IsTruncated)
{
    /// <summary>What the thread itself waits for, or null when it does not or Windows does not tell.</summary>
    public WaitChainNode? Awaited => Nodes is [{ Kind: WaitChainKind.Thread, Status: WaitChainStatus.Blocked }, { Kind: not WaitChainKind.Thread } awaited, ..]
        ? awaited : null;

    /// <summary>The thread that holds that, or null when nobody does, or Windows does not tell.</summary>
    public WaitChainNode? Holder => Awaited is { Status: not (WaitChainStatus.NotOwned or WaitChainStatus.NoAccess or WaitChainStatus.Error) }
        && Nodes is [_, _, { Kind: WaitChainKind.Thread } holder, ..] ? holder : null;

    /// <summary>Reads the nodes that GetThreadWaitChain has filled.</summary>
    /// <param name="bytes">The array of nodes.</param>
    /// <param name="count">How many nodes Windows counts, which may be more than the array holds.</param>
    /// <param name="isCycle">Whether it found a cycle.</param>
    public static WaitChain Read(ReadOnlySpan<byte> bytes, int count, bool isCycle)
    {
        int held = Math.Min(Math.Clamp(count, 0, Layout.MostNodes), bytes.Length / Layout.Size);
        ImmutableArray<WaitChainNode>.Builder nodes = ImmutableArray.CreateBuilder<WaitChainNode>(held);
        for (int i = 0; i < held; i++)
        {
            nodes.Add(ReadNode(bytes.Slice(i * Layout.Size, Layout.Size)));
        }

        return new WaitChain(nodes.MoveToImmutable(), isCycle, count > held);
    }

    private static WaitChainNode ReadNode(ReadOnlySpan<byte> node)
    {
        var kind = (WaitChainKind)Number(node, Layout.Kind);
        var status = (WaitChainStatus)Number(node, Layout.Status);
        if (kind == WaitChainKind.Thread)
        {
            return new WaitChainNode(kind, status, Number(node, Layout.ProcessId), Number(node, Layout.ThreadId), null);
        }

        ReadOnlySpan<char> name = MemoryMarshal.Cast<byte, char>(node.Slice(Layout.Name, Layout.NameLength * sizeof(char)));
        int length = name.IndexOf('\0') is >= 0 and var end ? end : name.Length;
        return new WaitChainNode(kind, status, 0, 0, length == 0 ? null : SafeText.Clean(name[..length].ToString()));
    }

    private static uint Number(ReadOnlySpan<byte> node, int offset) => BinaryPrimitives.ReadUInt32LittleEndian(node[offset..]);
}
