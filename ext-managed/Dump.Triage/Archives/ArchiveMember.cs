namespace Dump.Triage.Archives;

/// <summary>A member of an archive.</summary>
/// <param name="Index">Its place in the archive's table, 0 for the only one of a gzip file.</param>
/// <param name="Name">Its name there, as written: never a path on this machine.</param>
/// <param name="Packed">Bytes that it takes in the archive.</param>
/// <param name="IsEncrypted">True when a password is needed.</param>
internal sealed record ArchiveMember(int Index, string Name, long Packed, bool IsEncrypted);
