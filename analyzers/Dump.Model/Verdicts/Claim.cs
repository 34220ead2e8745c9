using System.Collections.Immutable;
using System.Text.Json.Serialization;
using Dump.Model.Facts;

namespace Dump.Model.Verdicts;

/// <summary>One sentence of a verdict with the confidence that belongs to it alone.</summary>
/// <param name="Text">A full sentence.</param>
/// <param name="Confidence">How much this sentence may claim.</param>
/// <param name="Evidence">Why; never empty.</param>
public sealed record Claim([property: JsonRequired] string Text, [property: JsonRequired] Confidence Confidence, ImmutableArray<Evidence> Evidence)
{
    /// <summary>Why; never empty in a verdict.</summary>
    public ImmutableArray<Evidence> Evidence { get; init => field = value.OrEmpty(); } = Evidence.OrEmpty();
}
