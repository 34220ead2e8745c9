using System.Text;
using Dump.Reports;
using Spectre.Console;

namespace Dump.Cli.Output;

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
