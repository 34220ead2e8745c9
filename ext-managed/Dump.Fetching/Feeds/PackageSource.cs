namespace Dump.Fetching.Feeds;

/// <summary>A source of NuGet packages.</summary>
/// <param name="Name">Its name in the configuration.</param>
/// <param name="Address">Address of the index of a feed (version 3 of the protocol), or a local directory.</param>
public sealed record PackageSource(string Name, string Address);
