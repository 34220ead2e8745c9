using System.Collections.Immutable;
using System.Text.Json.Serialization;
using Dump.Model.Collections;
using Dump.Model.Contract;
using Dump.Model.Managed;

namespace Dump.Model.Reported;

/// <summary>Collections that were checked, <c>dump-collections/1</c>: what <c>dictloop</c> prints.</summary>
public sealed record CollectionDocument : ProcessDocument
{
    /// <inheritdoc/>
    [JsonPropertyOrder(-100)]
    public override string Schema => SchemaNames.Collections;

    /// <summary>True when nothing was found and data are missing (exit code 13).</summary>
    [JsonPropertyName("undecidable")]
    public bool IsUndecidable { get; init; }

    /// <summary>Which collections were asked for: those that stacks refer to, all of the heap, or one object; null when there is no managed half.</summary>
    public CollectionScope? Scope { get; init; }

    /// <summary>Version of the .NET runtime, or null when unknown.</summary>
    public string? Runtime { get; init; }

    /// <summary>How many were met and how they were, or null when there is no managed half.</summary>
    public CollectionCounts? Counts { get; init; }

    /// <summary>The walk over the heap, or null when none was asked for.</summary>
    public HeapWalkFacts? Heap { get; init; }

    /// <summary>Threads inside of a collection of which their frames keep no reference.</summary>
    public ImmutableArray<uint> UnlocatedThreads { get; init; } = [];

    /// <summary>Those in which something does not fit.</summary>
    public ImmutableArray<ReportedCollection> Collections { get; init; } = [];

    /// <summary>Some of those that could not be read.</summary>
    public ImmutableArray<UnreadableCollection> NotRead { get; init; } = [];
}

/// <summary>How many collections were met, and how they were.</summary>
/// <param name="Checked">All that were met.</param>
/// <param name="Sound">Those that are sound.</param>
/// <param name="Broken">Those that are broken and listed.</param>
/// <param name="BeingChanged">Those that a thread is changing at this moment, which explains what does not fit.</param>
/// <param name="LeftOut">Broken ones that are not listed.</param>
/// <param name="Unreadable">Those that could not be read.</param>
/// <param name="Kinds">How many were met of each kind.</param>
public sealed record CollectionCounts(
    long Checked,
    long Sound,
    int Broken,
    int BeingChanged,
    long LeftOut,
    long Unreadable,
    ImmutableArray<CollectionKindCount> Kinds);

/// <summary>How many collections of a kind were met.</summary>
/// <param name="Kind">The kind.</param>
/// <param name="Checked">How many.</param>
public sealed record CollectionKindCount(CollectionKind Kind, long Checked);
