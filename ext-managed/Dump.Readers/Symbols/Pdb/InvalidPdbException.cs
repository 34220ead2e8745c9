namespace Dump.Readers.Symbols.Pdb;

/// <summary>A program database is not as the format says. <see cref="PdbFile.Open"/> turns it into a reason; it never leaves the reader.</summary>
/// <param name="message">What is wrong, a clause for people.</param>
internal sealed class InvalidPdbException(string message) : Exception(message);
