using System.Collections.Immutable;
using Dump.Analysis.Detection;
using Dump.Analysis.Graph;
using Dump.Analysis.Knowledge;
using Dump.Model.Facts;
using Dump.Model.Process;
using Dump.Model.Waits;

namespace Dump.Analysis.Detectors;

/// <summary>A thread that keeps the loader while it waits for something which is no lock, in a callback of a DLL or in the load of one.</summary>
/// <param name="Thread">The thread.</param>
/// <param name="Callback">The callback that it runs, or null when it loads a module itself.</param>
/// <param name="Wait">What it waits for, or null when only its system call is known.</param>
/// <param name="Worker">The loader worker that does the part of the load for which it waits, or null.</param>
/// <param name="Queue">The waits of the threads that need the loader; empty when the process exits and no other thread is left.</param>
internal sealed record LoaderStop(ThreadSnapshot Thread, LoaderCallback? Callback, WaitFact? Wait, ThreadSnapshot? Worker, ImmutableArray<WaitEdge> Queue)
{
    /// <summary>All of them, by the ids of the threads.</summary>
    public static IEnumerable<LoaderStop> Find(AnalysisContext context)
    {
        IEnumerable<LoaderStop?> stops = context.Graph.Edges
            .Where(e => e.StandsBehind && e.Resource.Facts.IsLoader && e.Wait.Timeout != WaitTimeout.Finite).GroupBy(e => e.Holder).OrderBy(g => g.Key)
            .Select(g => context.Thread(g.Key) is { HasExited: false } thread ? At(context, thread, [.. g.DistinctBy(e => e.Waiter)]) : null)
            .Append(AtExit(context));
        return stops.OfType<LoaderStop>().DistinctBy(s => s.Thread.Id);
    }

    private static LoaderStop? At(AnalysisContext context, ThreadSnapshot thread, ImmutableArray<WaitEdge> queue)
    {
        ImmutableArray<WaitFact> waits = [.. context.Graph.WaitsOf(thread.Id).Where(w => !w.IsSatisfied)];
        if (waits.FirstOrDefault(w => w.Resource.Kind == ResourceKind.LoaderWorkers) is { } workers)
        {
            return WorkerOf(context) is { } worker ? new LoaderStop(thread, null, workers, worker, queue) : null;
        }

        LoaderCallback? callback = LoaderCallback.Find(context.Snapshot, thread);
        bool isBlocked = callback is null ? StandsInLoad(thread) : Blocks(thread, waits, callback);
        return isBlocked ? new LoaderStop(thread, callback, waits.FirstOrDefault(), null, queue) : null;
    }

    /// <summary>
    /// The last thread of an exiting process in a callback. Threads that it might wait for have ended, so that such a wait is about to return.
    /// </summary>
    private static LoaderStop? AtExit(AnalysisContext context) =>
        context.Exit is { IsAlone: true, Thread: { } thread } && At(context, thread, []) is { Callback: not null } stop
            && (stop.Wait is { Timeout: not WaitTimeout.Finite, Resource.Kind: not (ResourceKind.Thread or ResourceKind.Time) }
                || stop is { Wait: { Timeout: WaitTimeout.Infinite, Resource.Kind: ResourceKind.Time } })
            ? stop
            : null;

    /// <summary>
    /// True when the callback waits, and not for a lock: who holds that, and what that thread does, is what the detectors of locks say. A system call may be
    /// over in a moment, unless it is one that programs wait in.
    /// </summary>
    private static bool Blocks(ThreadSnapshot thread, ImmutableArray<WaitFact> waits, LoaderCallback callback) => thread.Activity.Kind switch
    {
        _ when waits.Any(w => w.Resource.Facts.Class == WaitClass.Lock) => false,
        ThreadActivityKind.Sleeping or ThreadActivityKind.Waiting or ThreadActivityKind.Idle => true,
        ThreadActivityKind.SystemCall => FileSystemCalls.Contains(thread.Activity.SystemCall)
            || BlockingCalls.Find(thread.Stack.Frames, callback.FrameIndex + 1) is not null,
        _ => false,
    };

    /// <summary>True when the loader itself, and no callback, stands in the file system: ntdll's frames lead from there to the function that loads.</summary>
    private static bool StandsInLoad(ThreadSnapshot thread) => FileSystemCalls.Contains(thread.Activity.SystemCall)
        && thread.Stack.Frames.TakeWhile(f => f is { ModuleStem: "ntdll", Trust: > FrameTrust.Scan }).Any(LoaderFunctions.Loads);

    /// <summary>A loader worker that stands in the file system.</summary>
    private static ThreadSnapshot? WorkerOf(AnalysisContext context) => context.Snapshot.Threads
        .Where(t => t is { IsLoaderWorker: true, HasExited: false } && FileSystemCalls.Contains(t.Activity.SystemCall)).MinBy(t => t.Id);
}
