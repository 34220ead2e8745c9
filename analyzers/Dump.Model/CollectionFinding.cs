using System.Collections.Immutable;

namespace Dump.Model;

/// <summary>A broken managed collection.</summary>
/// <param name="Address">Address of the object.</param>
/// <param name="Type">Full type name.</param>
/// <param name="Faults">What is broken; never empty.</param>
/// <param name="ThreadsInside">Threads with a method of the collection on their stacks and the collection as its <c>this</c>.</param>
/// <param name="ThreadsReferring">Threads whose stacks refer to the collection, those inside of it included.</param>
/// <param name="LoopsForEver">True when this runtime follows such a cycle for ever, false when it throws after as many steps as there are entries.</param>
public sealed record CollectionFinding(ulong Address, string Type, ImmutableArray<CollectionFault> Faults, ImmutableArray<uint> ThreadsInside, ImmutableArray<uint> ThreadsReferring, bool LoopsForEver);
