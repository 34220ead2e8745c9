namespace Dump.Testing.Renaming;

/// <summary>A judgement changed when threads and modules got other names.</summary>
public sealed class RenamingDifferenceException(string message) : Exception(message);
