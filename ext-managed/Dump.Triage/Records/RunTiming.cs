namespace Dump.Triage.Records;

/// <summary>What differs from run to run.</summary>
/// <param name="Started">When the analysis began (UTC).</param>
/// <param name="Duration">How long it took.</param>
/// <param name="PeakMemory">The most memory in bytes that was seen, or null.</param>
internal sealed record RunTiming(DateTime Started, TimeSpan Duration, long? PeakMemory);
