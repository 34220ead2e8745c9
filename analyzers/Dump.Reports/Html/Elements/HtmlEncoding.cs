using System.Text;
using Dump.Model.Text;

namespace Dump.Reports.Html.Elements;

/// <summary>
/// The only way by which text gets into a page. Text of dumps and of stored reports comes from strangers: it
/// may neither become markup or script nor change how its surroundings are shown.
/// </summary>
public static class HtmlEncoding
{
    private const int Longest = 1 << 16;

    /// <summary>
    /// Makes text safe between tags and in quoted attribute values: what has a meaning in HTML becomes a
    /// character reference, what is invisible or reorders text a question mark.
    /// </summary>
    /// <param name="text">Text of any content; null is empty. Longer than 65,536 UTF-16 code units is cut.</param>
    public static string Encode(string? text)
    {
        string clean = SafeText.Clean(text, Longest, allowLineBreaks: true);
        if (clean.AsSpan().IndexOfAny("&<>\"'`") < 0)
        {
            return clean;
        }

        StringBuilder encoded = new(clean.Length + 16);
        foreach (char character in clean)
        {
            _ = character switch
            {
                '&' => encoded.Append("&amp;"),
                '<' => encoded.Append("&lt;"),
                '>' => encoded.Append("&gt;"),
                '"' => encoded.Append("&quot;"),
                '\'' => encoded.Append("&#39;"),
                '`' => encoded.Append("&#96;"),
                _ => encoded.Append(character),
            };
        }

        return encoded.ToString();
    }
}
