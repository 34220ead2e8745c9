namespace Dump.Packaging;

/// <summary>One part of a package that somebody else made, or the program itself.</summary>
/// <param name="Name">Name of the NuGet package, or of the program.</param>
/// <param name="Version">Its version, as the package states it.</param>
/// <param name="IsOwn">True for what this repository builds.</param>
/// <param name="Files">Files of the folder that come from it, sorted, with <c>/</c> between names.</param>
public sealed record ShippedComponent(string Name, string Version, bool IsOwn, IReadOnlyList<string> Files);
