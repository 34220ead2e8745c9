using Dump.Readers.Pe;
using Dump.Readers.Symbols.Pdb;

namespace Dump.Readers.Windows;

/// <summary>A PDB or image file of a dump's module that is not here, as symbol stores name it.</summary>
public sealed class WantedFile
{
    private readonly PdbIdentity? _pdb;
    private readonly PeFileIdentity _image;

    private WantedFile(string name, string key, PdbIdentity? pdb, PeFileIdentity image)
    {
        Name = name;
        Key = key;
        _pdb = pdb;
        _image = image;
    }

    /// <summary>Name of the file, a plain one.</summary>
    public string Name { get; }

    /// <summary>What tells builds apart in a store: time stamp and size of an image, GUID and age of a PDB.</summary>
    public string Key { get; }

    /// <summary>True for an image, false for a PDB.</summary>
    public bool IsImage => _pdb is null;

    /// <summary>The PDB of an image.</summary>
    internal static WantedFile Of(PdbIdentity pdb) => new(pdb.PlainName, pdb.StoreKey, pdb, default);

    /// <summary>An image.</summary>
    internal static WantedFile Of(string name, string key, PeFileIdentity image) => new(name, key, null, image);

    /// <summary>True when a file is the one that is wanted, by the identity in it. Its bytes are read as data, and nothing of it is run.</summary>
    /// <param name="path">Path of the file.</param>
    /// <param name="reason">Why it is not, as a clause.</param>
    public bool Is(string path, out string? reason)
    {
        if (_pdb is { } pdb)
        {
            using PdbFile? file = PdbFile.Open(path, pdb, out reason);
            return file is not null;
        }

        reason = PeFileIdentity.Read(path) is not { } found ? "it is no image" : found != _image ? "it belongs to another build" : null;
        return reason is null;
    }
}
