using System.Collections.Immutable;
using Dump.Readers.Pe;

namespace Dump.Readers.Symbols.Pdb;

/// <summary>A piece of code with lines: one subsection of an object file's line information.</summary>
/// <param name="Rva">Relative address where the code begins.</param>
/// <param name="Length">Length of the code in bytes.</param>
/// <param name="Stream">The object file's stream.</param>
/// <param name="Begin">Where the subsection's content begins.</param>
/// <param name="End">Where it ends, inside the stream.</param>
/// <param name="Checksums">Where the object file's list of source files begins; equal to its end when there is none.</param>
/// <param name="ChecksumsEnd">Where that list ends, inside the stream.</param>
internal readonly record struct PdbLinePiece(uint Rva, uint Length, MsfStream Stream, uint Begin, uint End, uint Checksums, uint ChecksumsEnd)
{
    /// <summary>The pieces of an object file.</summary>
    /// <exception cref="InvalidPdbException">Its line information is damaged.</exception>
    public static IEnumerable<PdbLinePiece> Of(PdbModule module, ImmutableArray<PeSection> sections)
    {
        (uint Begin, uint End) checksums = Subsections(module)
            .Where(s => s.Kind == PdbLayout.ChecksumsSubsection).Select(s => (s.Begin, s.End)).FirstOrDefault();
        foreach ((uint kind, uint begin, uint end) in Subsections(module))
        {
            if (kind == PdbLayout.LinesSubsection && end - begin >= PdbLayout.LinesHeaderSize
                && PdbFunctionTable.Address(
                    module.Stream.UInt16(begin + PdbLayout.LinesSection), module.Stream.UInt32(begin), sections, mustExecute: true) is { } rva)
            {
                yield return new PdbLinePiece(
                    rva, module.Stream.UInt32(begin + PdbLayout.LinesCodeSize), module.Stream, begin, end, checksums.Begin, checksums.End);
            }
        }
    }

    /// <summary>The lines, in the order of the file.</summary>
    /// <exception cref="InvalidPdbException">They are damaged.</exception>
    public IEnumerable<PdbLine> Lines()
    {
        for (uint block = Begin + PdbLayout.LinesHeaderSize; block < End;)
        {
            uint size = End - block < PdbLayout.LineBlockHeaderSize ? 0 : Stream.UInt32(block + PdbLayout.LineBlockSize);
            if (size < PdbLayout.LineBlockHeaderSize || size > End - block)
            {
                throw new InvalidPdbException("its lines are damaged");
            }

            uint count = Stream.UInt32(block + PdbLayout.LineBlockCount);
            uint each = PdbLayout.LineSize + (HaveColumns ? (uint)PdbLayout.ColumnSize : 0);
            if (count > (size - PdbLayout.LineBlockHeaderSize) / each)
            {
                throw new InvalidPdbException("its lines are damaged");
            }

            for (uint i = 0; i < count; i++)
            {
                uint at = block + PdbLayout.LineBlockHeaderSize + (i * PdbLayout.LineSize);
                yield return new PdbLine(Stream.UInt32(at), Stream.UInt32(at + PdbLayout.LineNumber) & PdbLayout.LineNumberMask, block, i, count);
            }

            block += size;
        }
    }

    /// <summary>Place of the name of a line's source file among the strings; null when the object file does not list it.</summary>
    /// <exception cref="InvalidPdbException">The list is damaged.</exception>
    public uint? FileOf(PdbLine line)
    {
        uint entry = Stream.UInt32(line.Block);
        return entry < ChecksumsEnd - Checksums && ChecksumsEnd - Checksums - entry >= PdbLayout.ChecksumHeaderSize ? Stream.UInt32(Checksums + entry) : null;
    }

    /// <summary>The column where a line's statement begins, from 1; null when the object file has no columns.</summary>
    /// <exception cref="InvalidPdbException">It does not lie in the stream.</exception>
    public int? ColumnOf(PdbLine line) =>
        HaveColumns && Stream.UInt16(line.Block + PdbLayout.LineBlockHeaderSize + (line.Count * PdbLayout.LineSize) + (line.Index * PdbLayout.ColumnSize))
            is var column and > 0 ? column : null;

    private bool HaveColumns => (Stream.UInt16(Begin + PdbLayout.LinesFlags) & PdbLayout.LinesHaveColumns) != 0;

    private static IEnumerable<(uint Kind, uint Begin, uint End)> Subsections(PdbModule module)
    {
        if (module.LinesEnd > module.Stream.Size)
        {
            throw new InvalidPdbException("one of its streams is shorter than its content says");
        }

        uint end = (uint)module.LinesEnd;
        for (uint at = (uint)module.LinesBegin; at < end;)
        {
            uint size = end - at < PdbLayout.SubsectionHeaderSize ? uint.MaxValue : module.Stream.UInt32(at + PdbLayout.SubsectionSize);
            uint begin = at + PdbLayout.SubsectionHeaderSize;
            if (size > end - begin)
            {
                throw new InvalidPdbException("its line information is damaged");
            }

            yield return (module.Stream.UInt32(at), begin, begin + size);
            at = (uint)Math.Min(end, ((ulong)begin + size + 3) & ~3ul);
        }
    }
}
