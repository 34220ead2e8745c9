using System.Collections.Immutable;
using Dump.Readers.Files;
using Dump.Readers.Pe;

namespace Dump.Readers.Symbols.Portable;

/// <summary>
/// An image with managed code, as far as it says which PDB belongs to it: read from the memory of a process, mapped by sections or as the bytes of its file, or
/// from a file. Nothing of it is executed.
/// </summary>
public sealed class ManagedImage : IRvaReader, IDisposable
{
    private readonly PeHeaders _headers;
    private readonly PeImageFile? _file;
    private readonly PeHeaders.ByteReader? _bytes;
    private readonly bool _isFlat;

    private ManagedImage(PeHeaders headers, PeImageFile? file, PeHeaders.ByteReader? bytes, bool isFlat)
    {
        _headers = headers;
        _file = file;
        _bytes = bytes;
        _isFlat = isFlat;
    }

    /// <summary>What tells one build from another.</summary>
    public PeFileIdentity Identity => new(_headers.TimeDateStamp, _headers.SizeOfImage);

    /// <summary>Which portable PDB belongs to the image; null when it names none or the record is not readable.</summary>
    public PortablePdbIdentity? Pdb { get; private set; }

    /// <summary>The checksums of its PDB; empty where it has none that are readable.</summary>
    internal ImmutableArray<PdbChecksum> Checksums { get; private set; } = [];

    /// <summary>Where in the image its PDB lies; null when it has none inside.</summary>
    private (uint Rva, uint Size)? Embedded { get; set; }

    /// <summary>Reads an image in the memory of a process.</summary>
    /// <param name="memory">The memory.</param>
    /// <param name="address">Where the image begins.</param>
    /// <returns>The image; null when there is none or its headers are not in the dump.</returns>
    public static ManagedImage? InMemory(IMemory memory, ulong address)
    {
        bool Read(uint offset, Span<byte> destination) => memory.TryRead(address + offset, destination);
        if (PeHeaders.Read(Read) is not { } headers)
        {
            return null;
        }

        // The runtime maps images that it will only read as they are in the file; the entry that leads to a valid record tells which it is.
        ManagedImage mapped = new(headers, null, Read, isFlat: false), flat = new(headers, null, Read, isFlat: true);
        mapped.ReadDebugDirectory();
        if (mapped.Pdb is null)
        {
            flat.ReadDebugDirectory();
        }

        return flat.Pdb is null ? mapped : flat;
    }

    /// <summary>Opens an image file.</summary>
    /// <param name="path">Path of a regular file of this machine.</param>
    /// <param name="owners">Whose files are opened; null for everybody's.</param>
    /// <returns>The image; null when the file cannot be read or is no image.</returns>
    public static ManagedImage? OfFile(string path, FileOwners? owners = null)
    {
        if (PeImageFile.Open(path, owners) is not { } file)
        {
            return null;
        }

        ManagedImage image = new(file.Headers, file, null, isFlat: false);
        image.ReadDebugDirectory();
        return image;
    }

    /// <summary>The PDB inside of the image; null when there is none.</summary>
    /// <param name="reason">Why it cannot be used, a clause for people; null when it can or there is none.</param>
    public PortablePdb? OpenEmbedded(out string? reason)
    {
        reason = null;
        if (Embedded is not { } place || Pdb is null)
        {
            return null;
        }

        if (place.Size is < PortablePdbLayout.EmbeddedContent or > PortablePdbLayout.MostBytes)
        {
            reason = "its size cannot be right";
            return null;
        }

        // What the dump lacks costs no more than a page of it.
        byte[] head = new byte[PortablePdbLayout.EmbeddedContent];
        byte[]? all = ReadRva(place.Rva, head) && ReadRva(place.Rva + place.Size - 1, head.AsSpan(0, 1)) ? new byte[place.Size] : null;
        if (all is null || !ReadRva(place.Rva, all))
        {
            reason = "it is not wholly there";
            return null;
        }

        return PortablePdb.FromEmbedded(all, Pdb, out reason);
    }

    /// <inheritdoc/>
    public bool ReadRva(uint rva, Span<byte> destination)
    {
        if (_file is not null)
        {
            return _file.ReadRva(rva, destination);
        }

        return FileOffset(rva) is { } offset && offset <= uint.MaxValue - (uint)destination.Length && _bytes!(offset, destination);
    }

    /// <inheritdoc/>
    public void Dispose() => _file?.Dispose();

    private uint? FileOffset(uint rva)
    {
        if (!_isFlat || rva < _headers.SizeOfHeaders)
        {
            return rva;
        }

        foreach (PeSection section in _headers.Sections)
        {
            if (section.Contains(rva))
            {
                return rva - section.VirtualAddress < section.RawSize ? section.RawOffset + (rva - section.VirtualAddress) : null;
            }
        }

        return null;
    }

    private void ReadDebugDirectory()
    {
        foreach (PeDebugEntry entry in PeDebugDirectory.Entries(this, _headers.Directory(PeLayout.DebugDirectory)))
        {
            if (entry.Type == PortablePdbLayout.DebugTypeEmbeddedPdb)
            {
                Embedded = (entry.Rva, entry.Size);
            }
            else if (entry is { Type: PeLayout.DebugTypeCodeView, MinorVersion: PeLayout.DebugPortableVersion }
                && PeDebugDirectory.ReadCodeView(this, entry) is { } record)
            {
                Pdb ??= new PortablePdbIdentity(record.Path, record.Guid, entry.TimeDateStamp);
            }
            else if (entry.Type == PortablePdbLayout.DebugTypePdbChecksum && ReadChecksum(entry) is { } checksum)
            {
                Checksums = Checksums.Add(checksum);
            }
        }
    }

    private PdbChecksum? ReadChecksum(PeDebugEntry entry)
    {
        byte[] data = new byte[Math.Min(entry.Size, PortablePdbLayout.LongestChecksum)];
        return entry.Rva != 0 && ReadRva(entry.Rva, data) ? PdbChecksum.Parse(data) : null;
    }
}
