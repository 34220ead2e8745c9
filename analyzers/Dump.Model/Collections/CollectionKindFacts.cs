using System.Collections.Immutable;

namespace Dump.Model.Collections;

/// <summary>What is true of every collection of a kind: one row of <see cref="CollectionKinds"/>.</summary>
/// <param name="Kind">The kind.</param>
/// <param name="Shape">How its elements hang together.</param>
/// <param name="TypeNames">Full names of its types, without type arguments.</param>
public sealed record CollectionKindFacts(CollectionKind Kind, CollectionShape Shape, ImmutableArray<string> TypeNames)
{
    /// <summary>True when its types have type arguments.</summary>
    public bool IsGeneric { get; init; } = true;

    /// <summary>The kind of the collection that keeps its elements: its own unless it wraps another one.</summary>
    public CollectionKind Storage { get; init; } = Kind;

    /// <summary>How many writers break it: one beside another thread, or two where one writer beside readers does no harm.</summary>
    public int HarmfulWriters { get; init; } = 1;

    /// <summary>
    /// Names of the methods that change it and that not every collection has, of all runtimes from .NET Framework to .NET 10 (dotnet/runtime
    /// <c>System.Collections</c> and <c>System.Private.CoreLib</c>).
    /// </summary>
    public ImmutableArray<string> Writers { get; init; } = [];
}
