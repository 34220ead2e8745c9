using System.Collections.Immutable;
using Dump.Model.Collections;

namespace Dump.Clr.Collections;

/// <summary>What the check of a collection found.</summary>
/// <param name="Count">How many elements it says it has; null where only a node of it is known.</param>
/// <param name="Faults">What does not fit; empty for a sound collection.</param>
internal sealed record CollectionState(int? Count, ImmutableArray<CollectionFault> Faults)
{
    /// <summary>The table, for a hash table with entries; else null.</summary>
    public StoredHashChains? Table { get; init; }
}
