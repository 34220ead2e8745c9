namespace Dump.Fetching.Feeds;

/// <summary>Where a source has a package.</summary>
/// <param name="Address">Its address; a file where the source is a directory.</param>
/// <param name="Bytes">Its size, or null when the source does not say.</param>
public sealed record LocatedPackage(Uri Address, long? Bytes);
