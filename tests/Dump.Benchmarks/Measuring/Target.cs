namespace Dump.Benchmarks.Measuring;

/// <summary>What a contest's first command must keep in every measured run.</summary>
/// <param name="Wall">Most wall time.</param>
/// <param name="PeakBytes">Largest resident set in bytes.</param>
internal sealed record Target(TimeSpan Wall, long PeakBytes);
