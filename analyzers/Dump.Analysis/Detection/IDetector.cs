using Dump.Model.Verdicts;

namespace Dump.Analysis.Detection;

/// <summary>Finds one pattern. Detectors are stateless, read only the context, never print and never throw for odd data.</summary>
public interface IDetector
{
    /// <summary>What it is.</summary>
    DetectorDescriptor Descriptor { get; }

    /// <summary>Looks for the pattern.</summary>
    DetectorOutcome Detect(AnalysisContext context);
}
