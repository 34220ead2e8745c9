using Dump.Model.Managed;
using Dump.Readers.Pe;

namespace Dump.Readers.Symbols.Portable;

/// <summary>Which portable PDB belongs to an image, by the CodeView entry of the image's debug directory.</summary>
/// <param name="Path">Path of the file where the image was built, as that machine spelled it; untrusted and not cleaned.</param>
/// <param name="Guid">First part of the file's id.</param>
/// <param name="Stamp">Second part: the time stamp of the entry.</param>
public sealed record PortablePdbIdentity(string Path, Guid Guid, uint Stamp)
{
    /// <summary>The identity that a module gives; null when it names no portable PDB.</summary>
    public static PortablePdbIdentity? Of(ManagedModule module) =>
        module is { PdbPath: { } path, PdbId: { } id, PdbStamp: { } stamp } ? new PortablePdbIdentity(path, id, stamp) : null;

    /// <summary>The file's name without directories.</summary>
    public string FileName => Path[(Path.LastIndexOfAny(['/', '\\']) + 1)..];

    /// <summary>The same for symbol stores, where all portable PDBs have one age.</summary>
    public PdbIdentity InStores => new(FileName, Guid, PortablePdbLayout.StoreAge);
}
