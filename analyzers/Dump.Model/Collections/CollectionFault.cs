using System.Collections.Immutable;
using System.Text.Json.Serialization;

namespace Dump.Model.Collections;

/// <summary>One thing that is broken in a collection.</summary>
/// <param name="Kind">What.</param>
/// <param name="Text">In words, with the indexes or addresses concerned.</param>
/// <param name="Path">Entry indexes of the chain in order, the last one repeating an earlier one for a cycle; empty when there is no chain to show.</param>
public sealed record CollectionFault(CollectionFaultKind Kind, string Text, [property: JsonPropertyOrder(2)] ImmutableArray<int> Path)
{
    /// <summary>
    /// True when a sound collection looks like this for a moment while one thread changes it, so that it is a fault only when nobody was changing it.
    /// </summary>
    [JsonPropertyOrder(1)]
    public bool MayBeHalfDone { get; init; }

    /// <summary>True for a chain, tree or list that leads back into itself: it can be followed for ever.</summary>
    public bool IsCycle => Kind is CollectionFaultKind.BucketCycle or CollectionFaultKind.NodeCycle;
}
