using System.Text;
using Dump.Reports;

namespace Dump.Cli.Output;

/// <summary>Breaks lines that are too long between words; what follows is indented like the line it belongs to. The marks of <see cref="TextStyle.Markup"/> take no room.</summary>
/// <param name="inner">Takes the lines; not closed with this writer.</param>
/// <param name="width">Columns there are.</param>
internal sealed class WrappingWriter(TextWriter inner, int width) : TextWriter
{
    private const int DeepestShare = 2;
    private readonly StringBuilder _line = new();

    /// <inheritdoc/>
    public override Encoding Encoding => inner.Encoding;

    /// <inheritdoc/>
    public override void Write(char value)
    {
        if (value == '\n')
        {
            WriteLine("");
        }
        else if (value != '\r')
        {
            _line.Append(value);
        }
    }

    /// <inheritdoc/>
    public override void Flush()
    {
        inner.Write(_line.ToString());
        _line.Clear();
        inner.Flush();
    }

    /// <inheritdoc/>
    public override void WriteLine(string? value)
    {
        string line = string.Concat(_line, value);
        _line.Clear();
        if (Columns(line) <= width)
        {
            inner.Write(line);
            inner.Write('\n');
            return;
        }

        string indent = Indent(line);
        int at = 0;
        bool isFirst = true;
        foreach (string word in line.TrimEnd().Split(' '))
        {
            int length = Columns(word);
            if (length > 0 && at > indent.Length && at + 1 + length > width)
            {
                inner.Write('\n');
                inner.Write(indent);
                inner.Write(word);
                at = indent.Length + length;
            }
            else
            {
                // Spaces that begin the line, or stand between columns, are empty words.
                inner.Write(isFirst ? word : $" {word}");
                at += length + (isFirst ? 0 : 1);
            }

            isFirst = false;
        }

        inner.Write('\n');
    }

    /// <summary>Columns that a text takes.</summary>
    private static int Columns(string text) => TextStyle.WithoutMarks(text).Length;

    /// <summary>The indentation of what follows: that of the line, and two more where it is an item of a list or a line of columns.</summary>
    private string Indent(string line)
    {
        string text = TextStyle.WithoutMarks(line);
        int own = text.Length - text.TrimStart(' ').Length;
        int hanging = own + (own > 0 || text.StartsWith("- ", StringComparison.Ordinal) ? 2 : 0);
        return new string(' ', hanging > width / DeepestShare ? 0 : hanging);
    }
}
