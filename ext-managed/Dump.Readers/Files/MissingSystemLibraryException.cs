namespace Dump.Readers.Files;

/// <summary>A library of the system is not installed, without which what was asked for cannot be done. The message says which, and what to do.</summary>
/// <param name="message">The message.</param>
public sealed class MissingSystemLibraryException(string message) : Exception(message);
