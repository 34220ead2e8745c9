namespace Dump.Fetching.Packages;

/// <summary>A package that is not known to be what its author signed. Nothing of it may be used.</summary>
/// <param name="message">Why, as a clause.</param>
public sealed class UnverifiedPackageException(string message) : Exception(message);
