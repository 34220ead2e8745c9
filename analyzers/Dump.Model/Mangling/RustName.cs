using System.Globalization;
using System.Text;

namespace Dump.Model.Mangling;

/// <summary>
/// Rust names of the scheme "v0" (RFC 2603; doc.rust-lang.org/rustc/symbol-mangling/v0.html), printed while they are read. A path may refer back to what was
/// read before, so that a short name may be a long text: length, depth and work are bounded.
/// </summary>
internal sealed partial class RustName
{
    private readonly string _text;
    private readonly MangledText _out;
    private int _at;
    private int _lifetimes;

    private RustName(string text, MangledText printed) => (_text, _out) = (text, printed);

    /// <summary>The path without the hashes of crates and the crate that made an instance; null where the text is no such name.</summary>
    /// <param name="name">A name that begins with <c>_R</c>.</param>
    /// <param name="text">Empty text to print to.</param>
    public static string? Readable(string name, MangledText text)
    {
        int end = name.IndexOfAny(['.', '$']);
        text.IsItanium = false;
        RustName reader = new((end < 0 ? name : name[..end])[2..], text);

        // A digit here would be the version of a later scheme.
        return char.IsAsciiLetterUpper(reader.Next) && reader.Path(isInValue: true) && reader.HasEnded() ? text.Result : null;
    }

    private char Next => _at < _text.Length ? _text[_at] : '\0';

    private bool HasEnded()
    {
        _out.IsPrinting = false;
        return _at == _text.Length || (Path(isInValue: false) && _at == _text.Length);
    }

    private bool Take(char letter)
    {
        bool isThere = Next == letter;
        _at += isThere ? 1 : 0;
        return isThere;
    }

    /// <summary>Runs a step within the limits of work and depth.</summary>
    private bool Within(Func<bool> read)
    {
        if (!_out.TryEnter())
        {
            return false;
        }

        bool isRead = read();
        _out.Leave();
        return isRead;
    }

    private bool Path(bool isInValue) => Within(() => PathHere(isInValue));

    private bool PathHere(bool isInValue)
    {
        char tag = Next;
        _at++;
        switch (tag)
        {
            case 'C':
                return Identifier() is { } crate && Print(crate.Name);
            case 'N':
                return Nested(isInValue);
            case 'M' or 'X':
                return Implementing() && Implementation(tag == 'X');
            case 'Y':
                return Implementation(hasTrait: true);
            case 'I':
                return Path(isInValue) && Print(isInValue ? "::" : "") && Generics();
            case 'B':
                return Back(() => Path(isInValue));
            default:
                return false;
        }
    }

    /// <summary>The place of an implementation, which is not shown.</summary>
    private bool Implementing()
    {
        bool isPrinting = _out.IsPrinting;
        _out.IsPrinting = false;
        bool isRead = Disambiguator() is not null && Path(isInValue: false);
        _out.IsPrinting = isPrinting;
        return isRead;
    }

    private bool Implementation(bool hasTrait)
    {
        _out.Append('<');
        return Type() && (!hasTrait || (Print(" as ") && Path(isInValue: false))) && Print(">");
    }

    private bool Nested(bool isInValue)
    {
        char kind = Next;
        _at++;
        if (!char.IsAsciiLetter(kind) || !Path(isInValue) || Identifier() is not { } found)
        {
            return false;
        }

        if (char.IsAsciiLetterLower(kind))
        {
            return Print(found.Name.Length > 0 ? "::" + found.Name : "");
        }

        string word = kind switch { 'C' => "closure", 'S' => "shim", _ => kind.ToString() };
        return Print(string.Create(CultureInfo.InvariantCulture, $"::{{{word}{(found.Name.Length > 0 ? ":" : "")}{found.Name}#{found.Index}}}"));
    }

    private bool Generics()
    {
        int start = Open('<');
        for (int i = 0; !Take('E'); i++)
        {
            if (!Print(i > 0 ? ", " : "") || !Generic())
            {
                return false;
            }
        }

        return Close(start, '>');
    }

    private bool Generic() => Take('L') ? Lifetime() : Take('K') ? Constant() : Type();

    private int Open(char bracket)
    {
        _out.Append(bracket);
        return _out.Length;
    }

    private bool Close(int start, char bracket)
    {
        _out.End(start, bracket);
        return true;
    }

    private bool Print(string text)
    {
        _out.Append(text);
        return true;
    }

    /// <summary>Reads again what stands further left.</summary>
    private bool Back(Func<bool> read)
    {
        int before = _at - 1;
        if (Base62() is not { } target || target >= (ulong)before)
        {
            return false;
        }

        // What is not printed need not be read again.
        int after = _at;
        if (!_out.IsPrinting)
        {
            return true;
        }

        _at = (int)target;
        bool isRead = read();
        _at = after;
        return isRead;
    }

