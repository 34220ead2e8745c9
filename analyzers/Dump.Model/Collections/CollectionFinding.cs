using System.Collections.Immutable;

namespace Dump.Model.Collections;

/// <summary>A managed collection in which something does not fit.</summary>
/// <param name="Address">Address of the object; of a node of it where <see cref="IsKnownByNode"/>.</param>
/// <param name="Type">Full type name.</param>
/// <param name="Faults">What is broken; never empty.</param>
/// <param name="ThreadsInside">Threads with a method of the collection on their stacks and the collection as its <c>this</c>.</param>
/// <param name="ThreadsReferring">Threads whose stacks refer to the collection, those inside of it included.</param>
/// <param name="LoopsForEver">True when this runtime follows such a cycle for ever, false when it throws after as many steps as there are entries.</param>
public sealed record CollectionFinding(ulong Address, string Type, ImmutableArray<CollectionFault> Faults, ImmutableArray<uint> ThreadsInside,
    ImmutableArray<uint> ThreadsReferring, bool LoopsForEver)
{
    /// <summary>What kind of collection it is.</summary>
    public CollectionKind Kind { get; init; }

    /// <summary>
    /// True when a node is all that is known of the collection: the frames of the threads inside keep no reference to the collection itself, and no object near
    /// them does.
    /// </summary>
    public bool IsKnownByNode { get; init; }

    /// <summary>Those of the threads inside that are in a method which changes the collection, or of which that is not known.</summary>
    public ImmutableArray<uint> ThreadsChanging { get; init; } = [];

    /// <summary>True when further threads may be inside of it: of some thread that could be, the objects on its stack are unknown.</summary>
    public bool MayHaveOtherUsers { get; init; }

    /// <summary>How many elements it says it has, or null when not read.</summary>
    public int? Count { get; init; }

    /// <summary>Entries around the first fault; empty for trees and lists.</summary>
    public ImmutableArray<CollectionEntry> Entries { get; init; } = [];
}

/// <summary>An entry of a hash table as the dump has it.</summary>
/// <param name="Index">Its index.</param>
/// <param name="Next">Its link as stored.</param>
/// <param name="HashCode">Its hash code as stored.</param>
/// <param name="Key">The key in words (sanitised, cut), or null when it could not be read.</param>
/// <param name="Value">The value in words (sanitised, cut), or null when it could not be read or the collection has none.</param>
public sealed record CollectionEntry(int Index, int Next, ulong HashCode, string? Key, string? Value);
