using System.Globalization;
using System.Text;

namespace Dump.Readers.Minidump;

/// <summary>Prints every stream of a minidump as text: deterministic, for debugging and as golden file of the reader.</summary>
public static class MinidumpText
{
    /// <summary>Writes the text: a line for each entry, equal neighbours once with their number, comments as they are behind a mark.</summary>
    public static void Write(MinidumpFile dump, TextWriter output)
    {
        foreach ((string section, IEnumerable<IReadOnlyList<(string Name, object? Value)>> rows) in MinidumpRows.Of(dump))
        {
            output.WriteLine(section);
            if (section == MinidumpRows.Comments)
            {
                WriteComments(dump, output);
                continue;
            }

            WriteLines(rows.Select(Line), output);
        }
    }

    private static void WriteLines(IEnumerable<string> lines, TextWriter output)
    {
        string? last = null;
        int count = 0;
        foreach (string line in lines.Append(null!))
        {
            if (line == last)
            {
                count++;
                continue;
            }

            if (last is not null)
            {
                output.WriteLine(count == 1 ? last : string.Create(CultureInfo.InvariantCulture, $"{last}   ({count} equal entries)"));
            }

            last = line;
            count = 1;
        }
    }

    private static void WriteComments(MinidumpFile dump, TextWriter output)
    {
        foreach (MinidumpComment comment in dump.Comments)
        {
            output.WriteLine("   text:");
            foreach (string line in comment.Text.Split('\n'))
            {
                output.WriteLine($"   | {line}".TrimEnd());
            }
        }
    }

    private static string Line(IReadOnlyList<(string Name, object? Value)> row)
    {
        StringBuilder line = new("  ");
        foreach ((string name, object? value) in row)
        {
            line.Append(CultureInfo.InvariantCulture, $" {name}={Format(value)}");
        }

        return line.ToString();
    }

    private static string Format(object? value) => value switch
    {
        null => "-",
        string text => $"\"{text}\"",
        Guid guid => guid.ToString(),
        ulong number => $"0x{number:x}",
        BitPattern pattern => $"0x{pattern.Value:x}",
        IFormattable number => number.ToString(null, CultureInfo.InvariantCulture),
        _ => value.ToString() ?? "",
    };
}
