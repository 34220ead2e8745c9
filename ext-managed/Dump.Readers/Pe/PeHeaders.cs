using System.Buffers.Binary;
using System.Collections.Immutable;

namespace Dump.Readers.Pe;

/// <summary>The headers of an image, read from memory or from a file.</summary>
internal sealed record PeHeaders(
    ushort Machine,
    uint TimeDateStamp,
    bool Is64Bit,
    uint EntryPoint,
    ulong PreferredBase,
    uint SizeOfImage,
    uint SizeOfHeaders,
    ImmutableArray<PeDirectory> Directories,
    ImmutableArray<PeSection> Sections)
{
    /// <summary>Where the symbols of object files lie in the image's file; 0 for nowhere.</summary>
    public uint SymbolTable { get; init; }

    /// <summary>How many there are.</summary>
    public uint SymbolCount { get; init; }

    public delegate bool ByteReader(uint offset, Span<byte> destination);

    /// <summary>A data directory, empty when the header has fewer.</summary>
    public PeDirectory Directory(int index) => index < Directories.Length ? Directories[index] : default;

    /// <summary>Reads headers; null when they are missing or are not those of an image.</summary>
    /// <param name="read">Reads bytes at an offset from the image's beginning.</param>
    public static PeHeaders? Read(ByteReader read)
    {
        Span<byte> dos = stackalloc byte[PeLayout.DosHeaderSize];
        if (!read(0, dos) || BinaryPrimitives.ReadUInt16LittleEndian(dos) != PeLayout.DosMagic)
        {
            return null;
        }

        uint start = BinaryPrimitives.ReadUInt32LittleEndian(dos[PeLayout.NewHeaderOffset..]);
        Span<byte> file = stackalloc byte[PeLayout.SignatureSize + PeLayout.FileHeaderSize];
        if (start > int.MaxValue || !read(start, file) || BinaryPrimitives.ReadUInt32LittleEndian(file) != PeLayout.Signature)
        {
            return null;
        }

        file = file[PeLayout.SignatureSize..];
        uint optionalStart = start + PeLayout.SignatureSize + PeLayout.FileHeaderSize;
        int optionalSize = BinaryPrimitives.ReadUInt16LittleEndian(file[PeLayout.FileHeaderOptionalHeaderSize..]);
        byte[] optional = new byte[optionalSize];
        if (optionalSize < PeLayout.OptionalSizeOfHeaders + sizeof(uint) || !read(optionalStart, optional))
        {
            return null;
        }

        int sectionCount = Math.Min((int)BinaryPrimitives.ReadUInt16LittleEndian(file[PeLayout.FileHeaderSectionCount..]), PeLayout.MaxSections);
        byte[] sections = new byte[sectionCount * PeLayout.SectionHeaderSize];
        return read(optionalStart + (uint)optionalSize, sections) ? Decode(file, optional, sections) : null;
    }

    private static PeHeaders? Decode(ReadOnlySpan<byte> file, ReadOnlySpan<byte> optional, ReadOnlySpan<byte> sections)
    {
        ushort magic = BinaryPrimitives.ReadUInt16LittleEndian(optional);
        bool is64Bit = magic == PeLayout.Pe32PlusMagic;
        if (!is64Bit && magic != PeLayout.Pe32Magic)
        {
            return null;
        }

        return new PeHeaders(
            BinaryPrimitives.ReadUInt16LittleEndian(file[PeLayout.FileHeaderMachine..]),
            BinaryPrimitives.ReadUInt32LittleEndian(file[PeLayout.FileHeaderTimeDateStamp..]),
            is64Bit,
            BinaryPrimitives.ReadUInt32LittleEndian(optional[PeLayout.OptionalEntryPoint..]),
            is64Bit
                ? BinaryPrimitives.ReadUInt64LittleEndian(optional[PeLayout.OptionalImageBase64..])
                : BinaryPrimitives.ReadUInt32LittleEndian(optional[PeLayout.OptionalImageBase32..]),
            BinaryPrimitives.ReadUInt32LittleEndian(optional[PeLayout.OptionalSizeOfImage..]),
            BinaryPrimitives.ReadUInt32LittleEndian(optional[PeLayout.OptionalSizeOfHeaders..]),
            DecodeDirectories(optional, is64Bit ? PeLayout.OptionalDirectoryCount64 : PeLayout.OptionalDirectoryCount32),
            DecodeSections(sections))
        {
            SymbolTable = BinaryPrimitives.ReadUInt32LittleEndian(file[PeLayout.FileHeaderSymbolTable..]),
            SymbolCount = BinaryPrimitives.ReadUInt32LittleEndian(file[PeLayout.FileHeaderSymbolCount..]),
        };
    }

    private static ImmutableArray<PeDirectory> DecodeDirectories(ReadOnlySpan<byte> optional, int countOffset)
    {
        if (optional.Length < countOffset + sizeof(uint))
        {
            return [];
        }

        uint declared = BinaryPrimitives.ReadUInt32LittleEndian(optional[countOffset..]);
        ReadOnlySpan<byte> entries = optional[(countOffset + sizeof(uint))..];
        int count = (int)Math.Min(Math.Min(declared, PeLayout.MaxDirectories), (uint)(entries.Length / PeLayout.DirectorySize));
        ImmutableArray<PeDirectory>.Builder result = ImmutableArray.CreateBuilder<PeDirectory>(count);
        for (int i = 0; i < count; i++)
        {
            ReadOnlySpan<byte> entry = entries[(i * PeLayout.DirectorySize)..];
            result.Add(new PeDirectory(BinaryPrimitives.ReadUInt32LittleEndian(entry), BinaryPrimitives.ReadUInt32LittleEndian(entry[sizeof(uint)..])));
        }

        return result.MoveToImmutable();
    }

    /// <summary>Decodes section headers; the length is a multiple of theirs.</summary>
    public static ImmutableArray<PeSection> DecodeSections(ReadOnlySpan<byte> headers)
    {
        ImmutableArray<PeSection>.Builder result = ImmutableArray.CreateBuilder<PeSection>(headers.Length / PeLayout.SectionHeaderSize);
        for (; !headers.IsEmpty; headers = headers[PeLayout.SectionHeaderSize..])
        {
            uint virtualSize = BinaryPrimitives.ReadUInt32LittleEndian(headers[PeLayout.SectionVirtualSize..]);
            uint rawSize = BinaryPrimitives.ReadUInt32LittleEndian(headers[PeLayout.SectionRawSize..]);
            uint characteristics = BinaryPrimitives.ReadUInt32LittleEndian(headers[PeLayout.SectionCharacteristics..]);
            result.Add(new PeSection(
                BinaryPrimitives.ReadUInt32LittleEndian(headers[PeLayout.SectionVirtualAddress..]),
                virtualSize == 0 ? rawSize : virtualSize,
                BinaryPrimitives.ReadUInt32LittleEndian(headers[PeLayout.SectionRawPointer..]) & ~(PeLayout.FileSector - 1),
                rawSize,
                (characteristics & PeLayout.SectionExecutable) != 0,
                (characteristics & PeLayout.SectionWritable) != 0)
            {
                Name = BinaryPrimitives.ReadUInt64LittleEndian(headers),
            });
        }

        return result.MoveToImmutable();
    }
}

/// <summary>Place and size of one of an image's tables; both 0 when it has none.</summary>
internal readonly record struct PeDirectory(uint Rva, uint Size)
{
    public bool Contains(uint rva) => rva >= Rva && rva - Rva < Size;
}

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
    /// <summary>The eight bytes of its name in the header: the name, or a slash and the place of a longer one in the table of strings.</summary>
    internal ulong Name { get; init; }

    /// <summary>True when the relative address lies in the section.</summary>
    public bool Contains(uint rva) => rva >= VirtualAddress && rva - VirtualAddress < VirtualSize;
}
