using System.Collections.Immutable;
using Dump.Model.Facts;
using Dump.Model.Process;
using Dump.Model.Waits;
using Microsoft.Diagnostics.Runtime;

namespace Dump.Clr.Waits;

/// <summary>What the native half knows of the waits of threads: the arguments of system calls in Linux cores, waits by object in Windows dumps.</summary>
internal sealed class NativeWaits(ProcessSnapshot native)
{
    private static readonly string[] s_systemModules = ["ntdll", "kernelbase", "kernel32"];
    private readonly Dictionary<uint, ThreadSnapshot> _threads = native.Threads.GroupBy(t => t.Id).ToDictionary(g => g.Key, g => g.First());
    private readonly OperatingSystemFamily _family = native.System.Family;
    private readonly HashSet<Resource> _owned = [.. native.Ownerships.Select(o => o.Resource)];
    private readonly ILookup<uint, WaitFact> _waits = native.Waits.ToLookup(w => w.ThreadId);

    /// <summary>
    /// True for a wait that can be how the runtime carries out a managed wait: on a kernel object, none of
    /// which a managed lock shows. A lock with memory of its own never is.
    /// </summary>
    public static bool IsMechanism(WaitFact wait) => wait.Resource.Kind is
        ResourceKind.Event or ResourceKind.KernelObject or ResourceKind.Semaphore or ResourceKind.Unknown or ResourceKind.Work or ResourceKind.Time;

    /// <summary>
    /// The native half of a .NET process without its waits for what nobody owns: on Linux these are the runtime's own, whose managed side says more.
    /// </summary>
    /// <param name="native">The native half.</param>
    public static ProcessSnapshot LocksOnly(ProcessSnapshot native) => native.System.Family != OperatingSystemFamily.Linux ? native : native with
    {
        Waits = [.. native.Waits.Where(w => w.Resource.Facts is { Owner: OwnerRecord.Stored })],
    };

    /// <summary>
    /// True when something goes on without help: a thread executes code, one that has no managed half sleeps for a time, as the collector's own threads do
    /// between two tries, or one has been woken and has not run yet.
    /// </summary>
    /// <param name="memory">The process' memory.</param>
    /// <param name="isManaged">Whether a thread, by its id, has a managed half.</param>
    public bool SomeGoOn(IMemoryReader memory, Func<uint, bool> isManaged) => _threads.Values.Any(t => !t.HasExited
        && (t.Activity.Kind is ThreadActivityKind.Running or ThreadActivityKind.Yielding
            || (t.Activity.Kind == ThreadActivityKind.Sleeping && !isManaged(t.Id))
            || (t.KernelWait is { Expected: { } expected, Evidence.Address: { } word } && memory.Read(word, out uint value) && value != expected)));

    /// <summary>True when the thread stands in a wait of the kernel without a time limit, which only another thread can end.</summary>
    public bool WaitsWithoutEnd(uint id) => Thread(id)?.KernelWait?.Timeout == WaitTimeout.Infinite;

    /// <summary>Threads that are known to stand in the kernel.</summary>
    public IReadOnlySet<uint> Standing =>
        _threads.Values.Where(t => t.Activity.Kind is not (ThreadActivityKind.Running or ThreadActivityKind.Unknown)).Select(t => t.Id).ToHashSet();

    /// <summary>The thread's native half, or null.</summary>
    public ThreadSnapshot? Thread(uint id) => _threads.GetValueOrDefault(id);

    /// <summary>
    /// True when the native half tells what the thread waits for. The runtime sleeps alertably, which alone looks like a wait for work, and sleeps on after
    /// each call.
    /// </summary>
    public bool HasWait(uint id) => _waits[id].Any(w => w.Resource.Kind != ResourceKind.Work);

    /// <summary>The native mutex that the thread waits for, or null.</summary>
    public Resource? LockOf(uint id) => _waits[id].Select(w => w.Resource).FirstOrDefault(r => r.Kind is ResourceKind.PthreadMutex or ResourceKind.CriticalSection);

    /// <summary>True when the thread waits natively for something that is known better there than by its managed frames.</summary>
    public bool IsKnownBetter(uint id, ManagedWaitKind kind) => kind switch
    {
        // A managed wait for a handle or a thread ends in a native wait for that very object, which carries its identity.
        ManagedWaitKind.Handle => _waits[id].Any(w => w.Resource.Kind is not (ResourceKind.Unknown or ResourceKind.KernelObject)),
        _ => _waits[id].Any(w => !IsMechanism(w)),
    };

    /// <summary>The time limit of the thread's wait, and why; unknown without evidence when the native half does not tell.</summary>
    public (WaitTimeout Timeout, long? Milliseconds, Evidence? Evidence) LimitOf(uint id)
    {
        if (Thread(id)?.KernelWait is { } kernel)
        {
            return (kernel.Timeout, null, kernel.Evidence);
        }

        WaitFact[] waits = [.. _waits[id]];
        return waits is [{ Timeout: not WaitTimeout.Unknown } wait] && IsMechanism(wait)
            ? (wait.Timeout, wait.Milliseconds, wait.Evidence.FirstOrDefault())
            : (WaitTimeout.Unknown, null, null);
    }

    /// <summary>
    /// True when the thread blocks, without a time limit, in something of the runtime that its managed frames do not name: on Linux the program's own native code
    /// too, unless that waits for a lock whose owner the native half knows, and the runtime's code alone on Windows.
    /// </summary>
    /// <param name="id">The thread.</param>
    /// <param name="innermostManaged">Stack pointer of its innermost managed frame.</param>
    public bool BlocksUnnamed(uint id, ulong innermostManaged)
    {
        if (Thread(id) is not { } thread || (_family == OperatingSystemFamily.Linux && _waits[id].Any(w => !IsMechanism(w) && _owned.Contains(w.Resource))))
        {
            return false;
        }

        if (thread.KernelWait is { } kernel)
        {
            return kernel.Timeout == WaitTimeout.Infinite;
        }

        string[] modules = [.. thread.Stack.Frames.Where(f => f.StackPointer < innermostManaged).Select(f => f.ModuleStem ?? "").Distinct()];
        return _waits[id].Any(w => w.Timeout != WaitTimeout.Finite && IsMechanism(w) && w.Resource.Kind is not (ResourceKind.Time or ResourceKind.Work))
            && modules.Contains("coreclr") && modules.All(m => m == "coreclr" || s_systemModules.Contains(m));
    }
}
