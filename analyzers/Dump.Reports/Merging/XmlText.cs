using System.Text;
using System.Xml;
using Dump.Model.Text;

namespace Dump.Reports.Merging;

/// <summary>Text that may stand in an XML 1.0 document.</summary>
internal static class XmlText
{
    /// <summary>
    /// Replaces what XML 1.0 forbids even as a character reference (control characters, U+FFFE, U+FFFF,
    /// halves of surrogate pairs), and what is invisible, by question marks; line feeds stay.
    /// </summary>
    /// <param name="text">Text of any content; null is empty.</param>
    public static string Clean(string? text)
    {
        const int Longest = 1 << 16;
        string clean = SafeText.Clean(text, Longest, allowLineBreaks: true);
        StringBuilder result = new(clean.Length);
        foreach (Rune rune in clean.EnumerateRunes())
        {
            bool isAllowed = rune.IsBmp ? XmlConvert.IsXmlChar((char)rune.Value) : true;
            result.Append(isAllowed ? rune.ToString() : "?");
        }

        return result.ToString();
    }
}
