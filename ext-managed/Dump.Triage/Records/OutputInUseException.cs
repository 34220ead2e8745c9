namespace Dump.Triage.Records;

/// <summary>Another run is writing to the same folder.</summary>
/// <param name="message">Which, and what to do.</param>
public sealed class OutputInUseException(string message) : Exception(message);
