namespace Dump.Model.Merging;

/// <summary>Where a dump of a folder was found.</summary>
/// <param name="Path">Path as it was found, relative to the folder that was searched, with <c>/</c> between its parts (sanitised).</param>
/// <param name="Member">Path inside of the archive, or null for a file of its own.</param>
/// <param name="Size">Size of the dump in bytes, unpacked; null when unknown.</param>
public sealed record TriageSource(string Path, string? Member, long? Size)
{
    /// <summary>Path, and member where there is one, for people.</summary>
    public string Text => Member is null ? Path : $"{Path}!{Member}";
}
