using System.Globalization;
using System.Text;

namespace Dump.Model.Mangling;

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
