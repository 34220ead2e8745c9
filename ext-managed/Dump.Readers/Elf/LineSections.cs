using System.Text;

namespace Dump.Readers.Elf;

/// <summary>The sections that lines are read from, of a file of either format that has DWARF.</summary>
/// <param name="Lines"><c>.debug_line</c>.</param>
/// <param name="Section">The bytes of a section of the file, for example <c>.debug_str</c>; null where there is none.</param>
internal sealed record LineSections(byte[] Lines, Func<string, byte[]?> Section)
{
    private const int LongestText = 1_024;
    private readonly Lazy<byte[]?> _lineTexts = new(() => Section(".debug_line_str"));
    private readonly Lazy<byte[]?> _texts = new(() => Section(".debug_str"));

    /// <summary><c>.debug_line_str</c>, read when it is asked for; null where there is none.</summary>
    public byte[]? LineTexts => _lineTexts.Value;

    /// <summary><c>.debug_str</c>, which is large and mostly not needed, read when it is asked for; null where there is none.</summary>
    public byte[]? Texts => _texts.Value;

    /// <summary>Reads them; null where a file has no lines.</summary>
    /// <param name="section">The bytes of a section of the file; null where there is none.</param>
    public static LineSections? Read(Func<string, byte[]?> section) => section(".debug_line") is { } lines ? new LineSections(lines, section) : null;

    /// <summary>A text at an offset of a section; null when it is not there or too long for a path.</summary>
    public static string? TextAt(byte[]? section, ulong offset)
    {
        if (section is null || offset >= (ulong)section.Length)
        {
            return null;
        }

        ReadOnlySpan<byte> rest = section.AsSpan((int)offset, Math.Min(section.Length - (int)offset, LongestText + 1));
        int end = rest.IndexOf((byte)0);
        return end < 0 ? null : Decoded(rest[..end]);
    }

    /// <summary>A text, of which no more is taken than a path may have.</summary>
    public static string Decoded(ReadOnlySpan<byte> text) => Encoding.UTF8.GetString(text[..Math.Min(text.Length, LongestText)]);
}
