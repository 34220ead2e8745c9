namespace Dump.Analysis.Tags;

/// <summary>A file of stack tags does not have the documented form.</summary>
/// <param name="message">What is wrong, and where.</param>
/// <param name="inner">The cause, or null.</param>
public sealed class InvalidStackTagsException(string message, Exception? inner = null) : Exception(message, inner);
