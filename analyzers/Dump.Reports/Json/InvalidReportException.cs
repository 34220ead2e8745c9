namespace Dump.Reports.Json;

/// <summary>A stored report is not one of this tool's, or it is damaged.</summary>
/// <param name="message">What is wrong, and where.</param>
/// <param name="inner">The cause, or null.</param>
public sealed class InvalidReportException(string message, Exception? inner = null) : Exception(message, inner);
