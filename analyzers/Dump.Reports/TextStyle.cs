using System.Text;

namespace Dump.Reports;

/// <summary>Emphasis: whether a report marks it for a writer that knows how to show it. The plain style adds nothing.</summary>
public sealed record TextStyle
{
    /// <summary>
    /// What begins an emphasis; the letter behind it is one of <see cref="HeadingMark"/>, <see cref="AlarmMark"/>, <see cref="WarningMark"/> and
    /// <see cref="FaintMark"/>. No text of a dump holds control characters.
    /// </summary>
    public const char EmphasisStart = '\u0001';

    /// <summary>What ends one.</summary>
    public const char EmphasisEnd = '\u0002';

    /// <summary>Marks a heading.</summary>
    public const char HeadingMark = 'b';

    /// <summary>Marks something alarming.</summary>
    public const char AlarmMark = 'e';

    /// <summary>Marks something uncertain.</summary>
    public const char WarningMark = 'w';

    /// <summary>Marks something of less weight.</summary>
    public const char FaintMark = 's';

    private readonly bool _isMarked;

    private TextStyle(bool isMarked) => _isMarked = isMarked;

    /// <summary>Emphasis that a <see cref="DebuggerMarkupWriter"/>, or a terminal's writer, turns into what its reader sees.</summary>
    public static TextStyle Markup { get; } = new(true);

    /// <summary>No emphasis.</summary>
    public static TextStyle Plain { get; } = new(false);

    /// <summary>A heading.</summary>
    public string Heading(string text) => Wrap(HeadingMark, text);

    /// <summary>Something alarming.</summary>
    public string Alarm(string text) => Wrap(AlarmMark, text);

    /// <summary>Something uncertain.</summary>
    public string Warning(string text) => Wrap(WarningMark, text);

    /// <summary>Something of less weight.</summary>
    public string Faint(string text) => Wrap(FaintMark, text);

    /// <summary>A text as it is shown: a mark that begins an emphasis is two letters, one that ends it is one.</summary>
    public static string WithoutMarks(string text)
    {
        if (!text.AsSpan().ContainsAny(EmphasisStart, EmphasisEnd))
        {
            return text;
        }

        StringBuilder shown = new(text.Length);
        for (int i = 0; i < text.Length; i++)
        {
            if (text[i] == EmphasisStart)
            {
                i++;
            }
            else if (text[i] != EmphasisEnd)
            {
                shown.Append(text[i]);
            }
        }

        return shown.ToString();
    }

    private string Wrap(char kind, string text) => _isMarked ? $"{EmphasisStart}{kind}{text}{EmphasisEnd}" : text;
}
