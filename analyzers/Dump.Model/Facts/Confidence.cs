namespace Dump.Model.Facts;

/// <summary>How much a verdict may claim: the grade of its weakest necessary fact. Ordered: a larger value is stronger.</summary>
public enum Confidence
{
    /// <summary>At least one necessary fact is a heuristic. Does not fail a build by default.</summary>
    Suspected = 0,

    /// <summary>At least one necessary fact was derived under a documented rule.</summary>
    Likely = 1,

    /// <summary>Every necessary fact is proven.</summary>
    Confirmed = 2,
}
