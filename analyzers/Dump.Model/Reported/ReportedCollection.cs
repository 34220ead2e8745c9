using System.Collections.Immutable;
using System.Text.Json.Serialization;
using Dump.Model.Collections;
using Dump.Model.Facts;

namespace Dump.Model.Reported;

/// <summary>A collection in which something does not fit.</summary>
public sealed record ReportedCollection
{
    /// <summary>Address of the object; of a node of it where <see cref="IsKnownByNode"/>.</summary>
    public required ulong Address { get; init; }

    /// <summary>Full type name.</summary>
    public required string Type { get; init; }

    /// <summary>True when a node is all that is known of the collection; its own address is unknown.</summary>
    public bool IsKnownByNode { get; init; }

    /// <summary>What kind of collection it is.</summary>
    public CollectionKind Kind { get; init; }

    /// <summary>How many elements it says it has, or null when not read.</summary>
    public int? Count { get; init; }

    /// <summary>How sure it is that it is broken and hurts; null when a thread is changing it at this moment, which explains the faults.</summary>
    public Confidence? Confidence { get; init; }

    /// <summary>True when this runtime follows such a cycle for ever.</summary>
    public bool LoopsForEver { get; init; }

    /// <summary>What this runtime does with such a collection, as a sentence.</summary>
    public required string Consequence { get; init; }

    /// <summary>What is broken.</summary>
    public ImmutableArray<CollectionFault> Faults { get; init; } = [];

    /// <summary>Entries around the first fault; empty for trees and lists.</summary>
    public ImmutableArray<CollectionEntry> Entries { get; init; } = [];

    /// <summary>Threads with a method of the collection on their stacks.</summary>
    public ImmutableArray<uint> ThreadsInside { get; init; } = [];

    /// <summary>Threads whose stacks refer to it, those inside included.</summary>
    public ImmutableArray<uint> ThreadsReferring { get; init; } = [];

    /// <summary>True when the objects on the stack of some thread are unknown, so that it may be inside as well.</summary>
    public bool MayHaveOtherUsers { get; init; }
}
