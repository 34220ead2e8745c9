using System.Collections.Concurrent;
using System.Collections.Immutable;
using Dump.Model;
using Dump.Model.Facts;
using Dump.Model.Process;
using Dump.Readers.Minidump;

namespace Dump.Readers.Elf;

/// <summary>
/// Lines of source files by address, from the line number programs of DWARF 2 to 5. They are executed once, to know which code each piece of them is about, and
/// that piece once more for each address that is asked for. Safe for concurrent use.
/// </summary>
internal sealed class DwarfLines
{
    private const int MostPieces = 2_000_000;
    private const int MostBefore = 64;

    // Of a piece in lists that grow, and what sorting takes.
    private const long BytesOfPiece = 48 * 5;
    private const long NanosecondsOfPiece = 1_000;

    // A question executes no more, but where rows are not in order of their addresses.
    private const int MostRowsOfPiece = 128;
    private const int MostKeptFiles = 512;
    private const int MostKeptPlaces = 100_000;
    private const int MostInlined = 8;

    // Of all questions together: a damaged sequence may have as many rows as the section has bytes.
    private const long MostRows = 50_000_000;
    private readonly LineSections _sections;
    private readonly Lazy<UnitDirectories> _directories;
    private readonly Lazy<InlinedFunctions?> _inlined;
    private readonly ConcurrentDictionary<ulong, LinePlace> _places = new();
    private readonly Piece[] _pieces;
    private readonly ConcurrentDictionary<int, LineFiles> _files = new();
    private long _rows;

    private DwarfLines(LineSections sections, Piece[] pieces, Func<UnitDirectories> directories, Func<InlinedFunctions?> inlined)
    {
        _inlined = new Lazy<InlinedFunctions?>(inlined);
        _sections = sections;
        _pieces = pieces;
        _directories = new Lazy<UnitDirectories>(directories);
    }

    /// <summary>Number of pieces of code that have lines.</summary>
    public int Count => _pieces.Length;

    /// <summary>Reads which code has lines.</summary>
    /// <param name="file">The ELF file with debug information.</param>
    /// <returns>The lines, none where they are damaged; null when the file has no such information.</returns>
    public static DwarfLines? Read(FileBytes file) => Read(name => ElfDebugSection.Read(file, name));

    /// <summary>Reads which code has lines, of a file of either format that has DWARF.</summary>
    /// <param name="section">The bytes of a section of the file; null where there is none.</param>
    /// <returns>The lines, none where they are damaged; null when the file has no such information.</returns>
    public static DwarfLines? Read(Func<string, byte[]?> section)
    {
        if (LineSections.Read(section) is not { } sections)
        {
            return null;
        }

        List<Piece> found = [];
        for (int offset = 0, next; offset < sections.Lines.Length && found.Count < MostPieces; offset = next)
        {
            if (LineUnit.Read(sections.Lines, offset, out next) is { } unit)
            {
                Add(sections.Lines, unit, found);
            }
        }

        return new DwarfLines(sections, [.. found.OrderBy(p => p.Row.Address)], () => UnitDirectories.Read(sections),
            () => DebugInformation.Read(sections) is { } information ? new InlinedFunctions(information) : null);
    }

    /// <summary>The line whose code covers an address, as the image's file counts addresses; null when none is known.</summary>
    public SourceLocation? Find(ulong address) => PieceOf(address) is { } piece ? Find(piece, address) : null;

    private Piece? PieceOf(ulong address)
    {
        int after = FirstAfter(address);
        for (int i = after - 1; i >= 0 && i >= after - MostBefore; i--)
        {
            if (address < _pieces[i].End)
            {
                return _pieces[i];
            }
        }

        return null;
    }

    /// <summary>
    /// The line of an address in the function whose code it is, and the program's functions that are inlined there. Where a function of a library is inlined,
    /// the
    /// line of its call counts: it is the program's.
    /// </summary>
    public LinePlace Place(ulong address)
    {
        if (_places.TryGetValue(address, out LinePlace? known))
        {
            return known;
        }

        LinePlace place = PieceOf(address) is { } piece ? Place(piece, address) : LinePlace.Unknown;
        if (_places.Count < MostKeptPlaces)
        {
            _places[address] = place;
        }

        return place;
    }

