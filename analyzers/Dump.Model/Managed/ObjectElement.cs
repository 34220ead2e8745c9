namespace Dump.Model.Managed;

/// <summary>An element of an array or an entry of a hash table.</summary>
/// <param name="Index">Index in the array.</param>
/// <param name="Key">Key of an entry in words, or null for an element without one.</param>
/// <param name="Value">Value in words, or null when there is none or its memory is not in the dump.</param>
public sealed record ObjectElement(int Index, string? Key, string? Value);
