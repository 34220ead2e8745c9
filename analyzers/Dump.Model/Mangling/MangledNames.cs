using System.Globalization;
using System.Text;
using Dump.Model.Text;

namespace Dump.Model.Mangling;

/// <summary>
/// What stands in names as linkers know them: the qualified name of a function without its parameters and what it returns. Of C++ those of the Itanium scheme
/// (GCC, Clang) and plain ones of Microsoft's, of Rust both schemes.
/// </summary>
public static class MangledNames
{
    /// <summary>
    /// Longest list of template arguments or of parameters inside of a name, in characters; a longer one is <c>&lt;...&gt;</c> or <c>(...)</c>.
    /// </summary>
    public const int LongestList = 80;

    /// <summary>Longest mangled name that is taken apart, in characters.</summary>
    private const int LongestMangled = 4_096;

    /// <summary>
    /// The qualified name, as <c>c++filt -p -i</c> prints it but for long lists, or null when the name is not mangled, or not by these schemes. Takes bounded
    /// time and throws for no text; the result is clean. A name with characters outside of ASCII is not taken apart: the lengths in it count bytes.
    /// </summary>
    /// <param name="name">The name of a function in a symbol table.</param>
    /// <param name="longestList">Longest list in characters, counted after the lists inside of it have been shortened; at least 3.</param>
    public static string? Readable(string name, int longestList = LongestList)
    {
        if (name.Length > LongestMangled || name.Length < 3 || name[0] is not ('_' or '?') || !Ascii.IsValid(name))
        {
            return null;
        }

        MangledText text = new(longestList);
        string? readable = name[0] == '?' ? MicrosoftName.Readable(name)
            : name.StartsWith("_R", StringComparison.Ordinal) ? RustName.Readable(name, text)
            : name.StartsWith("_ZN", StringComparison.Ordinal) && RustLegacyName.Readable(name) is { } rust ? rust
            : name.StartsWith("_Z", StringComparison.Ordinal) && ItaniumReader.Function(name) is { } function ? text.Of(function)
            : null;
        return string.IsNullOrEmpty(readable) ? null : SafeText.Clean(readable, longestList == LongestList ? 1_024 : int.MaxValue);
    }
}

/// <summary>Plain C++ names of Microsoft's scheme: <c>?Push@Queue@@QEAAXH@Z</c>, the parts from the inside out, until two at signs.</summary>
internal static class MicrosoftName
{
    private const string Separator = "::";

    /// <summary>The qualified name, or null where it has templates or operators in it.</summary>
    public static string? Readable(string name)
    {
        int end = name.IndexOf("@@", StringComparison.Ordinal);
        if (end <= 1)
        {
            return null;
        }

        // ??0 and ??1 are the constructor and the destructor of the class that follows.
        string? special = name.StartsWith("??0", StringComparison.Ordinal) ? "" : name.StartsWith("??1", StringComparison.Ordinal) ? "~" : null;
        string[] parts = name[(special is null ? 1 : Math.Min(3, end))..end].Split('@');
        if (parts.Any(p => p.Length == 0 || p.Contains('?', StringComparison.Ordinal) || char.IsAsciiDigit(p[0])))
        {
            return null;
        }

        Array.Reverse(parts);
        return string.Join(Separator, special is null ? parts : [.. parts, special + parts[^1]]);
    }
}

/// <summary>
/// Rust names of the older scheme, which looks like that of C++: the parts with their lengths in front, the last one <c>h</c> and sixteen hexadecimal digits,
/// and what may not stand in symbols written between dollar signs (rustc, compiler/rustc_symbol_mangling/src/legacy.rs).
/// </summary>
internal static class RustLegacyName
{
    private const int HashLength = 17;
    private const int FewestDigits = 5;

    /// <summary>An arrow: a hyphen may not stand in symbols either, and is a full stop.</summary>
    private const string Arrow = ".$GT$";

    /// <summary>The path without its hash, or null where the name is none of Rust's.</summary>
    /// <param name="name">A name that begins with <c>_ZN</c>.</param>
    public static string? Readable(string name)
    {
        List<string> parts = [];
        int at = 3;
        while (at < name.Length && char.IsAsciiDigit(name[at]))
        {
            int length = 0;
            while (at < name.Length && char.IsAsciiDigit(name[at]) && length <= name.Length)
            {
                length = (length * 10) + (name[at++] - '0');
            }

            if (length == 0 || length > name.Length - at)
            {
                return null;
            }

            parts.Add(name.Substring(at, length));
            at += length;
        }

        bool isWhole = at < name.Length && name[at] == 'E' && (at + 1 == name.Length || name[at + 1] == '.');
        return isWhole && parts.Count > 1 && IsHash(parts[^1]) ? string.Join("::", parts.SkipLast(1).Select(Unescaped)) : null;
    }

    /// <summary>A hash has many different digits, which tells it from a name that somebody wrote.</summary>
    private static bool IsHash(string part) =>
        part.Length == HashLength && part[0] == 'h' && part.Skip(1).All(char.IsAsciiHexDigitLower) && part.Skip(1).Distinct().Count() >= FewestDigits;

    private static string Unescaped(string part)
    {
        // A name may not begin with a dollar sign.
        ReadOnlySpan<char> rest = part.StartsWith("_$", StringComparison.Ordinal) ? part.AsSpan(1) : part;
        StringBuilder text = new(part.Length);
        while (!rest.IsEmpty)
        {
            int length = 1;
            if (rest.StartsWith(".."))
            {
                text.Append("::");
                length = 2;
            }
            else if (rest.StartsWith(Arrow))
            {
                text.Append("->");
                length = Arrow.Length;
            }
            else if (rest[0] == '$' && rest[1..].IndexOf('$') is >= 0 and var end && Escape(rest.Slice(1, end)) is { } character)
            {
                text.Append(character);
                length = end + 2;
            }
            else if (rest[0] == '$')
            {
                return text.Append(rest).ToString();
            }
            else
            {
                text.Append(rest[0]);
            }

            rest = rest[length..];
        }

        return text.ToString();
    }

    private static string? Escape(ReadOnlySpan<char> word) => word switch
    {
        "SP" => "@",
        "BP" => "*",
        "RF" => "&",
        "LT" => "<",
        "GT" => ">",
        "LP" => "(",
        "RP" => ")",
        "C" => ",",
        ['u', .. { Length: > 1 and <= 6 } digits] when uint.TryParse(digits, NumberStyles.AllowHexSpecifier, CultureInfo.InvariantCulture, out uint value)
            && Rune.IsValid(value) => new Rune(value).ToString(),
        _ => null,
    };
}
