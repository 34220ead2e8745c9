using System.Collections.Immutable;
using Dump.Model.Process;
using Dump.Model.Verdicts;

namespace Dump.Engine;

/// <summary>What was read and what is said of it.</summary>
/// <param name="Snapshot">The facts; of several looks those of the last, with what the looks show together.</param>
/// <param name="Result">The judgement.</param>
public sealed record Judgement(ProcessSnapshot Snapshot, AnalysisResult Result)
{
    /// <summary>The verdicts, the strongest first.</summary>
    public ImmutableArray<Verdict> Verdicts => Result.Verdicts;

    /// <summary>True when more of the process' memory might change the judgement.</summary>
    public bool MoreMightTell => Snapshot.MoreMightTell || Result.Outcomes.Any(o =>
        o.Kind is not DetectorOutcomeKind.NotDetected && (o.Kind is not DetectorOutcomeKind.Detected || !o.Missing.IsEmpty));
}
