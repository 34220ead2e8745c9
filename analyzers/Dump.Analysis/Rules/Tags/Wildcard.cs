namespace Dump.Analysis.Rules.Tags;

/// <summary>Patterns with <c>*</c> for any characters, also none, and <c>?</c> for exactly one; letters in any case.</summary>
internal static class Wildcard
{
    /// <summary>True when a text has the form of a pattern. Takes at most the product of both lengths.</summary>
    public static bool Fits(string pattern, string text)
    {
        int p = 0, t = 0, star = -1, mark = 0;
        while (t < text.Length)
        {
            if (p < pattern.Length && pattern[p] == '*')
            {
                (star, mark) = (p++, t);
            }
            else if (p < pattern.Length && (pattern[p] == '?' || char.ToUpperInvariant(pattern[p]) == char.ToUpperInvariant(text[t])))
            {
                p++;
                t++;
            }
            else if (star >= 0)
            {
                (p, t) = (star + 1, ++mark);
            }
            else
            {
                return false;
            }
        }

        return pattern.AsSpan(p).TrimStart('*').IsEmpty;
    }
}
