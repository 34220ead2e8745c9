using System.CommandLine;
using System.Text;
using Dump.Analysis;
using Dump.Cli.Context;
using Dump.Cli.Options;
using Dump.Cli.Usage;
using Dump.Model.Contract;
using Dump.Reports;
using Dump.Reports.Html;
using Dump.Reports.Json;
using Spectre.Console;

namespace Dump.Cli.Output;

/// <summary>Where results go: standard output, in UTF-8, with colours on a terminal only.</summary>
internal static class ReportOutput
{
    /// <summary>What a page says of the run that made it.</summary>
    public static PageOrigin Origin(ParseResult parsed) => new(CommandLines.Version, CommandLines.Path(parsed.CommandResult.Command), DateTime.UtcNow);

    /// <summary>Writes a document in the form that the command line asks for.</summary>
    /// <param name="parsed">The command line.</param>
    /// <param name="options">Its options.</param>
    /// <param name="document">All that is to be said.</param>
    /// <param name="text">Writes it for people.</param>
    public static void Document<T>(ParseResult parsed, DumpOptions options, T document, Action<T, TextWriter, TextStyle> text)
    {
        document = RunContext.Of(parsed).Mark.WithholdsStrings ? ProcessStrings.WithholdFrom(document) : document;
        if (parsed.GetValue(options.Format) == OutputFormat.Json)
        {
            Json(output => JsonReport.Write(document, output));
        }
        else
        {
            Text(parsed, options, (output, style) => text(document, output, style));
        }
    }

    /// <summary>Writes text in the style that the command line asks for; a reader that went away early is no error.</summary>
    public static void Text(ParseResult parsed, DumpOptions options, Action<TextWriter, TextStyle> write)
    {
        if (parsed.GetValue(options.Format) == OutputFormat.Dml)
        {
            Text(output =>
            {
                using DebuggerMarkupWriter markup = new(output) { NewLine = "\n" };
                write(markup, TextStyle.Markup);
                markup.Flush();
            });
            return;
        }

        Text(parsed, options, TerminalWidth.Columns, write);
    }

    /// <summary>Writes a text to read, not to search: its lines end at the width of a page also where there is no terminal.</summary>
    public static void Page(ParseResult parsed, DumpOptions options, Action<TextWriter, TextStyle> write) =>
        Text(parsed, options, Math.Min(TerminalWidth.Columns ?? TerminalWidth.Page, TerminalWidth.Page), write);

    private static void Text(ParseResult parsed, DumpOptions options, int? width, Action<TextWriter, TextStyle> write)
    {
        bool refused = parsed.GetValue(options.NoColor) || Environment.GetEnvironmentVariable(EnvironmentVariables.NoColor) is { Length: > 0 };
        bool isColoured = !refused && Terminal.OutputTakesSequences;
        Text(output =>
        {
            if (!isColoured)
            {
                Wrapped(output, width, lines => write(lines, TextStyle.Plain));
                return;
            }

            using EmphasisWriter shown = new(output) { NewLine = "\n" };
            Wrapped(shown, width, lines => write(lines, TextStyle.Markup));
        });
    }

    private static void Wrapped(TextWriter output, int? width, Action<TextWriter> write)
    {
        if (width is not { } columns)
        {
            write(output);
            return;
        }

        using WrappingWriter lines = new(output, columns) { NewLine = "\n" };
        write(lines);
        lines.Flush();
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
    /// <exception cref="UnwritableOutputException">Standard output cannot be written, for example because the disk is full.</exception>
    public static void Bytes(Action<Stream> write)
    {
        using Stream console = ResultStream.Open();
        try
        {
            // Not disposed when writing fails: that would write once more.
            BufferedStream output = new(console, 1 << 16);
            write(output);
            output.Flush();
        }
        catch (IOException error) when (IsClosedPipe(error))
        {
            // The reader closed the pipe (for example "| head"): it has what it wanted.
        }
        catch (Exception error) when (error is IOException or UnauthorizedAccessException)
        {
            // A standard output that was closed before the start refuses access.
            throw new UnwritableOutputException(error.Message, error);
        }
    }

    /// <summary>ERROR_BROKEN_PIPE and ERROR_NO_DATA of Windows; elsewhere the runtime itself ignores a closed pipe.</summary>
    private static bool IsClosedPipe(IOException error) => error.HResult is unchecked((int)0x8007006D) or unchecked((int)0x800700E8);
}

/// <summary>Shows the emphasis of <see cref="TextStyle.Markup"/> on a terminal: bold, colours and faint letters instead of the marks.</summary>
internal sealed class EmphasisWriter : TextWriter
{
    private readonly TextWriter _inner;
    private readonly AnsiWriter _terminal;
    private readonly Stack<Style> _open = [];
    private bool _isKindNext;

    /// <summary>A writer before another one.</summary>
    /// <param name="inner">Takes the text; not closed with this writer.</param>
    public EmphasisWriter(TextWriter inner) => (_inner, _terminal) = (inner, new AnsiWriter(inner, Terminal.Capabilities));

    /// <inheritdoc/>
    public override Encoding Encoding => _inner.Encoding;

    /// <inheritdoc/>
    public override void Write(char value)
    {
        if (_isKindNext)
        {
            _isKindNext = false;
            _open.Push(StyleOf(value));
            _terminal.Style(_open.Peek(), null);
        }
        else if (value == TextStyle.EmphasisStart)
        {
            _isKindNext = true;
        }
        else if (value == TextStyle.EmphasisEnd)
        {
            End();
        }
        else
        {
            _inner.Write(value);
        }
    }

    /// <inheritdoc/>
    public override void Flush() => _inner.Flush();

    private void End()
    {
        _terminal.ResetStyle();
        if (_open.TryPop(out _) && _open.TryPeek(out Style outer))
        {
            _terminal.Style(outer, null);
        }
    }

    private static Style StyleOf(char kind) => kind switch
    {
        TextStyle.HeadingMark => new Style(null, null, Decoration.Bold),
        TextStyle.AlarmMark => new Style(Color.Maroon, null, Decoration.Bold),
        TextStyle.WarningMark => new Style(Color.Olive, null, null),
        TextStyle.FaintMark => new Style(null, null, Decoration.Dim),
        _ => Style.Plain,
    };
}