    private LinePlace Place(Piece piece, ulong address)
    {
        SourceLocation? line = Find(piece, address);
        if (_inlined.Value is not { } functions || functions.At(piece.Unit.Offset, address) is not { Count: > 0 } calls)
        {
            return new LinePlace(line, []);
        }

        LineFiles files = FilesOf(piece.Unit);
        ImmutableArray<InlinedCall>.Builder own = ImmutableArray.CreateBuilder<InlinedCall>();
        for (int i = calls.Count - 1; i >= 0; i--)
        {
            if (calls[i].Function is { } function && own.Count < MostInlined && !IsOfLibrary(function, piece.Unit, files))
            {
                own.Add(new InlinedCall(function.Text, i + 1 < calls.Count ? Call(calls[i + 1], files) : line));
            }
        }

        return new LinePlace(Call(calls[0], files), own.DrainToImmutable());
    }

    private static SourceLocation? Call(InlinedSubroutine call, LineFiles files) =>
        call.Line is > 0 and <= int.MaxValue && files.PathOf(call.File) is { } path
            ? new SourceLocation(path, (int)call.Line) { Column = call.Column is > 0 and <= int.MaxValue ? (int)call.Column : null }
            : null;

    private static bool IsOfLibrary(InlinedName function, LineUnit unit, LineFiles files) => LibraryCode.IsFunction(function.Text)
        || (function.Lines == (ulong)unit.Offset && function.File is { } file && files.PathOf(file) is { } path && LibraryCode.IsFile(path));

    private static void Add(byte[] section, LineUnit unit, List<Piece> found)
    {
        LineProgram program = new(section, unit, Math.Min(unit.Program, unit.End));
        List<Piece> pieces = [];
        ulong last = 0;
        for (int rows = 0; found.Count + pieces.Count < MostPieces && program.Next(); rows++)
        {
            LineRow row = program.Row;
            if (program.IsEnd)
            {
                // Code that the linker left out is at 0, or behind all other addresses.
                if (pieces.Count > 0 && pieces[0].Row.Address > 0 && row.Address > pieces[0].Row.Address)
                {
                    found.AddRange(pieces.Select((p, i) => p with { End = i + 1 < pieces.Count ? pieces[i + 1].Row.Address : row.Address }));
                }

                (pieces, last, rows) = ([], 0, -1);
                continue;
            }

            if (pieces.Count == 0 || (rows >= MostRowsOfPiece && row.Address > last))
            {
                if (!WorkBudget.Hold(BytesOfPiece) || !WorkBudget.Take(NanosecondsOfPiece))
                {
                    return;
                }

                pieces.Add(new Piece(row, row.Address, unit, program.Position));
                rows = 0;
            }

            last = Math.Max(last, row.Address);
        }
    }

    /// <summary>The last row at or before the address; one of line 0 is code that has none.</summary>
    private SourceLocation? Find(Piece piece, ulong address)
    {
        LineProgram program = new(_sections.Lines, piece.Unit, piece.Next, piece.Row);
        LineRow found = piece.Row;
        while (program.Next() && !program.IsEnd && program.Row.Address <= address)
        {
            if (Interlocked.Increment(ref _rows) > MostRows)
            {
                return null;
            }

            found = program.Row;
        }

        return found.Line is > 0 and <= int.MaxValue && FilesOf(piece.Unit).PathOf(found.File) is { } path
            ? new SourceLocation(path, (int)found.Line) { Column = found.Column is > 0 and <= int.MaxValue ? (int)found.Column : null }
            : null;
    }

    private LineFiles FilesOf(LineUnit unit)
    {
        if (_files.TryGetValue(unit.Offset, out LineFiles? known))
        {
            return known;
        }

        LineFiles files = LineFiles.Read(_sections, unit, unit.Version < LineLayout.VersionWithFormats ? _directories.Value.Of(unit.Offset) : null);
        if (_files.Count < MostKeptFiles)
        {
            _files[unit.Offset] = files;
        }

        return files;
    }

    private int FirstAfter(ulong address) => SortedSearch.CountUpTo<Piece>(_pieces, address, p => p.Row.Address);

    /// <summary>Code of some rows: the first of them, where the code ends, and where in the section the program goes on behind that row.</summary>
    private readonly record struct Piece(LineRow Row, ulong End, LineUnit Unit, int Next);
}

/// <summary>Where in the source code an address is.</summary>
/// <param name="Source">The line in the function whose code it is: of what is inlined there, the line of the call. Null when unknown.</param>
/// <param name="Inlined">The program's functions that are inlined there, innermost first.</param>
internal sealed record LinePlace(SourceLocation? Source, ImmutableArray<InlinedCall> Inlined)
{
    /// <summary>Of an address of which nothing is known.</summary>
    public static LinePlace Unknown { get; } = new(null, []);
}
