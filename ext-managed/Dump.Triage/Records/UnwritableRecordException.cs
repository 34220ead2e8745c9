namespace Dump.Triage.Records;

/// <summary>
/// The place of the records cannot be written, for example because its disk is full. What was written before stands; the next run goes on from there.
/// </summary>
/// <param name="message">What happened, as a clause.</param>
/// <param name="inner">The cause.</param>
public sealed class UnwritableRecordException(string message, Exception inner) : Exception(message, inner)
{
    /// <summary>Name of the store, sanitised; null for the folder that <c>--out</c> names.</summary>
    public string? Place { get; init; }
}
