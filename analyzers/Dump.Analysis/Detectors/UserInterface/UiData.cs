using Dump.Analysis.Detection;
using Dump.Analysis.UserInterface;
using Dump.Model.Facts;
using Dump.Model.Process;

namespace Dump.Analysis.Detectors.UserInterface;

/// <summary>Data that questions about user-interface threads need.</summary>
internal static class UiData
{
    /// <summary>Stacks up to the message loop; only Windows has such threads.</summary>
    public static IEnumerable<MissingData> Needed(AnalysisContext context) =>
        context.Snapshot.System.Family == OperatingSystemFamily.Windows ? [.. NecessaryData.Stacks(context.Snapshot), .. Loops(context)] : [];

    /// <summary>A message loop stands near the outer end of a stack, which a stack of very many frames does not show.</summary>
    private static IEnumerable<MissingData> Loops(AnalysisContext context)
    {
        HashSet<uint> known = [.. context.UiThreads.Select(u => u.Thread.Id)];
        int cut = context.Snapshot.Threads.Count(t => !t.HasExited && t.Stack.End == StackEnd.Limit && t.IsGuiThread != false && !known.Contains(t.Id));
        if (cut > 0)
        {
            yield return MissingData.Of(MissingKind.OuterFrames, cut);
        }
    }
}
