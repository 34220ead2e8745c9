using Dump.Capture;
using Dump.Model.Verdicts;

namespace Dump.Engine.Living;

/// <summary>What was seen of a living process and what is said of it.</summary>
/// <param name="Live">The facts, and for how long the process was stopped in all.</param>
/// <param name="Result">The judgement.</param>
public sealed record LivingJudgement(LiveSnapshot Live, AnalysisResult Result)
{
    /// <summary>Why the process could not be looked at a second time although something stood still, as a clause; null where it was, or needed not be.</summary>
    public string? NoSecondLook { get; init; }
}
