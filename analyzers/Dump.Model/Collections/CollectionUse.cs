using System.Collections.Immutable;

namespace Dump.Model.Collections;

/// <summary>A collection that is not made for concurrent writers, with the threads inside of it.</summary>
/// <param name="Address">Address of the object.</param>
/// <param name="Type">Full type name (sanitised).</param>
/// <param name="Kind">What kind of collection it is.</param>
/// <param name="Accesses">One for each thread; the only collection of that kind that the frames of that method refer to is this one.</param>
public sealed record CollectionUse(ulong Address, string Type, CollectionKind Kind, ImmutableArray<CollectionAccess> Accesses);