    private (string Name, ulong Index)? Identifier()
    {
        if (Disambiguator() is not { } index)
        {
            return null;
        }

        bool isPunycode = Take('u');
        if (Length() is not { } length)
        {
            return null;
        }

        Take('_');
        if (length > _text.Length - _at)
        {
            return null;
        }

        string name = _text.Substring(_at, length);
        _at += length;
        if (!isPunycode)
        {
            return (name, index);
        }

        int split = name.LastIndexOf('_');
        string? decoded = Punycode.Decode(split < 0 ? "" : name.AsSpan(0, split), name.AsSpan(split + 1));
        return decoded is null ? null : (decoded, index);
    }

    private int? Length()
    {
        int start = _at, value = 0;
        while (char.IsAsciiDigit(Next) && value <= _text.Length && !(value == 0 && _at > start))
        {
            value = (value * 10) + (_text[_at++] - '0');
        }

        return _at == start ? null : value;
    }

    /// <summary>What tells equal names apart: 0 where none is written.</summary>
    private ulong? Disambiguator() => Take('s') ? Base62() is { } number ? number + 1 : null : 0;

    /// <summary>A number that ends in an underscore, which alone is 0.</summary>
    private ulong? Base62()
    {
        if (Take('_'))
        {
            return 0;
        }

        ulong value = 0;
        while (!Take('_'))
        {
            int digit = Next switch
            {
                >= '0' and <= '9' => Next - '0',
                >= 'a' and <= 'z' => Next - 'a' + 10,
                >= 'A' and <= 'Z' => Next - 'A' + 36,
                _ => -1,
            };
            if (digit < 0)
            {
                return null;
            }

            value = unchecked((value * 62) + (ulong)digit);
            _at++;
        }

        return unchecked(value + 1);
    }
}

/// <summary>Names with characters outside of ASCII, as RFC 3492 writes them in ASCII.</summary>
internal static class Punycode
{
    // RFC 3492, section 5.
    private const int Base = 36;
    private const int Least = 1;
    private const int Most = 26;
    private const int Skew = 38;
    private const int Damp = 700;
    private const int FirstBias = 72;
    private const int FirstValue = 128;
    private const int LongestName = 256;

    /// <summary>The name, or null where the digits are none of a name.</summary>
    /// <param name="basic">The characters of ASCII in it.</param>
    /// <param name="digits">Which others stand where.</param>
    public static string? Decode(ReadOnlySpan<char> basic, ReadOnlySpan<char> digits)
    {
        List<Rune> name = [];
        foreach (char character in basic)
        {
            name.Add(new Rune(character));
        }

        int value = FirstValue, index = 0, bias = FirstBias;
        while (!digits.IsEmpty)
        {
            if (name.Count >= LongestName || Delta(ref digits, bias) is not { } delta)
            {
                return null;
            }

            bias = Adapted(delta, name.Count + 1, isFirst: index == 0 && value == FirstValue);
            long place = (long)index + delta;
            long next = value + (place / (name.Count + 1));
            index = (int)(place % (name.Count + 1));
            if (next > 0x10FFFF || !Rune.IsValid((int)next))
            {
                return null;
            }

            value = (int)next;
            name.Insert(index++, new Rune(value));
        }

        return string.Concat(name);
    }

    private static int? Delta(ref ReadOnlySpan<char> digits, int bias)
    {
        long delta = 0, weight = 1;
        for (int k = Base; ; k += Base)
        {
            if (digits.IsEmpty || Digit(digits[0]) is not { } digit)
            {
                return null;
            }

            digits = digits[1..];
            delta += digit * weight;
            int threshold = Math.Clamp(k - bias, Least, Most);
            if (delta > int.MaxValue || weight > int.MaxValue)
            {
                return null;
            }

            if (digit < threshold)
            {
                return (int)delta;
            }

            weight *= Base - threshold;
        }
    }

    private static int? Digit(char letter) => letter switch
    {
        >= 'a' and <= 'z' => letter - 'a',
        >= '0' and <= '9' => letter - '0' + 26,
        _ => null,
    };

    private static int Adapted(int delta, int count, bool isFirst)
    {
        int rest = isFirst ? delta / Damp : delta / 2;
        rest += rest / count;
        int k = 0;
        while (rest > (Base - Least) * Most / 2)
        {
            rest /= Base - Least;
            k += Base;
        }

        return k + ((Base - Least + 1) * rest / (rest + Skew));
    }
}
