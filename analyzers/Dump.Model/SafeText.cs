using System.Globalization;
using System.Text;

namespace Dump.Model;

/// <summary>Makes text from a dump safe to show: it comes from strangers and may hold escape sequences or invisible characters that change what a terminal or page displays.</summary>
public static class SafeText
{
    private const string Cut = "...";

    /// <summary>Replaces control, formatting (bidirectional, zero-width), private-use and unassigned characters and unpaired surrogates by <c>?</c>, line breaks and tabs by a space, and cuts long text.</summary>
    /// <param name="text">Text of any content.</param>
    /// <param name="maxLength">Longest result in UTF-16 code units, at least 4; a cut one ends in three full stops.</param>
    /// <returns>Text without harmful characters. Applying it again changes nothing.</returns>
    public static string Clean(ReadOnlySpan<char> text, int maxLength = 4096)
    {
        bool isCut = text.Length > maxLength;
        ReadOnlySpan<char> rest = isCut ? text[..(maxLength - Cut.Length)] : text;
        StringBuilder clean = new(rest.Length + Cut.Length);
        while (!rest.IsEmpty)
        {
            bool valid = Rune.DecodeFromUtf16(rest, out Rune rune, out int length) == System.Buffers.OperationStatus.Done;
            clean.Append(!valid ? "?" : rune.Value is '\r' or '\n' or '\t' ? " " : IsHarmful(rune) ? "?" : rest[..length].ToString());
            rest = rest[length..];
        }

        return isCut ? clean.Append(Cut).ToString() : clean.ToString();
    }

    private static bool IsHarmful(Rune rune) => Rune.GetUnicodeCategory(rune) is
        UnicodeCategory.Control or UnicodeCategory.Format or UnicodeCategory.PrivateUse or UnicodeCategory.OtherNotAssigned
        or UnicodeCategory.LineSeparator or UnicodeCategory.ParagraphSeparator or UnicodeCategory.Surrogate;
}
