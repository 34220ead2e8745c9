namespace Dump.Triage.Records;

/// <summary>
/// The folder of the records cannot be written, for example because its disk is full. What was written before stands; the next run goes on from there.
/// </summary>
/// <param name="message">What happened, as a clause.</param>
/// <param name="inner">The cause.</param>
public sealed class UnwritableRecordException(string message, Exception inner) : Exception(message, inner);
