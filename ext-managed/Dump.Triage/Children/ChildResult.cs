namespace Dump.Triage.Children;

/// <summary>What became of a child process.</summary>
/// <param name="End">What ended it.</param>
/// <param name="ExitCode">Its exit code; null when it was ended.</param>
/// <param name="Output">What it wrote to standard output; empty when that is too much.</param>
/// <param name="LastError">The last line that it wrote to standard error (sanitised), or null.</param>
/// <param name="Errors">The last characters of standard error, as they came.</param>
/// <param name="Duration">How long it ran.</param>
/// <param name="PeakMemory">The most memory in bytes that was seen, or null when it was too quick to be looked at.</param>
public sealed record ChildResult(
    ChildEnd End, int? ExitCode, ReadOnlyMemory<byte> Output, string? LastError, string Errors, TimeSpan Duration, long? PeakMemory)
{
    /// <summary>The part of <see cref="Duration"/> that other processes took which failed at the dump before, and which its limit does not count.</summary>
    public TimeSpan Earlier { get; init; }
}
