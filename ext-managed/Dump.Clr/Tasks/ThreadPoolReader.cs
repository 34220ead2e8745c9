using Dump.Clr.Frames;
using Dump.Clr.Runtimes;
using Dump.Model.Managed;
using Microsoft.Diagnostics.Runtime;

namespace Dump.Clr.Tasks;

/// <summary>
/// Reads the thread pool: workers of the portable pool (.NET 6 and later) by their outermost frames, those of the runtime's own pool (.NET Core 3.1) by their
/// state; queue lengths from ThreadPoolWorkQueue
/// (dotnet/runtime, src/libraries/System.Private.CoreLib/src/System/Threading/ThreadPoolWorkQueue.cs, ConcurrentQueueSegment.cs).
/// </summary>
internal static class ThreadPoolReader
{
    private const int MostSegments = 4_096;
    private const int MostQueues = 16_384;
    private const ulong PageSize = 4_096;

    /// <summary>Reads it; null when the process has no worker.</summary>
    public static ThreadPoolState? Read(ClrTarget target, IEnumerable<ManagedThread> threads)
    {
        uint[] workers = [.. threads.Where(t => IsWorker(t, target)).Select(t => t.Id).Order()];
        if (workers.Length == 0)
        {
            return null;
        }

        int? maximum = target.ThreadPool is { UsingWindowsThreadPool: false, MaxThreads: > 0 } pool ? pool.MaxThreads : null;
        return new ThreadPoolState([.. workers], maximum, Queued(target.Runtime));
    }

    /// <summary>
    /// The portable pool's workers, idle ones included, stand in its own loop. Idle workers of the runtime's own pool have no managed frame; its timer thread,
    /// which runs no work, has the same state as they have, so the state counts only where the pool says that a worker is idle.
    /// </summary>
    private static bool IsWorker(ManagedThread thread, ClrTarget target) =>
        thread.Code.Any(f => f is { IsCoreLibrary: true, TypeName: "System.Threading.PortableThreadPool+WorkerThread", MethodName: "WorkerThreadStart" })
        || ((thread.Thread.State & ClrThreadState.TS_TPWorkerThread) != 0
            && target.ThreadPool is { UsingPortableThreadPool: false, UsingWindowsThreadPool: false } pool
            && (pool.IdleWorkerThreads > 0
                || thread.Code.Any(
                    f => f is { IsCoreLibrary: true, TypeName: "System.Threading._ThreadPoolWaitCallback", MethodName: "PerformWaitCallback" })));

    /// <summary>
    /// True for a worker of the runtime's own pool (.NET Core 3.1) that runs nothing: it waits or spins in native code for work, without a managed frame.
    /// </summary>
    public static bool IsIdleNativeWorker(ManagedThread thread, ClrTarget target) =>
        (thread.Thread.State & ClrThreadState.TS_TPWorkerThread) != 0
        && !thread.Code.Any(f => f.Method is not null)
        && target.ThreadPool is { UsingPortableThreadPool: false, UsingWindowsThreadPool: false };

    private static int? Queued(ClrRuntime runtime)
    {
        ClrModule? library = runtime.BaseClassLibrary;
        ClrStaticField? field = Static(library, "System.Threading.ThreadPool", "s_workQueue")
            ?? Static(library, "System.Threading.ThreadPoolGlobals", "workQueue");
        if (field is null || runtime.AppDomains.FirstOrDefault() is not { } domain || !field.IsInitialized(domain)
            || field.ReadObject(domain) is not { IsNull: false, IsValid: true } queue)
        {
            return null;
        }

        int? count = SharedQueues(queue) + OwnQueues(library!, domain);
        foreach (string name in new[] { "workItems", "highPriorityWorkItems", "lowPriorityWorkItems" })
        {
            if (queue.Type?.GetFieldByName(name) is not null)
            {
                count += Field(queue, name) is not { } items ? null : items.IsNull ? 0 : Items(items);
            }
        }

        return count;
    }

    private static ClrStaticField? Static(ClrModule? library, string type, string name) =>
        library?.GetTypeByName(type)?.StaticFields.FirstOrDefault(f => f.Name == name);

    /// <summary>Items of a queue, or null when a segment of it cannot be read: what cannot be read is not empty.</summary>
    private static int? Items(ClrObject queue)
    {
        int? count = 0;
        ClrObject? segment = Field(queue, "_head");
        for (int i = 0; i < MostSegments && segment is { IsNull: false } current; i++)
        {
            count += Field(current, "_slots") is { } slots ? Filled(slots) : null;
            segment = Field(current, "_nextSegment");
        }

        return segment is null ? null : count;
    }

    /// <summary>
    /// The object that a field refers to, null for no object; nothing when the field is not there or cannot
    /// be read, which ClrMD does not tell from a field without an object.
    /// </summary>
    private static ClrObject? Field(ClrObject target, string name) =>
        target is { IsNull: false, IsValid: true, Type: { } type } && type.GetFieldByName(name) is { IsObjectReference: true } field
        && type.Heap.Runtime.DataTarget.DataReader.ReadPointer(field.GetAddress(target.Address), out ulong address)
            ? type.Heap.GetObject(address)
            : null;

    /// <summary>Slots that still hold an item; a dequeued one is cleared. Null when the array is not in the dump as a whole.</summary>
    private static int? Filled(ClrObject slots) =>
        slots is { IsNull: false, IsValid: true, IsArray: true } && IsPresent(slots)
            ? slots.EnumerateReferenceAddresses(carefully: true).Count(a => a != 0)
            : null;

    /// <summary>True when every page of the object can be read.</summary>
    private static bool IsPresent(ClrObject target)
    {
        IDataReader memory = target.Type!.Heap.Runtime.DataTarget.DataReader;
        ulong end = target.Address + target.Size;
        for (ulong at = target.Address; at < end; at = (at & ~(PageSize - 1)) + PageSize)
        {
            if (!memory.Read(at, out byte _))
            {
                return false;
            }
        }

        return true;
    }

    /// <summary>With more than 32 processors work goes to one of several queues instead of to the one (.NET 7 and later; ThreadPoolWorkQueue.cs).</summary>
    private static int? SharedQueues(ClrObject queue) =>
        queue.Type?.GetFieldByName("_assignableWorkItemQueues") is null ? 0
        : Field(queue, "_assignableWorkItemQueues") is not { } queues ? null
        : queues.IsNull ? 0
        : Sum(queues, Items);

    private static int? OwnQueues(ClrModule library, ClrAppDomain domain)
    {
        ClrStaticField? field = Static(library, "System.Threading.ThreadPoolWorkQueue+WorkStealingQueueList", "_queues");
        return field is null || !field.IsInitialized(domain) ? 0
            : Sum(field.ReadObject(domain), q => Field(q, "m_array") is { } items ? Filled(items) : null);
    }

    /// <summary>The sum over an array of queues; null as soon as one of them is unknown.</summary>
    private static int? Sum(ClrObject queues, Func<ClrObject, int?> count)
    {
        if (queues is not { IsNull: false, IsValid: true, IsArray: true } || !IsPresent(queues))
        {
            return null;
        }

        int? sum = 0;
        foreach (ClrObject queue in queues.EnumerateReferences(carefully: true).Take(MostQueues))
        {
            sum += count(queue);
        }

        return sum;
    }
}
