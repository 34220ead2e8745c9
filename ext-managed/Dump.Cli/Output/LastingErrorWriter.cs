using System.Text;

namespace Dump.Cli.Output;

/// <summary>Standard error where it can be written: closed or full it takes nothing, and the exit code still says what happened.</summary>
/// <param name="output">Standard error.</param>
internal sealed class LastingErrorWriter(TextWriter output) : TextWriter
{
    /// <inheritdoc/>
    public override Encoding Encoding => output.Encoding;

    /// <inheritdoc/>
    public override void Write(char value) => Try(() => output.Write(value));

    /// <inheritdoc/>
    public override void Write(char[] buffer, int index, int count) => Try(() => output.Write(buffer, index, count));

    /// <inheritdoc/>
    public override void Write(string? value) => Try(() => output.Write(value));

    /// <inheritdoc/>
    public override void WriteLine(string? value) => Try(() => output.WriteLine(value));

    /// <inheritdoc/>
    public override void Flush() => Try(output.Flush);

    private static void Try(Action write)
    {
        try
        {
            write();
        }
        catch (Exception error) when (error is IOException or UnauthorizedAccessException)
        {
            // There is nowhere to say it.
        }
    }
}
