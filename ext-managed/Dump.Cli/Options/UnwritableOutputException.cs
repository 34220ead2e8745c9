namespace Dump.Cli.Options;

/// <summary>Standard output cannot be written: the result is incomplete.</summary>
internal sealed class UnwritableOutputException(string message, Exception cause) : Exception(message, cause);
