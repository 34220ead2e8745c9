using System.Buffers.Binary;
using System.Collections.Immutable;
using System.Globalization;
using System.Runtime.InteropServices;
using System.Runtime.Versioning;
using System.Text;
using Dump.Capture.Windows.Calls;
using Dump.Model.Text;
using Dump.Model.Waits;
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

/// <summary>WCT_OBJECT_TYPE (wct.h).</summary>
internal enum WaitChainKind
{
    /// <summary>A critical section.</summary>
    CriticalSection = 1,

    /// <summary>A message that was sent to a window.</summary>
    SendMessage = 2,

    /// <summary>A mutex.</summary>
    Mutex = 3,

    /// <summary>An advanced local procedure call.</summary>
    Alpc = 4,

    /// <summary>A call of COM.</summary>
    Com = 5,

    /// <summary>A wait for a thread.</summary>
    ThreadWait = 6,

    /// <summary>A wait for a process.</summary>
    ProcessWait = 7,

    /// <summary>A thread.</summary>
    Thread = 8,

    /// <summary>An activation of COM.</summary>
    ComActivation = 9,

    /// <summary>Something that Windows does not name.</summary>
    Unknown = 10,

    /// <summary>Input or output on a socket.</summary>
    SocketIo = 11,

    /// <summary>Input or output on a file share.</summary>
    SmbIo = 12,
}

/// <summary>WAITCHAIN_NODE_INFO and its constants (wct.h; Microsoft Learn, "Wait Chain Traversal").</summary>
internal static class WaitChainLayout
{
    /// <summary>Size of a node in bytes.</summary>
    public const int Size = 280;

    /// <summary>ObjectType.</summary>
    public const int Kind = 0;

    /// <summary>ObjectStatus.</summary>
    public const int Status = 4;

    /// <summary>LockObject.ObjectName: characters of 16 bits, up to a zero.</summary>
    public const int Name = 8;

    /// <summary>Characters of the name (WCT_OBJNAME_LENGTH).</summary>
    public const int NameLength = 128;

    /// <summary>ThreadObject.ProcessId.</summary>
    public const int ProcessId = 8;

    /// <summary>ThreadObject.ThreadId.</summary>
    public const int ThreadId = 12;

    /// <summary>Most nodes of a chain (WCT_MAX_NODE_COUNT).</summary>
    public const int MostNodes = 16;

    /// <summary>WCT_OUT_OF_PROC_FLAG, WCT_OUT_OF_PROC_COM_FLAG and WCT_OUT_OF_PROC_CS_FLAG: chains go on in other processes.</summary>
    public const uint OtherProcesses = 0x1 | 0x2 | 0x4;
}

/// <summary>A thread, or what it waits for, in a chain.</summary>
/// <param name="Kind">What it is.</param>
/// <param name="Status">Its state.</param>
/// <param name="ProcessId">Of a thread, its process; else 0.</param>
/// <param name="ThreadId">Of a thread, its id, 0 where only its process is known; else 0.</param>
/// <param name="Name">Of an object, its name (sanitised), or null.</param>
internal sealed record WaitChainNode(WaitChainKind Kind, WaitChainStatus Status, uint ProcessId, uint ThreadId, string? Name);

/// <summary>Wait Chain Traversal of Windows (wct.h): OpenThreadWaitChainSession and GetThreadWaitChain, asked one thread after the other.</summary>
[SupportedOSPlatform("windows")]
internal sealed unsafe class WaitChainSession : IDisposable
{
    private const string Library = "advapi32.dll";
    private readonly nint _session;
    private readonly nint _chain;
    private readonly nint _close;

    private WaitChainSession(nint session, nint chain, nint close)
    {
        _session = session;
        _chain = chain;
        _close = close;
    }

    /// <summary>Opens one, which also sees through calls of COM; null where the system has none.</summary>
    public static WaitChainSession? Open()
    {
        nint library = NativeLibrary.Load(Library, typeof(WaitChainSession).Assembly, DllImportSearchPath.System32);
        if (!NativeLibrary.TryGetExport(library, "OpenThreadWaitChainSession", out nint open)
            || !NativeLibrary.TryGetExport(library, "GetThreadWaitChain", out nint chain)
            || !NativeLibrary.TryGetExport(library, "CloseThreadWaitChainSession", out nint close))
        {
            return null;
        }

        RegisterComCallbacks(library);
        nint session = ((delegate* unmanaged<uint, nint, nint>)open)(0, 0);
        return session == 0 ? null : new WaitChainSession(session, chain, close);
    }

