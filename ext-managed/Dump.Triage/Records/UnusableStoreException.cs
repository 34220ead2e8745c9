namespace Dump.Triage.Records;

/// <summary>A place of records that cannot be used: it is none, damaged, of another version, or cannot be reached.</summary>
/// <param name="message">Which and why, as a clause that names the place and says what to do.</param>
/// <param name="inner">The cause, or null.</param>
public sealed class UnusableStoreException(string message, Exception? inner = null) : Exception(message, inner);
