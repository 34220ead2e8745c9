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

/// <summary>How a collection is broken.</summary>
public enum CollectionFaultKind
{
    /// <summary>Following <c>next</c> from a bucket leads back to an entry that was already passed.</summary>
    BucketCycle,

    /// <summary>A bucket or a link names an entry that does not exist.</summary>
    IndexOutOfRange,

    /// <summary>An entry is in a bucket that its hash code does not belong to, or in two.</summary>
    WrongBucket,

    /// <summary>The list of free entries leads back into itself.</summary>
    FreeListCycle,

    /// <summary>The number of reachable entries is not the count that the collection states, or its two arrays differ in length.</summary>
    CountMismatch,

    /// <summary>A tree or a linked list leads back to a node that was already passed.</summary>
    NodeCycle,

    /// <summary>A node of a tree has two parents.</summary>
    SharedNode,

    /// <summary>A node of a linked list whose neighbours do not agree, or without successor.</summary>
    BrokenLink,

    /// <summary>A <c>Hashtable</c> without an empty slot: a search for a key that is not in it visits all of them.</summary>
    NoEmptySlot,

    /// <summary>A <c>Hashtable</c> that says that a writer is at work: readers spin until that ends.</summary>
    WriterFlag,
}
