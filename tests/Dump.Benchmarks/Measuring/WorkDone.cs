namespace Dump.Benchmarks.Measuring;

/// <summary>What the output of a run shows that the program did.</summary>
/// <param name="Printed">What it printed, in a few words.</param>
/// <param name="Failure">Why the run does not count, or null when the program did its work.</param>
internal readonly record struct WorkDone(string Printed, string? Failure = null);
