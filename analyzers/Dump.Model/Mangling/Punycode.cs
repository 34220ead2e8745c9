using System.Text;

namespace Dump.Model.Mangling;

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
