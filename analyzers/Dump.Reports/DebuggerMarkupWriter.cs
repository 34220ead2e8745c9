using System.Text;
using System.Text.RegularExpressions;

namespace Dump.Reports;

/// <summary>
/// Turns a report's text into debugger markup (DML, "Customizing Debugger Output Using DML"): emphasis becomes colour, and threads, addresses, modules and
/// stacks become links that run a command. Everything else is escaped. The commands are made of digits and plain letters only, whatever a dump holds. Wrap a
/// writer and use <see cref="TextStyle.Markup"/>.
/// </summary>
/// <param name="output">Where the markup goes; stays open.</param>
public sealed partial class DebuggerMarkupWriter(TextWriter output) : TextWriter
{
    private readonly StringBuilder _line = new();

    /// <inheritdoc/>
    public override Encoding Encoding => output.Encoding;

    /// <inheritdoc/>
    public override void Write(char value)
    {
        if (value == '\n')
        {
            WriteMarkup();
        }
        else
        {
            _line.Append(value);
        }
    }

    /// <inheritdoc/>
    public override void Flush()
    {
        if (_line.Length > 0)
        {
            output.Write(Line(_line.ToString()));
            _line.Clear();
        }

        output.Flush();
    }

    /// <summary>One line of a report as markup.</summary>
    /// <param name="text">The line without its end, with the marks of <see cref="TextStyle.Markup"/>.</param>
    public static string Line(string text)
    {
        StringBuilder result = new();
        Stack<string> open = [];
        int position = 0;
        foreach (Match match in Token().Matches(text))
        {
            result.Append(Escape(text[position..match.Index]));
            result.Append(Tag(match, open));
            position = match.Index + match.Length;
        }

        result.Append(Escape(text[position..]));
        while (open.TryPop(out string? tag))
        {
            result.Append(tag);
        }

        return result.Append(WholeStack(text)).ToString();
    }

    private void WriteMarkup()
    {
        output.Write(Line(_line.ToString()));
        output.Write('\n');
        _line.Clear();
    }

    private static string Tag(Match match, Stack<string> open)
    {
        if (match.Groups["start"].Success)
        {
            char kind = match.Groups["start"].ValueSpan[0];
            open.Push(kind == TextStyle.HeadingMark ? "</b>" : "</col>");
            return kind switch
            {
                TextStyle.HeadingMark => "<b>",
                TextStyle.AlarmMark => "<col fg=\"errfg\">",
                TextStyle.WarningMark => "<col fg=\"warnfg\">",
                _ => "<col fg=\"subfg\">",
            };
        }

        if (match.Groups["end"].Success)
        {
            return open.TryPop(out string? tag) ? tag : "";
        }

        string text = Escape(match.Value);
        return (match.Groups["thread"], match.Groups["module"], match.Groups["grade"], match.Groups["section"]) switch
        {
            ({ Success: true } id, _, _, _) => Link($"~~[{id.Value}]s", text),
            (_, { Success: true } module, _, _) => Link($"lmvm {module.Value}", text),
            (_, _, { Success: true }, _) => WhyLink(match, text),
            (_, _, _, { Success: true } section) => Link($"!cs 0x{section.Value}", text),
            _ => Link($"dps {match.Groups["address"].Value}", text),
        };
    }

    /// <summary>The grade of an edge leads to the chain from that edge's thread, with its evidence.</summary>
    private static string WhyLink(Match match, string text) => Link($"!dumpext.lockchain {match.Groups["waiter"].Value}", text);

    /// <summary>Behind a line that heads a thread's excerpt, says what one waits for or lists some in one place: a link to the first one's stack.</summary>
    private static string WholeStack(string text) =>
        ExcerptHead().Match(text) is { Success: true } head ? $" {Link($"~~[{head.Groups["id"].Value}]k", "[whole stack]")}" : "";

    private static string Link(string command, string text) => $"<link cmd=\"{command}\">{text}</link>";

    private static string Escape(string text) => text.Replace("&", "&amp;").Replace("<", "&lt;").Replace(">", "&gt;").Replace("\"", "&quot;");

    // Marks of emphasis; "thread 3 (0x1a4"; the module of a numbered frame; the grade behind "thread 3 (0x1a4) waits for ...", also as
    // the branch of a tree; "critical section 0x2a01000"; other addresses of at least five
    // digits, which are not padded with zeros as hashes are.
    [GeneratedRegex(
        """\x01(?<start>[a-z])|(?<end>\x02)|\b[Tt]hread \d+(?= \(0x(?<thread>[0-9a-f]{1,8})\b)"""
        + """|(?<=^\s+\d+  [0-9a-f]{8,16}  )(?<module>[A-Za-z][A-Za-z0-9_]{0,63})(?=[!+])"""
        + """|(?<=^[\s│├└─]*thread \d+ \(0x(?<waiter>[0-9a-f]{1,8})(?=[ )]).{0,400} waits for .{0,2000}\x01s)"""
        + """(?<grade>\[(?:Proven|Derived|Suspected)[^\]]*\])"""
        + """|\b[Cc]ritical section(?= 0x(?<section>[1-9a-f][0-9a-f]{4,15})\b)"""
        + """|(?<address>(?:(?<=\x01[a-z])|(?<![+\w]))(?<!\bflags |\bhash )0x[1-9a-f][0-9a-f]{4,15})\b""",
        RegexOptions.CultureInvariant)]
    private static partial Regex Token();

    [GeneratedRegex(
        """^    thread \d+ \(0x(?<id>[0-9a-f]{1,8})[ )].*: \S|^[\s│├└─]*thread \d+ \(0x(?<id>[0-9a-f]{1,8})[ )].{0,400} waits for """
        + """|^[\s│]+(?:in \S.*|these): thread \d+ \(0x(?<id>[0-9a-f]{1,8})[ )]""",
        RegexOptions.CultureInvariant)]
    private static partial Regex ExcerptHead();
}
