namespace Dump.Benchmarks.Measuring;

/// <summary>One run of a process.</summary>
/// <param name="Wall">From its start to its end.</param>
/// <param name="Processor">User and kernel time of the process and its children.</param>
/// <param name="PeakBytes">Largest resident set of the process or one of its children, as the kernel counts it: mapped file pages included.</param>
/// <param name="ExitCode">Its exit code; 128 and the signal's number for a killed one.</param>
internal readonly record struct Measurement(TimeSpan Wall, TimeSpan Processor, long PeakBytes, int ExitCode);
