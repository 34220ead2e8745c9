using Dump.Model.Process;
using Dump.Model.Verdicts;

namespace Dump.Reports.Tests.Scenes;

/// <summary>What a report is made of.</summary>
/// <param name="Snapshot">The facts.</param>
/// <param name="Result">The judgement.</param>
internal sealed record Scene(ProcessSnapshot Snapshot, AnalysisResult Result);
