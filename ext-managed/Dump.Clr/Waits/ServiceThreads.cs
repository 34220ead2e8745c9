using Dump.Clr.Frames;
using Dump.Model.Process;
using Dump.Model.Waits;

namespace Dump.Clr.Waits;

/// <summary>
/// Threads of a Windows process that the runtime runs for itself: event pipe, debugger, background compilation, a finalizer without work. They run no code of
/// the program, so no lock of the program is theirs.
/// </summary>
internal sealed class ServiceThreads
{
    private static readonly string[] s_systemModules = ["ntdll.dll", "kernelbase.dll", "kernel32.dll"];
    private readonly HashSet<uint> _ids;

    /// <summary>
    /// Finds them: every frame lies in the runtime or below it, and the walk reached the thread's beginning,
    /// without guessing unless the runtime itself lists the thread as its finalizer.
    /// </summary>
    /// <param name="native">The native half.</param>
    /// <param name="runtimeModule">File name of the runtime's module, or null when there is none.</param>
    /// <param name="managed">Threads that the runtime lists.</param>
    public ServiceThreads(ProcessSnapshot native, string? runtimeModule, IEnumerable<ManagedThreadHalf> managed)
    {
        ILookup<uint, ManagedThreadHalf> byId = managed.ToLookup(t => t.Id);
        _ids = [.. native.Threads.Where(t => runtimeModule is not null && byId[t.Id].All(m => m.Frames.IsEmpty)
            && RunsOnly(t.Stack, runtimeModule, byId[t.Id].Any(m => m.IsFinalizer))).Select(t => t.Id)];
    }

    /// <summary>
    /// True for the wait of such a thread for an object that could not be identified: it waits for its own work, and nothing that can be asked depends on it.
    /// </summary>
    public bool IsIdleWait(WaitFact wait) => _ids.Contains(wait.ThreadId) && wait.Resource is { Kind: ResourceKind.KernelObject, Identity: 0 };

    private static bool RunsOnly(ThreadStack stack, string runtimeModule, bool isFinalizer) =>
        stack.End == StackEnd.Complete
        && stack.Frames.All(f => (isFinalizer || f.Trust > FrameTrust.Scan) && f.Module is { } module
            && (IsSame(module, runtimeModule) || s_systemModules.Any(s => IsSame(module, s))))
        && stack.Frames.Any(f => IsSame(f.Module!, runtimeModule));

    private static bool IsSame(string module, string other) => string.Equals(module, other, StringComparison.OrdinalIgnoreCase);
}
