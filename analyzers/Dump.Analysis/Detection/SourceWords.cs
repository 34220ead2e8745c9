using System.Globalization;
using Dump.Model.Managed;
using Dump.Model.Process;
using Dump.Model.Text;
using Dump.Model.Wording;

namespace Dump.Analysis.Detection;

/// <summary>Calls that each await a completion source of their own, in words.</summary>
internal static class SourceWords
{
    /// <summary>What waits, what is known to lead to its end, and what is not.</summary>
    public static string Sentence(AnalysisContext context, AwaitedSources sources)
    {
        string who = sources.Methods.IsEmpty ? CountText.Grouped(sources.Count, "async method")
            : $"{CountText.Grouped(sources.Count, "call")} of {sources.Methods[0].Name}{FrameWords.Source(sources.Methods[0].Source)}";
        return $"{who} each wait for the task of a completion source of their own (TaskCompletionSource, the first is "
            + string.Create(CultureInfo.InvariantCulture, $"0x{sources.Address:x}), which nobody has completed.")
            + Leads(sources) + Threads(context, sources) + Open(sources) + Abandoned(sources) + Further(sources);
    }

    /// <summary>
    /// Threads on whose stacks something leads to nearly all of the sources, and that execute or wait for what comes from outside. <c>Main</c> has all that its
    /// program is made of, and waits for its end.
    /// </summary>
    public static IEnumerable<ThreadSnapshot> Working(AnalysisContext context, AwaitedSources sources) =>
        sources.Threads.Select(context.Thread).OfType<ThreadSnapshot>().Where(
            t => ProgramAtWork.Works(context, t) && (t.Activity.Kind == ThreadActivityKind.Running || !EntryMethod.IsInItself(context, t)));

    private static string Leads(AwaitedSources sources) =>
        sources.Leads.IsEmpty ? ""
            : sources.Looked < sources.Count ? string.Create(
                CultureInfo.InvariantCulture, $" Of {sources.Looked:N0} that were looked at: what goes on by itself leads to them, and may complete them: ")
                + $"{SemaphoreWords.Methods(sources.Leads)}."
            : $" What goes on by itself leads to them, and may complete them: {SemaphoreWords.Methods(sources.Leads)}.";

    private static string Threads(AnalysisContext context, AwaitedSources sources)
    {
        string[] names = [.. Working(context, sources).Take(4).Select(t => context.Names.Thread(t.Id))];
        return names.Length == 0 ? "" : $" So {(names.Length == 1 ? "does" : "do")} {string.Join(", ", names)}, at work.";
    }

    private static string Open(AwaitedSources sources) => sources.Open is null or 0 ? ""
        : " No time limit, no cancellation token and nothing that waits for something from outside is known to lead to "
            + (sources.Open == sources.Looked ? "them." : string.Create(CultureInfo.InvariantCulture, $"{sources.Open:N0} of them."));

    private static string Abandoned(AwaitedSources sources) => sources.Abandoned == 0 ? ""
        : string.Create(CultureInfo.InvariantCulture, $" {sources.Abandoned:N0} of them nothing refers to any more: they are given up.");

    private static string Further(AwaitedSources sources) => sources.Further == 0 ? ""
        : $" {CountText.Grouped(sources.Further, "other call")} of their methods {(sources.Further == 1 ? "does" : "do")} not, and may complete them.";
}
