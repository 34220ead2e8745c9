using Dump.Model.Mangling;
using Dump.Model.Text;

namespace Dump.Readers.Elf;

/// <summary>
/// Which functions are inlined at an address, by the entries of the units that the address' lines belong to (<c>DW_TAG_inlined_subroutine</c>). The code of a unit
/// is read once, when the first of its addresses is asked for.
/// </summary>
/// <param name="information">The entries.</param>
internal sealed class InlinedFunctions(DebugInformation information)
{
    private const int MostOfUnit = 1_000_000;
    private const int MostEntries = 20_000_000;
    private const int MostPieces = 5_000_000;
    private const int MostKeptUnits = 256;
    private const int MostReferences = 8;
    private const int MostScopes = 64;
    private const int MostDepth = 64;
    private const int LongestName = 1_024;
    private const long BytesOfPiece = 96;
    private const long NanosecondsOfPiece = 5;
    private readonly Lock _lock = new();
    private readonly Dictionary<ulong, List<DebugUnit>> _units = ByLines(information);
    private readonly Dictionary<int, List<Piece>> _pieces = [];
    private readonly Dictionary<ulong, InlinedName?> _names = [];
    private int _entries;
    private int _allPieces;

    /// <summary>The calls by which functions are inlined at an address, outermost first; none where there are none, and where that is unknown.</summary>
    /// <param name="lines">Where the line number program of the address' unit begins.</param>
    /// <param name="address">The address, as the image's file counts addresses.</param>
    public List<InlinedSubroutine> At(int lines, ulong address)
    {
        List<InlinedSubroutine> found = [];
        lock (_lock)
        {
            foreach (DebugUnit unit in _units.GetValueOrDefault((ulong)lines) ?? [])
            {
                List<Piece> pieces = PiecesOf(unit);
                if (!WorkBudget.Take(pieces.Count * NanosecondsOfPiece))
                {
                    return [];
                }

                // Entries stand inside of those whose code has theirs, and behind them.
                foreach (Piece piece in pieces)
                {
                    if (address >= piece.Start && address < piece.End && found.Count < MostDepth)
                    {
                        found.Add(new InlinedSubroutine(NameOf(piece.Origin), piece.File, piece.Line, piece.Column));
                    }
                }

                if (found.Count > 0)
                {
                    break;
                }
            }
        }

        return found;
    }

    private static Dictionary<ulong, List<DebugUnit>> ByLines(DebugInformation information)
    {
        Dictionary<ulong, List<DebugUnit>> units = [];
        foreach (DebugUnit unit in information.Units)
        {
            if (unit.Lines is { } lines)
            {
                if (!units.TryGetValue(lines, out List<DebugUnit>? same))
                {
                    units.Add(lines, same = []);
                }

                same.Add(unit);
            }
        }

        return units;
    }

    private List<Piece> PiecesOf(DebugUnit unit)
    {
        if (_pieces.TryGetValue(unit.Offset, out List<Piece>? known))
        {
            return known;
        }

        List<Piece> pieces = [];
        List<(ulong Start, ulong End)> code = [];
        int position = unit.Entries;
        for (int i = 0; i < MostOfUnit && _entries < MostEntries && information.Next(unit, ref position, out DebugEntry entry); i++)
        {
            _entries++;
            if (entry.Tag != UnitLayout.InlinedSubroutine || entry.CallLine is not { } line)
            {
                continue;
            }

            code.Clear();
            information.Code(unit, entry, code);
            if (_allPieces + code.Count > MostPieces || !WorkBudget.Hold(code.Count * BytesOfPiece))
            {
                break;
            }

            _allPieces += code.Count;
            pieces.AddRange(code.Select(c => new Piece(
                c.Start, c.End, DebugInformation.Reference(unit, entry.Origin), entry.CallFile ?? ulong.MaxValue, line, entry.CallColumn ?? 0)));
        }

        if (_pieces.Count < MostKeptUnits)
        {
            _pieces.Add(unit.Offset, pieces);
        }

        return pieces;
    }

    private InlinedName? NameOf(ulong? origin)
    {
        if (origin is not { } place)
        {
            return null;
        }

        if (!_names.TryGetValue(place, out InlinedName? known))
        {
            _names.Add(place, known = FindName(place));
        }

        return known;
    }

