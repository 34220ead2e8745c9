using System.Collections.Frozen;
using Dump.Model.Process;

namespace Dump.Analysis.Knowledge;

/// <summary>A process all of whose threads wait for new work: whatever they could hold, nobody waits for it.</summary>
internal static class IdleProcess
{
    // Waits of pool workers, completion ports and RPC servers. Message waits are not among them: below one, a managed lock may be waited for.
    private static readonly FrozenSet<string> s_calls =
        FrozenSet.Create("NtWaitForWorkViaWorkerFactory", "NtRemoveIoCompletion", "NtRemoveIoCompletionEx", "NtAlpcSendWaitReceivePort");

    /// <summary>True when the dump lists all threads, and each that lives is known to be idle.</summary>
    public static bool Is(ProcessSnapshot snapshot) => snapshot.Available.AllThreads && snapshot.Threads.Any(t => !t.HasExited)
        && snapshot.Threads.All(t => t.HasExited || (t.Activity is { Kind: ThreadActivityKind.Idle, SystemCall: { } call } && s_calls.Contains(call)));
}
