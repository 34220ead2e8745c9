namespace Dump.Triage.Discovery;

/// <summary>A dump with all the places where it lies.</summary>
/// <param name="Identity">Identity of its content.</param>
/// <param name="Size">Its size in bytes, unpacked; null when it could not be unpacked.</param>
/// <param name="Places">Places in ordinal order; never empty.</param>
/// <param name="Refusal">Why it is not analysed, as a clause; null when it is.</param>
internal sealed record FoundDump(string Identity, long? Size, IReadOnlyList<DumpPlace> Places, string? Refusal);
