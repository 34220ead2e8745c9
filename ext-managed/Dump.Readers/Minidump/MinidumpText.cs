using System.Globalization;
using System.Text;

namespace Dump.Readers.Minidump;

/// <summary>Prints every stream of a minidump as text: deterministic, for debugging and as golden file of the reader.</summary>
public static class MinidumpText
{
    /// <summary>Writes the text.</summary>
    public static void Write(MinidumpFile dump, TextWriter output)
    {
        foreach ((string section, IEnumerable<IReadOnlyList<(string Name, object? Value)>> rows) in MinidumpRows.Of(dump))
        {
            output.WriteLine(section);
            foreach (IReadOnlyList<(string Name, object? Value)> row in rows)
            {
                StringBuilder line = new("  ");
                foreach ((string name, object? value) in row)
                {
                    line.Append(CultureInfo.InvariantCulture, $" {name}={Format(value)}");
                }

                output.WriteLine(line.ToString());
            }
        }
    }

    private static string Format(object? value) => value switch
    {
        null => "-",
        string text => $"\"{text}\"",
        Guid guid => guid.ToString(),
        ulong number => $"0x{number:x}",
        IFormattable number => number.ToString(null, CultureInfo.InvariantCulture),
        _ => value.ToString() ?? "",
    };
}
