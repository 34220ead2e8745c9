namespace Dump.Model.Managed;

/// <summary>A managed module with code on stacks: which build it is, and which portable PDB belongs to it. All of it is the dump's word, not cleaned.</summary>
/// <param name="Path">Its path in the dumped process; null when it has no file.</param>
/// <param name="ImageBase">Address of its image; 0 when it has none.</param>
public sealed record ManagedModule(string? Path, ulong ImageBase)
{
    /// <summary>Its file name, or null.</summary>
    public string? FileName => Path?[(Path.LastIndexOfAny(['/', '\\']) + 1)..];

    /// <summary>True for an assembly of a package, false for one of the program's projects, by the program's dependency file; null when that is unknown.</summary>
    public bool? IsPackage { get; init; }

    /// <summary>Time stamp of its image; null when the image's headers are not in the dump.</summary>
    public uint? TimeDateStamp { get; init; }

    /// <summary>Size of its mapped image in bytes; null when the image's headers are not in the dump.</summary>
    public uint? ImageSize { get; init; }

    /// <summary>Id of the build in its metadata (MVID); looked for only where the headers are missing, null when that is missing too.</summary>
    public Guid? VersionId { get; init; }

    /// <summary>Path of its PDB where it was built; null when unknown.</summary>
    public string? PdbPath { get; init; }

    /// <summary>First part of its PDB's id; null when unknown.</summary>
    public Guid? PdbId { get; init; }

    /// <summary>Second part of its PDB's id; null when unknown.</summary>
    public uint? PdbStamp { get; init; }
}
