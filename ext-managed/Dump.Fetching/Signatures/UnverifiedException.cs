namespace Dump.Fetching.Signatures;

/// <summary>A package or image that is not known to be what its author signed. Nothing of it may be used.</summary>
/// <param name="message">Why, as a clause.</param>
public sealed class UnverifiedException(string message) : Exception(message);
