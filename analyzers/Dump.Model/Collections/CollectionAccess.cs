namespace Dump.Model.Collections;

/// <summary>A thread inside of a collection.</summary>
/// <param name="ThreadId">The thread.</param>
/// <param name="Method">The outermost method of the collection on its stack, without its type.</param>
/// <param name="Writes">True for a method that changes the collection, false for one that does not, null when it is not known.</param>
public sealed record CollectionAccess(uint ThreadId, string Method, bool? Writes);
