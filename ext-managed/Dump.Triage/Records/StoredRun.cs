namespace Dump.Triage.Records;

/// <summary>A run of triage as a place of records keeps it.</summary>
/// <param name="Key">What tells it from other runs: another attempt at the same has the same key (64 hexadecimal digits in lower case).</param>
/// <param name="Machine">Name of the machine that it ran on, or null where that is not known.</param>
/// <param name="Inputs">What it looked through, for people.</param>
/// <param name="Shard">The part of the dumps, such as <c>2/4</c>, or null for all.</param>
/// <param name="Started">When it began (UTC), or null where that is not known.</param>
/// <param name="Summary">Its summary <c>dump-triage/1</c> in UTF-8; null while it has not come to its end.</param>
public sealed record StoredRun(string Key, string? Machine, string Inputs, string? Shard, DateTime? Started, ReadOnlyMemory<byte>? Summary)
{
    /// <summary>Key of what stood for this run while nobody knew whether it had parts: that goes when this one is put, unless it has ended. Null for none.</summary>
    public string? Replaces { get; init; }
}
