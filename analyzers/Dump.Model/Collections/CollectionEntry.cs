namespace Dump.Model.Collections;

/// <summary>An entry of a hash table as the dump has it.</summary>
/// <param name="Index">Its index.</param>
/// <param name="Next">Its link as stored.</param>
/// <param name="HashCode">Its hash code as stored.</param>
/// <param name="Key">The key in words (sanitised, cut), or null when it could not be read.</param>
/// <param name="Value">The value in words (sanitised, cut), or null when it could not be read or the collection has none.</param>
public sealed record CollectionEntry(int Index, int Next, ulong HashCode, string? Key, string? Value);
