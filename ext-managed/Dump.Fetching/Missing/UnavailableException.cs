namespace Dump.Fetching.Missing;

/// <summary>Something that is missing could not be had, or is not what was wanted.</summary>
/// <param name="message">What happened, as a clause.</param>
public sealed class UnavailableException(string message) : Exception(message);
