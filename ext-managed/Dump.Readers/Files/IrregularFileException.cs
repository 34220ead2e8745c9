namespace Dump.Readers.Files;

/// <summary>What was to be read as a file is a pipe, a device or a directory.</summary>
/// <param name="message">Which, with its path.</param>
public sealed class IrregularFileException(string message) : IOException(message);