    /// <summary>What Windows answers of each thread, as it is; null where the system has no such function.</summary>
    /// <param name="threads">Thread ids.</param>
    public static ImmutableArray<RecordedChain>? Recorded(IEnumerable<uint> threads)
    {
        using WaitChainSession? session = Open();
        return session is null ? null : [.. threads.Select(session.Ask)];
    }

    /// <summary>The chain from a thread on; null when Windows refuses it, or the thread has ended.</summary>
    /// <param name="thread">Thread id.</param>
    public WaitChain? Of(uint thread) => Ask(thread).Read();

    private RecordedChain Ask(uint thread)
    {
        byte[] nodes = new byte[Layout.Size * Layout.MostNodes];
        uint count = Layout.MostNodes;
        int isCycle = 0;
        fixed (byte* into = nodes)
        {
            Marshal.SetLastSystemError(0);
            bool isKnown = ((delegate* unmanaged<nint, nint, uint, uint, uint*, byte*, int*, int>)_chain)(
                _session, 0, Layout.OtherProcesses, thread, &count, into, &isCycle) != 0;
            int error = isKnown ? 0 : Marshal.GetLastSystemError();
            int held = error is 0 or RecordedChain.MoreData ? (int)Math.Min(count, int.MaxValue) : 0;
            return new RecordedChain(thread, error, held, isCycle != 0, nodes[..(Math.Min(held, Layout.MostNodes) * Layout.Size)]);
        }
    }

    /// <inheritdoc/>
    public void Dispose() => ((delegate* unmanaged<nint, void>)_close)(_session);

    /// <summary>As Microsoft's example does: without them a call of COM ends the chain.</summary>
    private static void RegisterComCallbacks(nint library)
    {
        nint com = Kernel32.LoadLibrary("ole32.dll", 0, Kernel32.SearchSystem);
        if (com != 0 && NativeLibrary.TryGetExport(library, "RegisterWaitChainCOMCallback", out nint register)
            && NativeLibrary.TryGetExport(com, "CoGetCallState", out nint call) && NativeLibrary.TryGetExport(com, "CoGetActivationState", out nint activation))
        {
            ((delegate* unmanaged<nint, nint, void>)register)(call, activation);
        }
    }
}

/// <summary>WCT_OBJECT_STATUS (wct.h).</summary>
internal enum WaitChainStatus
{
    /// <summary>This program may not see it.</summary>
    NoAccess = 1,

    /// <summary>The thread runs.</summary>
    Running = 2,

    /// <summary>The thread is blocked.</summary>
    Blocked = 3,

    /// <summary>Only the process of the thread is known.</summary>
    ProcessOnly = 4,

    /// <summary>The same, and it is the service of COM.</summary>
    ComServiceOnly = 5,

    /// <summary>The object has an owner.</summary>
    Owned = 6,

    /// <summary>The object has none.</summary>
    NotOwned = 7,

    /// <summary>The owner of the object has ended.</summary>
    Abandoned = 8,

    /// <summary>Windows does not know.</summary>
    Unknown = 9,

    /// <summary>It could not be found out.</summary>
    Error = 10,
}

/// <summary>What Windows says of a wait, in words, and what it is in ours.</summary>
internal static class WaitChainWords
{
    /// <summary>
    /// The kinds of resources that a kind stands for, the one for a wait that only Windows knows first; empty where none does. A call of COM goes to another
    /// apartment of the process or, as a remote call, to another process.
    /// </summary>
    public static ResourceKind[] Kinds(WaitChainKind kind, bool isHere) => kind switch
    {
        WaitChainKind.CriticalSection => [ResourceKind.CriticalSection, ResourceKind.LoaderLock],
        WaitChainKind.Mutex => [ResourceKind.Mutex],
        WaitChainKind.ThreadWait => [ResourceKind.Thread],
        WaitChainKind.ProcessWait => [ResourceKind.Process],
        WaitChainKind.SendMessage => [ResourceKind.WindowMessage],
        WaitChainKind.Alpc => [ResourceKind.RemoteCall],
        WaitChainKind.Com or WaitChainKind.ComActivation =>
            isHere ? [ResourceKind.ComCall, ResourceKind.RemoteCall] : [ResourceKind.RemoteCall, ResourceKind.ComCall],
        WaitChainKind.SocketIo or WaitChainKind.SmbIo => [ResourceKind.InputOutput],
        _ => [],
    };