    /// <summary>The name for linkers, which is qualified; else the name with those of what it stands in.</summary>
    private InlinedName? FindName(ulong place)
    {
        string? plain = null;
        (DebugUnit Unit, ulong File)? declared = null;
        ulong last = place;
        for (int i = 0; i < MostReferences && information.UnitAt(place) is { } unit; i++)
        {
            int position = (int)place;
            if (!information.Next(unit, ref position, out DebugEntry entry))
            {
                return null;
            }

            declared ??= entry.DeclaredIn is { } file ? (unit, file) : null;
            last = place;
            if (information.Text(unit, entry.LinkageName) is { Length: > 0 } linked)
            {
                return Named(MangledNames.Readable(linked) ?? linked, declared);
            }

            plain ??= information.Text(unit, entry.Name);
            if ((DebugInformation.Reference(unit, entry.Specification) ?? DebugInformation.Reference(unit, entry.Origin)) is not { } next)
            {
                break;
            }

            place = next;
        }

        return plain is null ? null : Named(string.Join("::", ScopesOf(last).Append(plain)), declared);
    }

    private static InlinedName Named(string name, (DebugUnit Unit, ulong File)? declared) =>
        new(SafeText.Clean(name, LongestName), declared?.Unit.Lines, declared?.File);

    /// <summary>The names of what an entry stands in, outermost first: namespaces, classes, functions.</summary>
    private List<string> ScopesOf(ulong place)
    {
        List<string?> scopes = [];
        if (information.UnitAt(place) is not { } unit)
        {
            return [];
        }

        int position = unit.Entries;
        for (int i = 0; i < MostOfUnit && _entries < MostEntries && (ulong)position < place && information.Next(unit, ref position, out DebugEntry entry); i++)
        {
            _entries++;
            if (entry.Tag == 0)
            {
                if (scopes.Count > 0)
                {
                    scopes.RemoveAt(scopes.Count - 1);
                }
            }
            else if (entry.HasInner)
            {
                if (scopes.Count >= MostScopes)
                {
                    return [];
                }

                scopes.Add(!UnitLayout.IsScope(entry.Tag) ? null : UnitLayout.IsClass(entry.Tag) ? ClassName(information.Text(unit, entry.Name))
                    : information.Text(unit, entry.Name) ?? (entry.Tag == UnitLayout.Namespace ? "(anonymous namespace)" : null));
            }
        }

        return [.. scopes.OfType<string>()];
    }

    /// <summary>A lambda's class has no name in Clang, and one in angle brackets in GCC.</summary>
    private static string ClassName(string? name) => name is null || name.StartsWith("<lambda", StringComparison.Ordinal) ? "{lambda}" : name;

    private readonly record struct Piece(ulong Start, ulong End, ulong? Origin, ulong File, ulong Line, ulong Column);
}

/// <summary>A function that is inlined somewhere.</summary>
/// <param name="Text">Its qualified name.</param>
/// <param name="Lines">Where the line number program begins whose file numbers it uses; null when unknown.</param>
/// <param name="File">The number of the file that it is declared in; null when unknown.</param>
internal sealed record InlinedName(string Text, ulong? Lines, ulong? File);

/// <summary>A call that was inlined: the function, and where it was called.</summary>
/// <param name="Function">The function; null when it has no name.</param>
/// <param name="File">Number of the file of the call, by the unit's line number program.</param>
/// <param name="Line">Its line.</param>
/// <param name="Column">Its column; 0 when unknown.</param>
internal readonly record struct InlinedSubroutine(InlinedName? Function, ulong File, ulong Line, ulong Column);

/// <summary>What is kept of an entry of a unit: the attributes that functions, their code and the calls of inlined ones are described by.</summary>
internal struct DebugEntry
{
    /// <summary>Where it begins in the section.</summary>
    public int Offset;

    /// <summary>What it describes; 0 behind the last entry inside of another one.</summary>
    public ulong Tag;

    /// <summary>True when entries inside of it follow.</summary>
    public bool HasInner;

    public DebugValue? Name;
    public DebugValue? LinkageName;
    public DebugValue? Low;
    public DebugValue? High;
    public DebugValue? Ranges;
    public DebugValue? Origin;
    public DebugValue? Specification;
    public ulong? DeclaredIn;
    public ulong? CallFile;
    public ulong? CallLine;
    public ulong? CallColumn;
    public DebugValue? Lines;
    public DebugValue? TextOffsets;
    public DebugValue? Addresses;
    public DebugValue? RangeLists;
}
