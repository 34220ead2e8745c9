using System.Collections.Concurrent;
using System.Collections.Immutable;
using Dump.Model.Facts;
using Dump.Model.Text;
using Dump.Readers.Pe;

namespace Dump.Readers.Symbols.Pdb;

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
