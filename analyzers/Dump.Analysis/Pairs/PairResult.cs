using Dump.Model.Process;
using Dump.Model.Verdicts;

namespace Dump.Analysis.Pairs;

/// <summary>The judgement on two snapshots of one process.</summary>
/// <param name="Snapshot">The second snapshot with what the first adds to it: this is what was judged.</param>
/// <param name="Result">The judgement.</param>
public sealed record PairResult(ProcessSnapshot Snapshot, AnalysisResult Result);
