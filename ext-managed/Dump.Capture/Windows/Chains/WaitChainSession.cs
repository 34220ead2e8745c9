using System.Collections.Immutable;
using System.Runtime.InteropServices;
using System.Runtime.Versioning;
using Dump.Capture.Windows.Calls;
using Layout = Dump.Capture.Windows.Chains.WaitChainLayout;

namespace Dump.Capture.Windows.Chains;

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
