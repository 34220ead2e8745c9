using Spectre.Console;

namespace Dump.Cli.Output;

/// <summary>One line of a terminal that is written again and again, and erased in the end.</summary>
internal sealed class LivingLine : IDisposable
{
    // "EL" of ECMA-48 with 2: the whole line.
    private const int WholeLine = 2;
    private readonly AnsiWriter _terminal = new(Console.Error, Terminal.Capabilities);
    private bool _isShown;

    private LivingLine()
    {
    }

    /// <summary>A line of standard error; null when that is no terminal which can erase one.</summary>
    public static LivingLine? OfErrors() => Terminal.ErrorsTakeSequences ? new LivingLine() : null;

    /// <summary>Writes a text in place of the one before. A longer one than the terminal is wide would go on in the next line, which is not erased: it is cut.</summary>
    public void Show(string text)
    {
        int width = Console.WindowWidth - 1;
        Erase();
        _terminal.Write(width > 0 && text.Length > width ? text[..width] : text);
        _isShown = true;
    }

    /// <inheritdoc/>
    public void Dispose()
    {
        if (_isShown)
        {
            Erase();
        }
    }

    private void Erase() => _terminal.Write("\r").EraseInLine(WholeLine);
}
