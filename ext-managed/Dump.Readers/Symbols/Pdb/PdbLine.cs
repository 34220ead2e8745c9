using System.Collections.Concurrent;
using System.Collections.Immutable;
using Dump.Model.Facts;
using Dump.Model.Text;
using Dump.Readers.Pe;

namespace Dump.Readers.Symbols.Pdb;

/// <summary>A line of the line information.</summary>
/// <param name="Offset">Where its code begins, from the beginning of the piece of code.</param>
/// <param name="Number">The number of the line.</param>
/// <param name="Block">Where the block of its source file begins in the stream.</param>
/// <param name="Index">Its place in the block.</param>
/// <param name="Count">Number of lines in the block.</param>
internal readonly record struct PdbLine(uint Offset, uint Number, uint Block, uint Index, uint Count)
{
    /// <summary>True when the code there has no line.</summary>
    public bool IsHidden => Number is 0 or PdbLayout.HiddenLine or PdbLayout.HiddenEntryLine;
}

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

/// <summary>
/// Lines of source files by address, from the line information that compilers write since 2005 (C13). Lines stay in the file until they are asked for. Safe for
/// concurrent use.
/// </summary>
internal sealed class PdbLines
{
    private const int MaxPieces = 4_000_000;
    private const int LongestPath = 1024;
    private const int MaxSame = 64;

    // Of all questions on one file together: a damaged piece of code may claim millions of lines, and each of ten thousand frames may lie in it.
    private const long MaxLinesRead = 20_000_000;
    private readonly PdbLinePiece[] _pieces;
    private readonly PdbStrings? _strings;
    private readonly ConcurrentDictionary<uint, SourceLocation?> _known = new();
    private long _read;

    private PdbLines(PdbLinePiece[] pieces, PdbStrings? strings)
    {
        _pieces = pieces;
        _strings = strings;
    }

    /// <summary>Number of pieces of code that have lines: functions, and parts of them that lie apart.</summary>
    public int Count => _pieces.Length;

    /// <summary>Reads where the lines are; without any, or where they are damaged, there are none: functions' names do not depend on them.</summary>
    public static PdbLines Read(MsfFile file, DebugInformation information, ImmutableArray<PeSection> sections)
    {
        try
        {
            PdbStrings? strings = PdbStrings.Of(file);
            List<PdbLinePiece> pieces = [];
            foreach (PdbModule module in strings is null ? [] : information.Modules())
            {
                foreach (PdbLinePiece piece in PdbLinePiece.Of(module, sections))
                {
                    pieces.Add(pieces.Count < MaxPieces ? piece : throw new InvalidPdbException($"it has lines for more than {MaxPieces} functions"));
                }
            }

            return new PdbLines([.. pieces.OrderBy(p => p.Rva)], strings);
        }
        catch (InvalidPdbException)
        {
            return new PdbLines([], null);
        }
    }

    /// <summary>The line whose code covers an address; null when none is known.</summary>
    /// <param name="rva">Relative address of an instruction, or of any byte of it.</param>
    /// <remarks>
    /// Code that compilers put into a function from another one has the line of the call. Where a function begins with such code LLVM's compilers write no line
    /// for it; the function's first line is taken then, marked as approximate.
    /// </remarks>
    public SourceLocation? At(uint rva) => _known.GetOrAdd(rva, static (address, lines) => lines.Find(address), this);

    private SourceLocation? Find(uint rva)
    {
        int after = FirstAfter(rva);
        SourceLocation? found = null;
        for (int i = after - 1; i >= 0 && _pieces[i].Rva == _pieces[after - 1].Rva; i--)
        {
            // Linkers keep equal code of several functions once. Which of them was called the address does not tell.
            SourceLocation? line = rva - _pieces[i].Rva < _pieces[i].Length ? Locate(_pieces[i], rva - _pieces[i].Rva) : null;
            if (after - i > MaxSame || (line is not null && found is not null && line != found))
            {
                return null;
            }

            found ??= line;
        }

        return found;
    }

    private SourceLocation? Locate(PdbLinePiece piece, uint offset)
    {
        try
        {
            (PdbLine? covering, PdbLine? first) = Nearest(piece, offset);
            return (covering ?? first) is { IsHidden: false } found && piece.FileOf(found) is { } name && _strings!.At(name, LongestPath) is { } path
                ? new SourceLocation(SafeText.Clean(path, LongestPath), (int)found.Number)
                {
                    Column = piece.ColumnOf(found),
                    IsApproximate = covering is null,
                }
                : null;
        }
        catch (InvalidPdbException)
        {
            return null;
        }
    }

    /// <summary>The line that begins last at or before an offset, and the first of all.</summary>
    /// <exception cref="InvalidPdbException">The lines are damaged.</exception>
    private (PdbLine? Covering, PdbLine? First) Nearest(PdbLinePiece piece, uint offset)
    {
        PdbLine? covering = null;
        PdbLine? first = null;
        foreach (PdbLine line in piece.Lines())
        {
            if (Interlocked.Increment(ref _read) > MaxLinesRead)
            {
                return (null, null);
            }

            // Of several lines at one offset the last one has the code.
            covering = line.Offset <= offset && (covering is null || line.Offset >= covering.Value.Offset) ? line : covering;
            first = first is null || line.Offset < first.Value.Offset ? line : first;
        }

        return (covering, first);
    }

    private int FirstAfter(uint rva) => SortedSearch.CountUpTo<PdbLinePiece>(_pieces, rva, p => p.Rva);
}
