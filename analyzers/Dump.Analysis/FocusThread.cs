using System.Collections.Immutable;
using Dump.Analysis.Detection;
using Dump.Analysis.UserInterface;
using Dump.Model.Facts;
using Dump.Model.Process;
using Dump.Model.Verdicts;
using Dump.Model.Waits;

namespace Dump.Analysis;

/// <summary>
/// The thread that a person would look at first where there is no verdict, in this order: the thread with a message
/// loop, a busy one first; the thread whose exception or trigger made the writer dump the process; the owner of the lock that most threads wait for; the first
/// thread of the program. A message loop that only waits for input comes behind such an owner. Of several with the same right none is preferred, as then only
/// their order could decide.
/// </summary>
internal static class FocusThread
{
    private const int MostFrames = 64;
    private const string UserInterface = "handles the user interface";

    /// <summary>The thread with the reason, or null.</summary>
    public static StackExcerpt? Find(AnalysisContext context)
    {
        ImmutableArray<ThreadSnapshot> alive = [.. context.Snapshot.Threads.Where(t => !t.HasExited)];
        ThreadSnapshot? ui = InUserInterface(context), owner = Contended(context);
        bool isIdle = ui is not null && context.UiThreads.Any(t => t.Thread.Id == ui.Id && t.State == UiThreadState.Idle);
        return ui is not null && !(isIdle && owner is not null) ? Excerpt(ui, UserInterface)
            : alive.FirstOrDefault(t => t.Id == context.Snapshot.TriggerThread) is { } trigger ? Excerpt(trigger, "made the writer dump the process")
            : owner is not null ? Excerpt(owner, "holds the lock that most threads wait for")
            : Main(context.Snapshot, alive) is { } main ? Excerpt(main, "is the program's first thread")
            : null;
    }

    private static StackExcerpt? Excerpt(ThreadSnapshot thread, string why) =>
        thread.Stack.Frames.IsEmpty ? null : new StackExcerpt(thread.Id, why, [.. Enumerable.Range(0, Math.Min(MostFrames, thread.Stack.Frames.Length))]);

    /// <summary>The owner of the lock that most threads wait for, those of mere candidates left out; null where there is none, or two are alike.</summary>
    private static ThreadSnapshot? Contended(AnalysisContext context)
    {
        (Resource Lock, uint Owner, int Waiters)[] contended =
        [
            .. context.Graph.Edges.Where(
                e => e.Grade > Grade.Suspected && e.Resource.Facts.HasQueue && e.Waiter != e.Holder && e.Wait is { IsWaitAny: false, IsSatisfied: false })
                .GroupBy(e => (e.Resource, e.Holder)).Select(g => (g.Key.Resource, g.Key.Holder, g.Select(e => e.Waiter).Distinct().Count())),
        ];
        int most = contended.Select(c => c.Waiters).DefaultIfEmpty().Max();
        return contended.Where(c => c.Waiters == most).Select(c => c.Owner).Distinct().ToArray() is [var owner]
            && context.Thread(owner) is { HasExited: false } thread ? thread : null;
    }

    private static ThreadSnapshot? InUserInterface(AnalysisContext context)
    {
        UiThread[] proven = [.. context.UiThreads.Where(t => t.Grade > Grade.Suspected)];
        UiThread[] first = [.. proven.GroupBy(t => t.State switch { UiThreadState.Handling => 0, UiThreadState.Modal => 1, _ => 2 }).OrderBy(g => g.Key).Take(1)
            .SelectMany(g => g)];
        return first is [{ } only] ? only.Thread
            : Main(context.Snapshot, [.. first.Select(t => t.Thread)]);
    }

    /// <summary>By the process' own id on Linux; on Windows by where it begins, else by when.</summary>
    private static ThreadSnapshot? Main(ProcessSnapshot snapshot, ImmutableArray<ThreadSnapshot> threads)
    {
        if (snapshot.System.Family == OperatingSystemFamily.Linux)
        {
            return snapshot.Threads.Any(t => t.IsFirst) ? threads.FirstOrDefault(t => t.IsFirst) : threads.FirstOrDefault(t => t.Id == snapshot.ProcessId);
        }

        ulong? entry = snapshot.Modules.FirstOrDefault(m => m.Name == snapshot.ProcessName)?.EntryPoint;
        ThreadSnapshot[] beginning = [.. threads.Where(t => entry is not null && t.StartAddress == entry)];
        if (beginning is [{ } only])
        {
            return only;
        }

        ThreadSnapshot[] dated = [.. threads.Where(t => t.Times?.Created is not null).OrderBy(t => t.Times!.Created)];
        return dated.Length == threads.Length && dated is [{ } oldest, ..] && (dated.Length == 1 || dated[1].Times!.Created > oldest.Times!.Created)
            ? oldest
            : null;
    }
}
