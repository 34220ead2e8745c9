using System.Collections.Frozen;
using System.Collections.Immutable;
using Dump.Model.Process;

namespace Dump.Analysis.Knowledge;

/// <summary>
/// Exported functions in which a server waits for its next client, for as long as nobody comes: often under a lock for which the other workers queue.
/// </summary>
internal static class ServerCalls
{
    // Documented on Microsoft Learn under winsock2.h, namedpipeapi.h and rpcdce.h.
    private static readonly FrozenSet<(string, string)> s_calls = new[]
    {
        ("ws2_32", "accept"), ("ws2_32", "WSAAccept"), ("ws2_32", "select"), ("ws2_32", "WSAPoll"), ("mswsock", "AcceptEx"), ("kernelbase", "ConnectNamedPipe"),
        ("kernel32", "ConnectNamedPipe"), ("rpcrt4", "RpcMgmtWaitServerListen"), ("rpcrt4", "RpcServerListen"),
    }.ToFrozenSet();

    /// <summary>True when one of them stands on the stack.</summary>
    public static bool StandOn(ImmutableArray<StackFrame> frames) =>
        frames.Any(f => f is { ModuleStem: { } module, Function: { } function } && s_calls.Contains((module, function)));
}
