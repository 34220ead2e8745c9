using System.Collections.Frozen;
using Dump.Model.Process;

namespace Dump.Analysis.Knowledge;

/// <summary>Functions of COM in which a thread of a single-threaded apartment waits for the answer to its call; named only with symbols.</summary>
internal static class ComCallFunctions
{
    // Stacks in dotnet/winforms #8405, dotnet/docs #8965, kellylford/QuickMail #181.
    private static readonly FrozenSet<string> s_calls = new[]
    {
        "ClassicSTAThreadWaitForCall", "ModalLoop", "ClassicSTAThreadDispatchCrossApartmentCall", "ThreadSendReceive", "CSyncClientCall::SendReceive2",
        "CSyncClientCall::SendReceiveInRetryContext",
    }.ToFrozenSet(StringComparer.Ordinal);

    /// <summary>True for such a function.</summary>
    public static bool IsCall(StackFrame frame) =>
        frame is { ModuleStem: "combase" or "ole32", Function: { } function } && s_calls.Contains(function);
}
