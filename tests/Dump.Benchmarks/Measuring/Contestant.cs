namespace Dump.Benchmarks.Measuring;

/// <summary>One command of a contest.</summary>
/// <param name="Name">What the table calls it.</param>
/// <param name="Command">Program path and arguments.</param>
/// <param name="Check">Reads a run's output (path of the file) and exit code.</param>
internal sealed record Contestant(string Name, IReadOnlyList<string> Command, Func<string, int, WorkDone> Check);
