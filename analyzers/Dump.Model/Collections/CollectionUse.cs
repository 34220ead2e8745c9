using System.Collections.Immutable;

namespace Dump.Model.Collections;

/// <summary>A collection that is not made for concurrent writers, with the threads inside of it.</summary>
/// <param name="Address">Address of the object.</param>
/// <param name="Type">Full type name (sanitised).</param>
/// <param name="Kind">What kind of collection it is.</param>
/// <param name="Accesses">One for each thread; the only collection of that kind that the frames of that method refer to is this one.</param>
public sealed record CollectionUse(ulong Address, string Type, CollectionKind Kind, ImmutableArray<CollectionAccess> Accesses);

/// <summary>A thread inside of a collection.</summary>
/// <param name="ThreadId">The thread.</param>
/// <param name="Method">The outermost method of the collection on its stack, without its type.</param>
/// <param name="Writes">True for a method that changes the collection, false for one that does not, null when it is not known.</param>
public sealed record CollectionAccess(uint ThreadId, string Method, bool? Writes);
