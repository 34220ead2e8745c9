namespace Dump.Testing.Triage;

/// <summary>One dump of a generated folder, with what triage must say of it.</summary>
/// <param name="Path">Path of the file, relative to the folder, with <c>/</c> between its parts.</param>
/// <param name="Member">Name inside of the archive, or null for a file of its own.</param>
/// <param name="Content">Number of its content: copies have the same, all others differ.</param>
/// <param name="Kind">What it is.</param>
/// <param name="Seed">The dump that it was made of.</param>
public sealed record FolderDump(string Path, string? Member, int Content, FolderDumpKind Kind, DumpSeed Seed);
