using System.Collections.Frozen;
using Dump.Clr.Runtimes;
using Dump.Model.Facts;
using Dump.Model.Process;

namespace Dump.Clr;

/// <summary>.NET runtimes in Windows dumps that are read on another system.</summary>
public static class WindowsRuntimes
{
    // File names of the runtimes of .NET (Core), .NET Framework 4 and 2.
    private static readonly string[] s_names = ["coreclr.dll", "clr.dll", "mscorwks.dll"];

    // Waits for new work in which no managed lock, task or signal is waited for. MsgWaitForMultipleObjectsEx is none of them: the runtime waits in it for locks
    // on threads of a single-threaded apartment.
    private static readonly FrozenSet<string> s_workWaits = new[]
    {
        "NtWaitForWorkViaWorkerFactory", "NtRemoveIoCompletion", "NtRemoveIoCompletionEx", "NtAlpcSendWaitReceivePort", "NtUserGetMessage",
    }.ToFrozenSet(StringComparer.Ordinal);

    /// <summary>Adds what is missing when the process has a .NET runtime; a native process comes back unchanged.</summary>
    /// <param name="snapshot">The native half of a Windows dump.</param>
    public static ProcessSnapshot StateMissing(ProcessSnapshot snapshot)
    {
        ModuleSnapshot? runtime = Find(snapshot);
        return runtime is null ? snapshot : snapshot with
        {
            Missing = [.. snapshot.Missing, .. NobodyCanWait(snapshot) ? Enumerable.Empty<MissingData>() : [DotNetRuntime.Of(runtime).MissingElsewhere()]],
        };
    }

    /// <summary>The module of the runtime, or null when the process has none.</summary>
    internal static ModuleSnapshot? Find(ProcessSnapshot snapshot) =>
        snapshot.Modules.FirstOrDefault(m => s_names.Contains(m.Name, StringComparer.OrdinalIgnoreCase));

    /// <summary>True where every thread waits for new work: none can wait for a managed lock then, and the managed half would add nothing to the answer.</summary>
    internal static bool NobodyCanWait(ProcessSnapshot snapshot) => !snapshot.Threads.IsEmpty && snapshot.Threads.All(t => t.HasExited
        || (t.Activity is { Kind: ThreadActivityKind.Idle, SystemCall: { } call } && s_workWaits.Contains(call)));
}
