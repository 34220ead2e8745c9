namespace Dump.Triage.Discovery;

/// <summary>A file of a searched folder.</summary>
/// <param name="FullPath">Where it can be opened.</param>
/// <param name="Path">Its path relative to the searched folder, with <c>/</c> (sanitised).</param>
/// <param name="Status">What the file system said of it.</param>
/// <param name="IsAskedFor">True when the command line names the file itself.</param>
internal sealed record FoundFile(string FullPath, string Path, EntryStatus Status, bool IsAskedFor);