    /// <summary>What is waited for, with its article and, where it has one, its name.</summary>
    public static string Of(WaitChainNode node) => Noun(node.Kind) + (node.Name is { } name ? $" '{name}'" : "");

    /// <summary>Who must act, after what leads from the object to him.</summary>
    /// <param name="kind">The object's kind.</param>
    /// <param name="owner">Who must act, in words.</param>
    public static string By(WaitChainKind kind, string owner) => kind switch
    {
        WaitChainKind.CriticalSection or WaitChainKind.Mutex => $"held by {owner}",
        WaitChainKind.ThreadWait or WaitChainKind.ProcessWait => $"the end of {owner}",
        _ => $"to be answered by {owner}",
    };

    /// <summary>A thread, with its process where that is another one.</summary>
    /// <param name="node">The thread.</param>
    /// <param name="here">The process that is looked at.</param>
    public static string Thread(WaitChainNode node, uint? here)
    {
        string process = string.Create(CultureInfo.InvariantCulture, $"process {node.ProcessId}");
        string thread = string.Create(CultureInfo.InvariantCulture, $"thread 0x{node.ThreadId:x}");
        return node.ThreadId == 0 ? process : node.ProcessId == here ? thread : $"{thread} of {process}";
    }

    /// <summary>How the chain goes on behind the first holder, as clauses; empty where it ends there.</summary>
    public static string Rest(WaitChain chain, uint? here)
    {
        const int FirstBehindHolder = 3;
        StringBuilder text = new();
        WaitChainKind last = WaitChainKind.Unknown;
        foreach (WaitChainNode node in chain.Nodes.Skip(FirstBehindHolder))
        {
            text.Append(node.Kind == WaitChainKind.Thread ? $", {By(last, Thread(node, here))}" : $", which waits for {Of(node)}{StateOf(node)}");
            last = node.Kind;
        }

        return text.Append(chain.IsCycle ? "; Windows calls it a cycle, but its parts are of several moments" : "")
            .Append(chain.IsTruncated ? "; the chain goes on" : "").ToString();
    }

    /// <summary>Why nobody is named behind an object; empty where Windows gives no reason.</summary>
    public static string StateOf(WaitChainNode node) => node.Status switch
    {
        WaitChainStatus.NoAccess => " (this program may not see whose)",
        WaitChainStatus.NotOwned => " (nobody's)",
        WaitChainStatus.Abandoned => " (its owner has ended)",
        WaitChainStatus.Error => " (Windows could not tell whose)",
        _ => "",
    };

    private static string Noun(WaitChainKind kind) => kind switch
    {
        WaitChainKind.CriticalSection => "a critical section",
        WaitChainKind.Mutex => "a mutex",
        WaitChainKind.SendMessage => "the answer to a window message",
        WaitChainKind.Alpc => "the answer to a local procedure call (ALPC)",
        WaitChainKind.Com => "the answer to a COM call",
        WaitChainKind.ComActivation => "the activation of a COM object",
        WaitChainKind.ThreadWait => "a thread",
        WaitChainKind.ProcessWait => "a process",
        WaitChainKind.SocketIo => "input or output on a socket",
        WaitChainKind.SmbIo => "input or output on a file share (SMB)",
        _ => "something that Windows does not name",
    };
}

/// <summary>What GetThreadWaitChain answered of a thread.</summary>
/// <param name="Thread">Thread id.</param>
/// <param name="Error">Error of the call (winerror.h); 0 when it succeeded.</param>
/// <param name="Count">How many nodes Windows counted.</param>
/// <param name="IsCycle">Whether it found a cycle.</param>
/// <param name="Nodes">The array of WAITCHAIN_NODE_INFO that it filled.</param>
internal sealed record RecordedChain(uint Thread, int Error, int Count, bool IsCycle, byte[] Nodes)
{
    /// <summary>ERROR_MORE_DATA (winerror.h): the array was too small, what it holds is right.</summary>
    public const int MoreData = 234;

    /// <summary>The chain; null when Windows refused it, or the thread had ended.</summary>
    public WaitChain? Read() => Error is 0 or MoreData ? WaitChain.Read(Nodes, Count, IsCycle) : null;
}
