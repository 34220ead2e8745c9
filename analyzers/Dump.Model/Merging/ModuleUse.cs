using System.Collections.Immutable;

namespace Dump.Model.Merging;

/// <summary>A module across all dumps of a folder.</summary>
/// <param name="Name">File name, in the spelling met first.</param>
/// <param name="Vendor">Who made it, or null when no dump says.</param>
/// <param name="IsSystem">True for modules of the operating system, false for others, null when it cannot be told.</param>
/// <param name="KnownAs">What it is known as (a hook, an overlay, a security product), or null.</param>
/// <param name="Versions">File versions with the number of dumps, most frequent first; an unknown version is null.</param>
/// <param name="Dumps">In how many dumps it is loaded.</param>
public sealed record ModuleUse(string Name, string? Vendor, bool? IsSystem, string? KnownAs, ImmutableArray<(string? Version, int Count)> Versions, int Dumps);
