namespace Dump.Analysis.Knowledge;

/// <summary>A list of known issues does not have the documented form.</summary>
/// <param name="message">What is wrong, and in which entry.</param>
public sealed class InvalidKnownIssuesException(string message) : Exception(message);
