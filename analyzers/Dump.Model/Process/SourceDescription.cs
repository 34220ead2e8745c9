namespace Dump.Model.Process;

/// <summary>Where a snapshot comes from.</summary>
/// <param name="DisplayName">File name or process, for people (sanitised).</param>
/// <param name="Kind">One phrase: <c>Windows minidump, full memory</c>.</param>
/// <param name="FileSize">Size in bytes, or null for a live process.</param>
/// <param name="Captured">When the data were captured (UTC), or null.</param>
/// <param name="Comment">The writer's comment, verbatim but sanitised, or null.</param>
public sealed record SourceDescription(string DisplayName, string Kind, long? FileSize, DateTime? Captured, string? Comment)
{
    /// <summary>What sentences call it: a living process was looked at, and has no dump.</summary>
    public string Noun => NounOf(FileSize);

    /// <summary>The same of a source by its size.</summary>
    /// <param name="fileSize">Size in bytes, or null for a live process.</param>
    public static string NounOf(long? fileSize) => fileSize is null ? "look" : "dump";

    /// <summary>The earlier of two dumps of the process, where this is the later; null otherwise.</summary>
    public SourceDescription? Earlier { get; init; }
}
