namespace Dump.Reports;

/// <summary>Emphasis. The plain style adds nothing, so that files and pipes stay free of escape sequences.</summary>
/// <param name="IsColoured">True to emit ANSI escape sequences.</param>
public sealed record TextStyle(bool IsColoured)
{
    /// <summary>
    /// What begins an emphasis for <see cref="DebuggerMarkupWriter"/>; the letter behind it tells which. No text of a dump holds control characters.
    /// </summary>
    internal const char MarkupStart = '\u0001';

    /// <summary>What ends one.</summary>
    internal const char MarkupEnd = '\u0002';

    private bool IsMarkup { get; init; }

    /// <summary>Emphasis that a <see cref="DebuggerMarkupWriter"/> turns into debugger markup.</summary>
    public static TextStyle Markup { get; } = new(false) { IsMarkup = true };

    /// <summary>No emphasis.</summary>
    public static TextStyle Plain { get; } = new(false);

    /// <summary>A heading.</summary>
    public string Heading(string text) => Wrap("1", 'b', text);

    /// <summary>Something alarming.</summary>
    public string Alarm(string text) => Wrap("1;31", 'e', text);

    /// <summary>Something uncertain.</summary>
    public string Warning(string text) => Wrap("33", 'w', text);

    /// <summary>Something of less weight.</summary>
    public string Faint(string text) => Wrap("2", 's', text);

    private string Wrap(string code, char kind, string text) => (IsColoured, IsMarkup) switch
    {
        (true, _) => $"\u001b[{code}m{text}\u001b[0m",
        (_, true) => $"{MarkupStart}{kind}{text}{MarkupEnd}",
        _ => text,
    };
}
