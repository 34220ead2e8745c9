using System.Globalization;
using System.Text;
using Dump.Model.Text;

namespace Dump.Reports.Html.Elements;

/// <summary>
/// Writes elements of HTML and SVG. Names of elements and attributes are constants of this program; every
/// text and value passes through <see cref="HtmlEncoding"/>.
/// </summary>
/// <param name="output">Where to write.</param>
internal sealed class HtmlWriter(TextWriter output)
{
    /// <summary>Begins an element. An attribute without a value (null) is left out; an empty value is a mere flag.</summary>
    public HtmlWriter Start(string element, params ReadOnlySpan<(string Name, string? Value)> attributes)
    {
        output.Write('<');
        output.Write(element);
        foreach ((string name, string? value) in attributes)
        {
            if (value is null)
            {
                continue;
            }

            output.Write(' ');
            output.Write(name);
            if (value.Length > 0)
            {
                output.Write("=\"");
                output.Write(HtmlEncoding.Encode(value));
                output.Write('"');
            }
        }

        output.Write('>');
        return this;
    }

    /// <summary>Ends an element, and the line with those that stand on lines of their own.</summary>
    public HtmlWriter End(string element)
    {
        output.Write("</");
        output.Write(element);
        output.Write(element is "span" or "a" or "code" or "b" or "strong" or "button" or "tspan" or "time" ? ">" : ">\n");
        return this;
    }

    /// <summary>An element with text alone.</summary>
    public HtmlWriter Element(string element, string? text, params ReadOnlySpan<(string Name, string? Value)> attributes) =>
        Start(element, attributes).Text(text).End(element);

    /// <summary>Text.</summary>
    public HtmlWriter Text(string? text)
    {
        output.Write(HtmlEncoding.Encode(text));
        return this;
    }

    /// <summary>A link to a public address, or its text alone where the address is none: a list of notes that a user brings may hold anything.</summary>
    public HtmlWriter Link(string address, string text)
    {
        bool isPublic = Uri.TryCreate(address, UriKind.Absolute, out Uri? uri) && uri.Scheme is "https" or "http";
        return isPublic ? Element("a", text, ("href", uri!.AbsoluteUri), ("rel", "noreferrer noopener")) : Text(text);
    }

    /// <summary>Markup, style or script that is a constant of this program, or data that <see cref="PageData"/> has made safe.</summary>
    public HtmlWriter Constant(string markup)
    {
        output.Write(markup);
        return this;
    }

    /// <summary>A number as an attribute value.</summary>
    public static string Number(double value) => value.ToString("0.##", CultureInfo.InvariantCulture);

    /// <summary>A count with separators between thousands.</summary>
    public static string Count(long value) => value.ToString("N0", CultureInfo.InvariantCulture);

    /// <summary>A count with its noun, for example <c>2 dumps</c>.</summary>
    public static string Count(long value, string noun) => CountText.Grouped(value, noun);
}

/// <summary>
/// The only way by which text gets into a page. Text of dumps and of stored reports comes from strangers: it
/// may neither become markup or script nor change how its surroundings are shown.
/// </summary>
public static class HtmlEncoding
{
    private const int Longest = 1 << 16;

    /// <summary>
    /// Makes text safe between tags and in quoted attribute values: what has a meaning in HTML becomes a
    /// character reference, what is invisible or reorders text a question mark.
    /// </summary>
    /// <param name="text">Text of any content; null is empty. Longer than 65,536 UTF-16 code units is cut.</param>
    public static string Encode(string? text)
    {
        string clean = SafeText.Clean(text, Longest, allowLineBreaks: true);
        if (clean.AsSpan().IndexOfAny("&<>\"'`") < 0)
        {
            return clean;
        }

        StringBuilder encoded = new(clean.Length + 16);
        foreach (char character in clean)
        {
            _ = character switch
            {
                '&' => encoded.Append("&amp;"),
                '<' => encoded.Append("&lt;"),
                '>' => encoded.Append("&gt;"),
                '"' => encoded.Append("&quot;"),
                '\'' => encoded.Append("&#39;"),
                '`' => encoded.Append("&#96;"),
                _ => encoded.Append(character),
            };
        }

        return encoded.ToString();
    }
}
