using System.Buffers.Binary;
using System.Collections.Immutable;
using Dump.Readers.Pe;

namespace Dump.Readers.Symbols.Pdb;

/// <summary>What the DBI stream of a program database says: its age, where the symbol records are, and the image's sections.</summary>
internal sealed class DebugInformation
{
    private const uint MaxModuleListSize = 64 << 20;
    private readonly MsfFile _file;
    private readonly MsfStream _stream;
    private readonly uint _modulesSize;
    private readonly uint _optional;
    private readonly uint _optionalSize;

    /// <summary>Reads the header.</summary>
    /// <exception cref="InvalidPdbException">It is damaged or of a version before 1999.</exception>
    public DebugInformation(MsfFile file)
    {
        _file = file;
        _stream = file.Stream(PdbLayout.DebugStream);
        if (_stream.Size < PdbLayout.DebugHeaderSize || _stream.UInt32(PdbLayout.DebugSignature) != PdbLayout.DebugSignatureValue)
        {
            throw new InvalidPdbException("it has no debug information");
        }

        Age = _stream.UInt32(PdbLayout.DebugAge);
        _modulesSize = _stream.UInt32(PdbLayout.DebugModulesSize);
        _optionalSize = _stream.UInt32(PdbLayout.DebugOptionalSize);
        ulong optional = PdbLayout.DebugHeaderSize;
        foreach (uint part in (ReadOnlySpan<int>)[
            PdbLayout.DebugModulesSize, PdbLayout.DebugContributionsSize, PdbLayout.DebugSectionMapSize, PdbLayout.DebugSourcesSize,
            PdbLayout.DebugTypeServersSize, PdbLayout.DebugEditAndContinueSize])
        {
            optional += _stream.UInt32(part);
        }

        if (optional + _optionalSize > _stream.Size)
        {
            throw new InvalidPdbException("the parts of its debug information are larger than all of it");
        }

        _optional = (uint)optional;
    }

    /// <summary>
    /// Age of the build, which the linker also writes to the image. The age in the PDB information stream is another: every tool that writes to the
    /// file afterwards raises it (a public ntdll.pdb of Microsoft's has 1 here, as its image, and 3 there; LLVM issue 57300).
    /// </summary>
    public uint Age { get; }

    /// <summary>True when the code was rearranged after linking, so that symbols' addresses are not the image's.</summary>
    public bool IsRearranged => OptionalStream(PdbLayout.OptionalAddressMap) is { Size: > 0 };

    /// <summary>Frame data of 32-bit code with programs (FRAMEDATA), or null.</summary>
    public MsfStream? Frames => OptionalStream(PdbLayout.OptionalFrames);

    /// <summary>Frame data of 32-bit code in the old form (FPO_DATA), or null.</summary>
    public MsfStream? OldFrames => OptionalStream(PdbLayout.OptionalOldFrames);

    /// <summary>The stream of public symbols and other global records.</summary>
    /// <exception cref="InvalidPdbException">There is none.</exception>
    public MsfStream SymbolRecords => _file.Stream(_stream.UInt16(PdbLayout.DebugSymbolStream));

    /// <summary>The image's sections, by which records give addresses.</summary>
    /// <exception cref="InvalidPdbException">There are none.</exception>
    public ImmutableArray<PeSection> ReadSections()
    {
        if (OptionalStream(PdbLayout.OptionalSectionHeaders) is not { Size: > 0 } stream
            || stream.Size % PeLayout.SectionHeaderSize != 0
            || stream.Size / PeLayout.SectionHeaderSize > PeLayout.MaxSections)
        {
            throw new InvalidPdbException("it does not list the image's sections");
        }

        byte[] headers = new byte[stream.Size];
        stream.Read(0, headers);
        return PeHeaders.DecodeSections(headers);
    }

    /// <summary>The streams of every object file that has symbol records.</summary>
    /// <exception cref="InvalidPdbException">The list is damaged.</exception>
    public IEnumerable<PdbModule> Modules()
    {
        if (_modulesSize > MaxModuleListSize)
        {
            throw new InvalidPdbException("its list of object files is larger than 64 MiB");
        }

        byte[] list = new byte[_modulesSize];
        _stream.Read(PdbLayout.DebugHeaderSize, list);
        HashSet<ushort> seen = [];
        for (int at = 0; at < list.Length;)
        {
            int end = EndOfModule(list, at);
            ushort stream = BinaryPrimitives.ReadUInt16LittleEndian(list.AsSpan(at + PdbLayout.ModuleStream));
            uint size = BinaryPrimitives.ReadUInt32LittleEndian(list.AsSpan(at + PdbLayout.ModuleSymbolsSize));
            if (stream != PdbLayout.NoStream && size >= sizeof(uint) && seen.Add(stream)
                && _file.Stream(stream) is var content && content.UInt32(0) == PdbLayout.ModuleSignature)
            {
                ulong lines = (ulong)size + BinaryPrimitives.ReadUInt32LittleEndian(list.AsSpan(at + PdbLayout.ModuleOldLinesSize));
                yield return new PdbModule(
                    content, size, lines, lines + BinaryPrimitives.ReadUInt32LittleEndian(list.AsSpan(at + PdbLayout.ModuleLinesSize)));
            }

            at = end;
        }
    }

    /// <summary>An entry ends with the names of the object file and of its library, padded to four bytes.</summary>
    private static int EndOfModule(byte[] list, int at)
    {
        int end = at + PdbLayout.ModuleHeaderSize;
        for (int i = 0; i < 2; i++)
        {
            int length = end < list.Length ? list.AsSpan(end).IndexOf((byte)0) : -1;
            end = length < 0 ? throw new InvalidPdbException("its list of object files is damaged") : end + length + 1;
        }

        return (end + 3) & ~3;
    }

    private MsfStream? OptionalStream(int index)
    {
        if (_optionalSize < (index + 1) * sizeof(ushort))
        {
            return null;
        }

        ushort number = _stream.UInt16(_optional + ((uint)index * sizeof(ushort)));
        return number == PdbLayout.NoStream ? null : _file.Stream(number);
    }
}
