namespace Dump.Readers.Pe;

/// <summary>A section of an image.</summary>
/// <param name="VirtualAddress">Relative address of its first byte.</param>
/// <param name="VirtualSize">Size in memory in bytes.</param>
/// <param name="RawOffset">Offset of its data in the file.</param>
/// <param name="RawSize">Size of its data in the file; the rest of the section is zero.</param>
/// <param name="IsExecutable">True when it is mapped executable.</param>
/// <param name="IsWritable">True when it is mapped writable: its content in memory may differ from the file's.</param>
public readonly record struct PeSection(
    uint VirtualAddress,
    uint VirtualSize,
    uint RawOffset,
    uint RawSize,
    bool IsExecutable,
    bool IsWritable)
{
    /// <summary>True when the relative address lies in the section.</summary>
    public bool Contains(uint rva) => rva >= VirtualAddress && rva - VirtualAddress < VirtualSize;
}
