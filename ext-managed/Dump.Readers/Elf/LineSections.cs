using System.Text;
using Dump.Readers.Minidump;

namespace Dump.Readers.Elf;

/// <summary>The sections that lines are read from.</summary>
/// <param name="Lines"><c>.debug_line</c>.</param>
/// <param name="LineTexts"><c>.debug_line_str</c>, or null.</param>
/// <param name="Texts"><c>.debug_str</c>, or null.</param>
internal sealed record LineSections(byte[] Lines, byte[]? LineTexts, byte[]? Texts)
{
    private const int LongestText = 1_024;

    /// <summary>Reads them; null where a file has no lines.</summary>
    /// <param name="file">The file.</param>
    public static LineSections? Read(FileBytes file) => ElfDebugSection.Read(file, ".debug_line") is not { } lines ? null
        : new LineSections(lines, ElfDebugSection.Read(file, ".debug_line_str"), ElfDebugSection.Read(file, ".debug_str"));

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
