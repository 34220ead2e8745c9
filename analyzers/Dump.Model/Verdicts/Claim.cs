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
    /// <summary>True for what one moment does not tell: that another one may tell it, such as an earlier dump, takes the sentence away.</summary>
    [JsonIgnore]
    public bool IsOpenQuestion { get; init; }

    /// <summary>Why; never empty in a verdict.</summary>
    public ImmutableArray<Evidence> Evidence { get; init => field = value.OrEmpty(); } = Evidence.OrEmpty();
}
