namespace Dump.Testing;

/// <summary>A text is not the one in its golden file.</summary>
public sealed class GoldenMismatchException(string message) : Exception(message);
