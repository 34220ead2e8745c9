namespace Dump.Clr.Collections;

/// <summary>Memory that a check needs is not in the dump, or more of it than a sound heap can hold was asked for.</summary>
internal sealed class MissingMemoryException(string message) : Exception(message);
