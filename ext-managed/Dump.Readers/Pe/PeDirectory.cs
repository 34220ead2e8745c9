namespace Dump.Readers.Pe;

/// <summary>Place and size of one of an image's tables; both 0 when it has none.</summary>
internal readonly record struct PeDirectory(uint Rva, uint Size)
{
    public bool Contains(uint rva) => rva >= Rva && rva - Rva < Size;
}
