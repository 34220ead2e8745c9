using System.Buffers;
using System.Globalization;
using System.Text;

namespace Dump.Model.Text;

/// <summary>
/// Makes text from a dump safe to show: it comes from strangers and may hold escape sequences or invisible
/// characters that change what a terminal or page displays.
/// </summary>
public static class SafeText
{
    private const string Cut = "...";
    private const int MostQuoted = 100;

    /// <summary>A name from a dump between quotation marks, those inside doubled, so that a name cannot pretend to end; long names are cut.</summary>
    /// <param name="name">Cleaned text.</param>
    public static string Quote(string name) =>
        string.Concat("'", (name.Length > MostQuoted ? string.Concat(Head(name), Cut) : name).Replace("'", "''", StringComparison.Ordinal), "'");

    /// <summary>
    /// The same as <see cref="Clean(ReadOnlySpan{char}, int, bool)"/> of a text that is nearly always clean: such a one is returned as it is.
    /// </summary>
    /// <param name="text">Text of any content; null counts as empty.</param>
    /// <param name="maxLength">Longest result in UTF-16 code units; values below 4 count as 4.</param>
    /// <param name="allowLineBreaks">True to keep line breaks.</param>
    public static string Clean(string? text, int maxLength = 4096, bool allowLineBreaks = false) =>
        text is null ? ""
        : text.Length <= maxLength && !text.AsSpan().ContainsAnyExceptInRange(' ', '~') ? text
        : Clean(text.AsSpan(), maxLength, allowLineBreaks);

    /// <summary>
    /// Replaces control, formatting (bidirectional, zero-width), private-use and unassigned characters, characters without a
    /// visible shape and unpaired surrogates by <c>?</c> each, line breaks and tabs by a space each, and cuts long text.
    /// </summary>
    /// <param name="text">Text of any content.</param>
    /// <param name="maxLength">Longest result in UTF-16 code units; values below 4 count as 4. A cut text ends in three full stops.</param>
    /// <param name="allowLineBreaks">True to keep line breaks: CR LF, CR and LF each become one line feed.</param>
    /// <returns>Text without harmful characters. Applying it again with the same arguments changes nothing.</returns>
    public static string Clean(ReadOnlySpan<char> text, int maxLength = 4096, bool allowLineBreaks = false)
    {
        int longest = Math.Max(maxLength, Cut.Length + 1);
        bool isCut = text.Length > longest;
        ReadOnlySpan<char> rest = isCut ? text[..(longest - Cut.Length)] : text;
        StringBuilder clean = new(rest.Length + Cut.Length);
        while (!rest.IsEmpty)
        {
            if (allowLineBreaks && rest.StartsWith("\r\n"))
            {
                rest = rest[1..];
            }

            bool valid = Rune.DecodeFromUtf16(rest, out Rune rune, out int length) == OperationStatus.Done;
            Append(clean, rest[..length], valid, rune, allowLineBreaks);
            rest = rest[length..];
        }

        return isCut ? clean.Append(Cut).ToString() : clean.ToString();
    }

    /// <summary>The beginning of a long name, without half of a surrogate pair.</summary>
    private static ReadOnlySpan<char> Head(string name) =>
        name.AsSpan(0, char.IsHighSurrogate(name[MostQuoted - 1]) ? MostQuoted - 1 : MostQuoted);

    private static void Append(StringBuilder clean, ReadOnlySpan<char> characters, bool valid, Rune rune, bool allowLineBreaks)
    {
        if (valid && rune.Value is '\r' or '\n')
        {
            clean.Append(allowLineBreaks ? '\n' : ' ');
        }
        else if (valid && rune.Value == '\t')
        {
            clean.Append(' ');
        }
        else if (!valid || IsHarmful(rune))
        {
            clean.Append('?');
        }
        else
        {
            clean.Append(characters);
        }
    }

    private static bool IsHarmful(Rune rune) => IsInvisible(rune.Value) || Rune.GetUnicodeCategory(rune) is
        UnicodeCategory.Control or UnicodeCategory.Format or UnicodeCategory.PrivateUse or UnicodeCategory.OtherNotAssigned
        or UnicodeCategory.LineSeparator or UnicodeCategory.ParagraphSeparator or UnicodeCategory.Surrogate;

    // Letters, marks and symbols that have no shape, or only change their neighbour's: Unicode's property
    // Default_Ignorable_Code_Point where the category does not say so, and the empty Braille pattern.
    private static bool IsInvisible(int value) => value is
        0x034F or 0x115F or 0x1160 or 0x17B4 or 0x17B5 or (>= 0x180B and <= 0x180F) or 0x2800 or 0x3164
        or (>= 0xFE00 and <= 0xFE0F) or 0xFFA0 or (>= 0xE0100 and <= 0xE01EF);
}
