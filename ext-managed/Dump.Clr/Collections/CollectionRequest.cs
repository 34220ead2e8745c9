using Dump.Model.Collections;

namespace Dump.Clr.Collections;

/// <summary>Which collections to check.</summary>
/// <param name="Scope">Which ones.</param>
/// <param name="Address">The object, for <see cref="CollectionScope.Object"/>; else ignored.</param>
public sealed record CollectionRequest(CollectionScope Scope, ulong Address = 0);
