using System.Collections.Immutable;
using System.Diagnostics.CodeAnalysis;

namespace Dump.Model.Mangling;

/// <summary>
/// Reads names of the Itanium C++ ABI (itanium-cxx-abi.github.io, "External Names (a.k.a. Mangling)") into their parts. Depth and
/// work are bounded; what cannot be read is null.
/// </summary>
internal sealed partial class ItaniumReader
{
    private const int Deepest = 192;

    /// <summary>More than reading each character thrice takes: what follows the type of a conversion operator is read twice, also inside of itself.</summary>
    private const int MostSteps = 1 << 14;
    private readonly string _text;
    private readonly List<MangledPart> _substitutions = [];
    private int _at;
    private int _depth;
    private int _steps;

    /// <summary>What a constructor is named after.</summary>
    private MangledPart? _class;

    private ItaniumReader(string text, int at) => (_text, _at) = (text, at);

    /// <summary>The qualified name of a function, without its parameters, or of a table; null where the text is no such name.</summary>
    /// <param name="text">A name that begins with <c>_Z</c>; what follows the function's name is not read.</param>
    public static MangledPart? Function(string text)
    {
        ItaniumReader reader = new(text, 2);
        return reader.Next is 'G' or 'T' ? reader.Special() : reader.Name() is { } name ? FunctionParts.Unqualified(name) : null;
    }

    private char Next => At(0);

    private char At(int distance) => _at + distance < _text.Length ? _text[_at + distance] : '\0';

    private bool TryEnter()
    {
        bool isWithin = _depth < Deepest && ++_steps <= MostSteps;
        _depth += isWithin ? 1 : 0;
        return isWithin;
    }

    private bool Take(char letter)
    {
        bool isThere = Next == letter;
        _at += isThere ? 1 : 0;
        return isThere;
    }

    private bool Take(string letters)
    {
        bool isThere = _text.AsSpan(_at).StartsWith(letters, StringComparison.Ordinal);
        _at += isThere ? letters.Length : 0;
        return isThere;
    }

    /// <summary>A decimal number without sign; null where there is none, or one that no name has.</summary>
    private int? Number()
    {
        int start = _at, value = 0;
        while (char.IsAsciiDigit(Next) && value < 100_000_000)
        {
            value = (value * 10) + (_text[_at++] - '0');
        }

        return _at == start || char.IsAsciiDigit(Next) ? null : value;
    }

    /// <summary>What counts from a first one without number: <c>_</c> is 0, <c>0_</c> is 1.</summary>
    private int? Ordinal()
    {
        int? number = Next == '_' ? -1 : Number();
        return number is { } value && Take('_') ? value + 1 : null;
    }

    /// <summary>Remembers a part that may be referred to later.</summary>
    [return: NotNullIfNotNull(nameof(part))]
    private MangledPart? Added(MangledPart? part)
    {
        if (part is not null)
        {
            _substitutions.Add(part);
        }

        return part;
    }

    /// <summary>A function or table inside of another name.</summary>
    /// <param name="isReturning">True to keep what the function returns.</param>
    private MangledPart? Encoding(bool isReturning)
    {
        if (!TryEnter())
        {
            return null;
        }

        MangledPart? encoding = Next is 'G' or 'T' ? Special() : Typed(isReturning);
        _depth--;
        return encoding;
    }

    private MangledPart? Typed(bool isReturning)
    {
        if (Name() is not { } name)
        {
            return null;
        }

        // Without parameters it is a variable.
        if (Next is '\0' or 'E' or '.')
        {
            return FunctionParts.Unqualified(name);
        }

        MangledPart? result = null;
        if (FunctionParts.HasResult(name) || Take('J'))
        {
            result = Type();
            if (result is null)
            {
                return null;
            }
        }

        return Parameters() is { } parameters ? new FunctionPart(name, new FunctionType(result, parameters, ""), isReturning) : null;
    }

    /// <summary>The parameters of a function, up to what ends them.</summary>
    private ImmutableArray<MangledPart>? Parameters()
    {
        ImmutableArray<MangledPart>.Builder parameters = ImmutableArray.CreateBuilder<MangledPart>();
        while (Next is not ('\0' or 'E' or '.') && !(Next is 'R' or 'O' && At(1) == 'E'))
        {
            if (Type() is not { } type)
            {
                return null;
            }

            parameters.Add(type);
        }

        bool isNone = parameters is [PlainName { Name: "void" }];
        return parameters.Count == 0 ? null : isNone ? [] : parameters.ToImmutable();
    }

    /// <summary>Tables, guards and thunks.</summary>
    private MangledPart? Special()
    {
        string letters = _text.Substring(_at, Math.Min(2, _text.Length - _at));
        _at += letters.Length;
        return letters switch
        {
            "TV" => Prefixed("vtable for ", Type()),
            "TT" => Prefixed("VTT for ", Type()),
            "TI" => Prefixed("typeinfo for ", Type()),
            "TS" => Prefixed("typeinfo name for ", Type()),
            "TF" => Prefixed("typeinfo fn for ", Type()),
            "TJ" => Prefixed("java Class for ", Type()),
            "TW" => Prefixed("TLS wrapper function for ", Name()),
            "TH" => Prefixed("TLS init function for ", Name()),
            "TA" => Prefixed("template parameter object for ", TemplateArgument()),
            "TC" => ConstructionTable(),
            "Th" => Offset() ? Prefixed("non-virtual thunk to ", Encoding(false)) : null,
            "Tv" => Offset() && Offset() ? Prefixed("virtual thunk to ", Encoding(false)) : null,
            "Tc" => Adjustment() && Adjustment() ? Prefixed("covariant return thunk to ", Encoding(false)) : null,
            "GV" => Prefixed("guard variable for ", Name()),
            "GR" => ReferenceTemporary(),
            "GA" => Prefixed("hidden alias for ", Encoding(false)),
            "GT" => Take('n') ? Prefixed("non-transaction clone for ", Encoding(false)) : ++_at <= _text.Length
                ? Prefixed("transaction clone for ", Encoding(false)) : null,
            _ => null,
        };
    }

    private static PrefixedName? Prefixed(string words, MangledPart? name) => name is null ? null : new PrefixedName(words, name);

    private PrefixedName? ConstructionTable() =>
        Type() is { } derived && Number() is not null && Take('_') && Type() is { } inside
            ? new PrefixedName("construction vtable for ", inside, "-in-", derived)
            : null;

    private PrefixedName? ReferenceTemporary() =>
        Name() is { } name
            ? new PrefixedName($"reference temporary #{(Next == '\0' ? 0 : Base36() is { } number && Take('_') ? number : 0)} for ", name)
            : null;

    private bool Adjustment()
    {
        char kind = Next;
        _at++;
        return kind is 'h' ? Offset() : kind is 'v' && Offset() && Offset();
    }

    private bool Offset()
    {
        Take('n');
        return Number() is not null && Take('_');
    }
}
