using Dump.Model;

namespace Dump.Cli;

/// <summary>A file that a result is written to: aside first, then moved into place, so that whoever looks at the place sees a whole file or the one before.</summary>
internal static class ReportFile
{
    /// <summary>Writes bytes.</summary>
    /// <param name="path">The place; an existing file is replaced.</param>
    /// <param name="write">Writes the content.</param>
    /// <exception cref="UnwritableOutputException">The place cannot be written, for example because the disk is full.</exception>
    public static void Write(string path, Action<Stream> write)
    {
        string aside = $"{path}.{Environment.ProcessId}.tmp";
        try
        {
            using (FileStream file = new(aside, FileMode.Create, FileAccess.Write))
            {
                write(file);
            }

            File.Move(aside, path, overwrite: true);
        }
        catch (Exception error) when (error is IOException or UnauthorizedAccessException)
        {
            Remove(aside);
            throw new UnwritableOutputException($"{SafeText.Clean(path)}: {SafeText.Clean(error.Message)}", error);
        }
    }

    /// <summary>Writes text in UTF-8 with line feeds.</summary>
    /// <param name="path">The place; an existing file is replaced.</param>
    /// <param name="write">Writes the content.</param>
    /// <exception cref="UnwritableOutputException">The place cannot be written, for example because the disk is full.</exception>
    public static void WriteText(string path, Action<TextWriter> write) => Write(path, stream =>
    {
        using StreamWriter text = new(stream, leaveOpen: true) { NewLine = "\n" };
        write(text);
    });

    private static void Remove(string aside)
    {
        try
        {
            File.Delete(aside);
        }
        catch (Exception error) when (error is IOException or UnauthorizedAccessException)
        {
            // The failure to write is reported; a rest that cannot be removed either is of no more interest.
        }
    }
}
