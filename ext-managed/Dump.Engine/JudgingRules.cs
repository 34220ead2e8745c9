using System.Collections.Immutable;
using Dump.Analysis;
using Dump.Analysis.Detection;
using Dump.Analysis.Options;

namespace Dump.Engine;

/// <summary>By which rules what was read is judged.</summary>
public sealed record JudgingRules
{
    /// <summary>Lists and thresholds of this program's detectors.</summary>
    public AnalysisOptions Options { get; init; } = AnalysisOptions.Default;

    /// <summary>Ids of the detectors to ask, of one dump; empty for all.</summary>
    public ImmutableArray<string> Only { get; init; } = [];

    /// <summary>Detectors of the caller, which are asked besides.</summary>
    public ImmutableArray<IDetector> Own { get; init; } = [];
}
