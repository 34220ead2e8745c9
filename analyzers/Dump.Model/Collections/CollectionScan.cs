using System.Collections.Immutable;
using Dump.Model.Managed;

namespace Dump.Model.Collections;

/// <summary>The outcome of looking at collections: every one that was met is counted as sound, as a finding, or as unreadable.</summary>
public sealed record CollectionScan
{
    /// <summary>Which collections were asked for.</summary>
    public required CollectionScope Scope { get; init; }

    /// <summary>Version of the .NET runtime as its library states it.</summary>
    public string? RuntimeVersion { get; init; }

    /// <summary>How many collections were met, by kind.</summary>
    public ImmutableSortedDictionary<CollectionKind, long> Met { get; init; } = ImmutableSortedDictionary<CollectionKind, long>.Empty;

    /// <summary>How many of them are sound.</summary>
    public long Sound { get; init; }

    /// <summary>How many of them could not be read.</summary>
    public long Unreadable { get; init; }

    /// <summary>Some of those that could not be read.</summary>
    public ImmutableArray<UnreadableCollection> UnreadableExamples { get; init; } = [];

    /// <summary>Those in which something does not fit, by address.</summary>
    public ImmutableArray<CollectionFinding> Findings { get; init; } = [];

    /// <summary>How many further findings were left out to keep the list short.</summary>
    public long FindingsLeftOut { get; init; }

    /// <summary>Threads inside of a method of a collection to which their frames keep no reference, so that it is not known which one it is.</summary>
    public ImmutableArray<uint> UnlocatedThreads { get; init; } = [];

    /// <summary>True when the objects on some stack are unknown, so that not all collections that threads use were met.</summary>
    public bool HasUnreadStacks { get; init; }

    /// <summary>The walk over the heap, or null when none was asked for.</summary>
    public HeapWalkFacts? Walk { get; init; }

    /// <summary>Why an address that was asked for was not checked, or null.</summary>
    public string? Refusal { get; init; }

    /// <summary>True when the memory of the managed heap is in the dump, as far as could be told without reading all of it.</summary>
    public bool HeapIsPresent { get; init; }
}

/// <summary>Which collections were asked for.</summary>
public enum CollectionScope
{
    /// <summary>Those that stacks refer to.</summary>
    InUse,

    /// <summary>All of the managed heap.</summary>
    Heap,

    /// <summary>One object.</summary>
    Object,
}

/// <summary>A collection that could not be checked.</summary>
/// <param name="Address">Address of the object.</param>
/// <param name="Type">Full type name (sanitised).</param>
/// <param name="Reason">Why, in words.</param>
public sealed record UnreadableCollection(ulong Address, string Type, string Reason);
