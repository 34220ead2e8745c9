namespace Dump.Cli.Output;

/// <summary>Messages on standard error: one line each, which a terminal breaks between words.</summary>
internal static class ErrorOutput
{
    /// <summary>Writes a message.</summary>
    public static void WriteLine(string message)
    {
        if (!Console.IsErrorRedirected && TerminalWidth.Columns is { } columns)
        {
            using WrappingWriter output = new(Console.Error, columns);
            output.WriteLine(message);
        }
        else
        {
            Console.Error.WriteLine(message);
        }
    }
}
