namespace Dump.Benchmarks.Measuring;

/// <summary>What the output of a run shows that the program did.</summary>
/// <param name="Failure">Why the run does not count, or null when the program did its work.</param>
/// <param name="Threads">Threads whose stacks were printed; null when the program was not asked for all of them.</param>
/// <param name="Frames">Frames of those stacks together; null likewise.</param>
internal readonly record struct WorkDone(string? Failure, int? Threads = null, int? Frames = null);
