using System.Collections.Immutable;
using System.Text.Json.Serialization;

namespace Dump.Model.Verdicts;

/// <summary>The chain of waits that starts at a thread.</summary>
/// <param name="ThreadId">Where it starts.</param>
/// <param name="Links">Its links in order; empty when the thread waits for nothing.</param>
/// <param name="EndsInCycle">True when the last link leads back to a thread of the chain.</param>
public sealed record WaitChain(
    [property: JsonPropertyName("thread"), JsonPropertyOrder(0)] uint ThreadId,
    [property: JsonPropertyName("chain"), JsonPropertyOrder(2)] ImmutableArray<ChainLink> Links,
    [property: JsonPropertyName("cycle"), JsonPropertyOrder(1)] bool EndsInCycle);
