namespace Dump.Reports;

/// <summary>Emphasis for terminals. The plain style adds nothing, so that files and pipes stay free of escape sequences.</summary>
/// <param name="IsColoured">True to emit ANSI escape sequences.</param>
public sealed record TextStyle(bool IsColoured)
{
    /// <summary>No emphasis.</summary>
    public static TextStyle Plain { get; } = new(false);

    /// <summary>A heading.</summary>
    public string Heading(string text) => Wrap("1", text);

    /// <summary>Something alarming.</summary>
    public string Alarm(string text) => Wrap("1;31", text);

    /// <summary>Something uncertain.</summary>
    public string Warning(string text) => Wrap("33", text);

    /// <summary>Something of less weight.</summary>
    public string Faint(string text) => Wrap("2", text);

    private string Wrap(string code, string text) => IsColoured ? $"\u001b[{code}m{text}\u001b[0m" : text;
}
