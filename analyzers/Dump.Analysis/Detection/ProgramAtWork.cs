using System.Collections.Immutable;
using Dump.Analysis.Graph;
using Dump.Model.Process;
using Dump.Model.Waits;

namespace Dump.Analysis.Detection;

/// <summary>
/// Whether a .NET program is seen to go on somewhere. Where the first thread waits for a task of another one the two are one call, as of a runner of tests
/// whose first thread waits for the thread that waits for messages. Such a call is the life of the program and says no more than its innermost wait does while
/// the rest of the program works; where nothing does, a test that waits for ever looks like this. Any other thread that waits so may be a request that hangs
/// beside others that do not.
/// </summary>
internal static class ProgramAtWork
{
    /// <summary>Share of one processor above which threads of a living process do more than look from time to time whether something has come.</summary>
    private const double LeastLoad = 0.05;

    private const string ProcessModule = "system.diagnostics.process";
    private const string Sockets = "system.net.sockets";

    /// <summary>Calls that ask whether somebody has sent something or come: what a program stands in while it has nothing to do.</summary>
    private static readonly string[] s_asking = ["Poll", "Select", "Accept"];

    /// <summary>
    /// True when one thread each, and nobody else, waits for the task of the next, from the first thread of the program down to this one, and this one does not
    /// sleep without an end: no lock is on the way, and what is waited for may come.
    /// </summary>
    public static bool IsOneCall(AnalysisContext context, uint innermost)
    {
        if (context.Graph.WaitsOf(innermost).Any(w => w is { Resource.Kind: ResourceKind.Time, Timeout: WaitTimeout.Infinite }))
        {
            return false;
        }

        HashSet<uint> seen = [];
        for (uint at = innermost; seen.Add(at);)
        {
            WaitEdge[] edges = [.. context.Graph.To(at).Where(e => e.Waiter != at)];
            if (edges.Length == 0)
            {
                return at != innermost && context.Thread(at) is { } outermost && EntryMethod.IsUnder(outermost);
            }

            if (edges is not [{ Resource.Facts.Class: WaitClass.Task } only])
            {
                return false;
            }

            at = only.Waiter;
        }

        return false;
    }

    /// <summary>
    /// True when something else of the program goes on: a thread that has code of the program executes, sleeps or waits for a time, for input or output or for
    /// a child process; an async method of the program awaits time; or, in a living process, such threads and the pool's have computed between two samples.
    /// </summary>
    /// <param name="context">The facts.</param>
    /// <param name="innermost">The thread at the end of the call; it and those that wait for tasks of others are no proof.</param>
    public static bool IsSeen(AnalysisContext context, uint innermost)
    {
        ImmutableArray<ThreadSnapshot> threads =
        [
            .. context.Snapshot.Threads.Where(t => t is { HasExited: false, ManagedId: not null, IsFinalizer: false } && t.Id != innermost
                && context.Graph.From(t.Id).IsEmpty),
        ];
        return context.Snapshot.AsyncWaits?.AwaitsTime == true || threads.Any(t => Works(context, t))
            || threads.Sum(t => t.RecentUse?.Load ?? 0) >= LeastLoad;
    }

    /// <summary>True where threads of a living process have computed between two samples: more than it takes to look whether something has come.</summary>
    public static bool HasComputed(AnalysisContext context) =>
        context.Snapshot.Threads.Where(t => t is { HasExited: false, ManagedId: not null, IsFinalizer: false }).Sum(t => t.RecentUse?.Load ?? 0) >= LeastLoad;

    /// <summary>True for a thread that has code of the program and executes, or whose wait time, input or output, or a child process ends.</summary>
    public static bool Works(AnalysisContext context, ThreadSnapshot thread)
    {
        ImmutableArray<WaitFact> waits = context.Graph.WaitsOf(thread.Id);
        return context.Application.Innermost(thread.Stack.Frames) is not null && thread.Activity.Kind switch
        {
            ThreadActivityKind.Running or ThreadActivityKind.Yielding => true,
            ThreadActivityKind.Sleeping => waits.All(w => w.Timeout != WaitTimeout.Infinite),
            ThreadActivityKind.Waiting or ThreadActivityKind.SystemCall => thread.Stack.Frames.Any(f => f.ModuleStem == ProcessModule)
                || (waits.IsEmpty ? EndsFromOutside(thread) : waits.Any(w => w.Timeout == WaitTimeout.Finite || w.Resource.Kind == ResourceKind.InputOutput)),
            _ => false,
        };
    }

    /// <summary>A system call that no wait is known of, but for those in which a program asks whether it has something to do.</summary>
    private static bool EndsFromOutside(ThreadSnapshot thread) =>
        thread.Activity.SystemCall is not (null or "futex") && !thread.Stack.Frames.Any(f => f is { ModuleStem: Sockets, Function: { } function }
            && s_asking.Any(a => function.EndsWith($".{a}", StringComparison.Ordinal)));
}
