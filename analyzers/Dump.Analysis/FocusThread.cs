using System.Collections.Immutable;
using Dump.Analysis.Detection;
using Dump.Analysis.UserInterface;
using Dump.Model.Facts;
using Dump.Model.Process;
using Dump.Model.Verdicts;

namespace Dump.Analysis;

/// <summary>
/// The thread that a person would look at first where there is no verdict, in this order: the thread with a message
/// loop, a busy one first; the thread whose exception or trigger made the writer dump the process; the first thread
/// of the program. Of several with the same right none is preferred, as then only their order could decide.
/// </summary>
internal static class FocusThread
{
    private const int MostFrames = 64;
    private const string UserInterface = "handles the user interface";

    /// <summary>The thread with the reason, or null.</summary>
    public static StackExcerpt? Find(AnalysisContext context)
    {
        ImmutableArray<ThreadSnapshot> alive = [.. context.Snapshot.Threads.Where(t => !t.HasExited)];
        return InUserInterface(context) is { } ui ? Excerpt(ui, UserInterface)
            : alive.FirstOrDefault(t => t.Id == context.Snapshot.TriggerThread) is { } trigger ? Excerpt(trigger, "made the writer dump the process")
            : Main(context.Snapshot, alive) is { } main ? Excerpt(main, "is the program's first thread")
            : null;
    }

    private static StackExcerpt? Excerpt(ThreadSnapshot thread, string why) =>
        thread.Stack.Frames.IsEmpty ? null : new StackExcerpt(thread.Id, why, [.. Enumerable.Range(0, Math.Min(MostFrames, thread.Stack.Frames.Length))]);

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
            return threads.FirstOrDefault(t => t.Id == snapshot.ProcessId);
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
