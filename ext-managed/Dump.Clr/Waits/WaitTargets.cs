using Dump.Clr.Frames;
using Dump.Clr.Tasks;
using Dump.Model;
using Microsoft.Diagnostics.Runtime;

namespace Dump.Clr.Waits;

/// <summary>Finds the object that a thread waits for among the objects that the frames of its wait refer to.</summary>
internal static class WaitTargets
{
    /// <summary>The target of a wait, or null when none of the objects can be it.</summary>
    public static WaitTarget? Find(ManagedThread thread, ManagedWait wait) => wait.Function.Kind switch
    {
        // The frame that enters a monitor holds exactly one object reference, the monitor's object: its first root.
        ManagedWaitKind.MonitorEnter => From(thread, wait, ResourceKind.Monitor, _ => true),
        ManagedWaitKind.Lock => From(thread, wait, ResourceKind.ManagedLock, t => t.Name == "System.Threading.Lock"),
        ManagedWaitKind.ReaderWriterLock => From(thread, wait, ResourceKind.ManagedReaderWriterLock, t => t.Name == "System.Threading.ReaderWriterLockSlim"),
        ManagedWaitKind.Task => From(thread, wait, ResourceKind.ManagedTask, TaskTypes.IsTask),
        ManagedWaitKind.MonitorWait => From(thread, wait, ResourceKind.ManagedSignal, _ => true),
        ManagedWaitKind.Signal => From(thread, wait, ResourceKind.ManagedSignal, t => t.Name == wait.Function.Type),
        ManagedWaitKind.Handle => Handle(thread, wait),
        ManagedWaitKind.Join => Join(thread, wait),
        _ => null,
    };

    private static WaitTarget? From(ManagedThread thread, ManagedWait wait, ResourceKind kind, Func<ClrType, bool> fits)
    {
        ClrObject target = wait.Objects(thread).FirstOrDefault(o => o.Type is { } type && fits(type));
        return target.Type is null ? null : new WaitTarget(
            new Resource(kind, target.Address),
            TypeNames.Of(target.Type),
            Grade.Derived,
            new Evidence(EvidenceSource.Runtime, $"first {(kind == ResourceKind.ManagedTask ? "task" : "object")} that the frames of {wait.Function.Type}.{wait.Function.Method} refer to", target.Address));
    }

    /// <summary>The thread object that is joined names the thread, which "holds" its own end.</summary>
    private static WaitTarget? Join(ManagedThread thread, ManagedWait wait)
    {
        ClrObject target = wait.Objects(thread).FirstOrDefault(o => o.Type?.Name == "System.Threading.Thread");
        if (target.Type is null || !target.TryReadField("_managedThreadId", out int id))
        {
            return null;
        }

        ClrThread? joined = thread.Thread.Runtime.Threads.FirstOrDefault(t => t.ManagedThreadId == id && t.OSThreadId != 0);
        return joined is null ? null : new WaitTarget(
            new Resource(ResourceKind.Thread, joined.OSThreadId),
            null,
            Grade.Derived,
            new Evidence(EvidenceSource.Runtime, $"Thread object of managed thread {id} in the frames of Thread.Join", target.Address));
    }

    /// <summary>A handle's managed object tells its kind; optimised code keeps only the safe handle.</summary>
    private static WaitTarget? Handle(ManagedThread thread, ManagedWait wait)
    {
        ClrObject handle = wait.Objects(thread).FirstOrDefault(o => o.Type is { } type && (TaskTypes.DerivesFrom(type, "System.Threading.WaitHandle") || type.Name == "Microsoft.Win32.SafeHandles.SafeWaitHandle"));
        if (handle.Type is null)
        {
            return null;
        }

        ResourceKind kind = handle.Type.Name switch
        {
            "System.Threading.Mutex" => ResourceKind.Mutex,
            "System.Threading.Semaphore" => ResourceKind.Semaphore,
            "System.Threading.AutoResetEvent" or "System.Threading.ManualResetEvent" or "System.Threading.EventWaitHandle" => ResourceKind.Event,
            _ => ResourceKind.KernelObject,
        };
        return new WaitTarget(
            new Resource(kind == ResourceKind.KernelObject ? kind : ResourceKind.ManagedSignal, handle.Address),
            TypeNames.Of(handle.Type),
            Grade.Derived,
            new Evidence(EvidenceSource.Runtime, $"wait handle in the frames of {wait.Function.Type}.{wait.Function.Method}", handle.Address));
    }
}
