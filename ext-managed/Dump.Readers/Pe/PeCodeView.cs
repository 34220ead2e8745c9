namespace Dump.Readers.Pe;

/// <summary>Which PDB belongs to an image, as its linker wrote it down (RSDS record).</summary>
/// <param name="Path">Path of the PDB on the machine that built it; untrusted and not cleaned.</param>
/// <param name="Guid">Identity of the PDB.</param>
/// <param name="Age">Age of the PDB.</param>
internal readonly record struct PeCodeView(string Path, Guid Guid, uint Age);
