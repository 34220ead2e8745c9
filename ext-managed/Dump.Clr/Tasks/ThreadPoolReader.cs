using Dump.Clr.Frames;
using Dump.Model;
using Microsoft.Diagnostics.Runtime;

namespace Dump.Clr.Tasks;

/// <summary>
/// Reads the portable thread pool: workers by their outermost frames, queue lengths from ThreadPoolWorkQueue
/// (dotnet/runtime, src/libraries/System.Private.CoreLib/src/System/Threading/ThreadPoolWorkQueue.cs, ConcurrentQueueSegment.cs).
/// </summary>
internal static class ThreadPoolReader
{
    private const int MostSegments = 4_096;
    private const int MostQueues = 16_384;

    /// <summary>Reads it; null when the process has no portable thread pool, or no worker.</summary>
    public static ThreadPoolState? Read(ClrRuntime runtime, IEnumerable<ManagedThread> threads)
    {
        uint[] workers =
        [
            .. threads.Where(t => t.Code.Any(f => f is { IsCoreLibrary: true, TypeName: "System.Threading.PortableThreadPool+WorkerThread", MethodName: "WorkerThreadStart" }))
                .Select(t => t.Id).Order(),
        ];
        if (workers.Length == 0)
        {
            return null;
        }

        int? maximum = runtime.ThreadPool is { UsingPortableThreadPool: true, MaxThreads: > 0 } pool ? pool.MaxThreads : null;
        return new ThreadPoolState([.. workers], maximum, Queued(runtime));
    }

    private static int? Queued(ClrRuntime runtime)
    {
        ClrModule? library = runtime.BaseClassLibrary;
        ClrStaticField? field = library?.GetTypeByName("System.Threading.ThreadPool")?.StaticFields.FirstOrDefault(f => f.Name == "s_workQueue");
        if (field is null || runtime.AppDomains.FirstOrDefault() is not { } domain || !field.IsInitialized(domain)
            || field.ReadObject(domain) is not { IsNull: false, IsValid: true } queue)
        {
            return null;
        }

        int count = 0;
        foreach (string name in new[] { "workItems", "highPriorityWorkItems", "lowPriorityWorkItems" })
        {
            if (queue.Type?.GetFieldByName(name) is not null && queue.TryReadObjectField(name, out ClrObject items) && !items.IsNull)
            {
                count += Items(items);
            }
        }

        return count + OwnQueues(library!, domain);
    }

    private static int Items(ClrObject queue)
    {
        int count = 0;
        if (!queue.TryReadObjectField("_head", out ClrObject segment))
        {
            return 0;
        }

        for (int i = 0; i < MostSegments && segment is { IsNull: false, IsValid: true }; i++)
        {
            if (segment.TryReadObjectField("_slots", out ClrObject slots) && slots is { IsNull: false, IsArray: true })
            {
                count += Filled(slots);
            }

            if (!segment.TryReadObjectField("_nextSegment", out segment))
            {
                break;
            }
        }

        return count;
    }

    /// <summary>Slots that still hold an item; a dequeued one is cleared.</summary>
    private static int Filled(ClrObject slots) => slots.EnumerateReferenceAddresses(carefully: true).Count(a => a != 0);

    private static int OwnQueues(ClrModule library, ClrAppDomain domain)
    {
        ClrStaticField? field = library.GetTypeByName("System.Threading.ThreadPoolWorkQueue+WorkStealingQueueList")?.StaticFields.FirstOrDefault(f => f.Name == "_queues");
        if (field is null || !field.IsInitialized(domain) || field.ReadObject(domain) is not { IsNull: false, IsArray: true } queues)
        {
            return 0;
        }

        return queues.EnumerateReferences(carefully: true).Take(MostQueues)
            .Sum(q => q.TryReadObjectField("m_array", out ClrObject items) && items is { IsNull: false, IsArray: true } ? Filled(items) : 0);
    }
}
