using Dump.Analysis.Options;
using Dump.Model.Process;
using Dump.Model.Verdicts;
using Dump.Testing.Renaming;

namespace Dump.Analysis.Tests;

/// <summary>
/// Stands in for the product's class of that name in this project: every snapshot that its tests judge is judged again with the threads in another order, under
/// other ids, and with modules and stacks elsewhere. What is found must not change.
/// </summary>
internal static class HangAnalysis
{
    /// <summary>Judges a snapshot, and its renamed copies.</summary>
    public static AnalysisResult Run(ProcessSnapshot snapshot, AnalysisOptions? options = null)
    {
        RenamingCheck.Run(snapshot, s => Analysis.HangAnalysis.Run(s, options));
        RenamingCheck.Run(snapshot, s => WaitChains.Find(s, null));
        return Analysis.HangAnalysis.Run(snapshot, options);
    }
}
