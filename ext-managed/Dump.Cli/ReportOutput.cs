using System.CommandLine;
using Dump.Reports;

namespace Dump.Cli;

/// <summary>Where results go: standard output, in UTF-8, with colours on a terminal only.</summary>
internal static class ReportOutput
{
    /// <summary>The style for standard output.</summary>
    public static TextStyle Style(ParseResult parsed, DumpOptions options)
    {
        bool refused = parsed.GetValue(options.NoColor) || Environment.GetEnvironmentVariable("NO_COLOR") is { Length: > 0 };
        return new TextStyle(!refused && !Console.IsOutputRedirected);
    }

    /// <summary>Writes text; a reader that went away early is no error.</summary>
    public static void Text(Action<TextWriter> write) => Bytes(stream =>
    {
        using StreamWriter writer = new(stream, leaveOpen: true) { NewLine = "\n" };
        write(writer);
    });

    /// <summary>Writes a JSON document and a line feed behind it; a reader that went away early is no error.</summary>
    public static void Json(Action<Stream> write) => Bytes(stream =>
    {
        write(stream);
        stream.WriteByte((byte)'\n');
    });

    /// <summary>Writes bytes; a reader that went away early is no error.</summary>
    private static void Bytes(Action<Stream> write)
    {
        try
        {
            using BufferedStream output = new(Console.OpenStandardOutput(), 1 << 16);
            write(output);
            output.Flush();
        }
        catch (IOException)
        {
            // The reader closed the pipe (for example "| head"): it has what it wanted.
        }
    }
}
