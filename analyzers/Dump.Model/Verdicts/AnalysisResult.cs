using System.Collections.Immutable;

namespace Dump.Model.Verdicts;

/// <summary>The judgement on one snapshot.</summary>
/// <param name="Verdicts">Verdicts, strongest first; verdicts that another one explains are left out.</param>
/// <param name="Outcomes">How each detector ended, in the order of their ids.</param>
public sealed record AnalysisResult(ImmutableArray<Verdict> Verdicts, ImmutableArray<DetectorOutcome> Outcomes)
{
    /// <summary>Sentences on what was seen besides; of two dumps, what the first showed and the second does not.</summary>
    public ImmutableArray<string> Notes { get; init; } = [];

    /// <summary>What stood still and what moved over three or more dumps; null for fewer.</summary>
    public SeriesHistory? Series { get; init; }

    /// <summary>Ids of the detectors that were asked, when not all were; empty when all were.</summary>
    public ImmutableArray<string> Only { get; init; } = [];

    /// <summary>
    /// Without a verdict, the thread that a person would look at first, with the reason as its role; null with a verdict, or when no thread is to be preferred.
    /// </summary>
    public StackExcerpt? Focus { get; init; }

    /// <summary>Waits that no verdict judges although they matter; those that leave the answer undecided first.</summary>
    public ImmutableArray<OpenWait> OpenWaits { get; init; } = [];

    /// <summary>True when nothing was found, and a later look at the process may show that something stands still.</summary>
    public bool AsksForAnotherLook { get; init; }

    /// <summary>True when nothing was found and at least one detector lacked data: the answer is "cannot decide", not "no problem".</summary>
    public bool IsUndecidable => Verdicts.IsEmpty && Outcomes.Any(o => o.Kind is DetectorOutcomeKind.InsufficientData or DetectorOutcomeKind.Failed);
}
