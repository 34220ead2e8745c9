using Dump.Model;
using Dump.Triage.Discovery;

namespace Dump.Cli;

/// <summary>A file that a result is written to: aside first, then moved into place, so that whoever looks at the place sees a whole file or the one before. A link stays: the file that it leads to is replaced. Pipes and devices are written to.</summary>
internal static class ReportFile
{
    private static readonly string[] s_streams = ["/dev/", "/proc/"];

    /// <summary>How places are compared: names of files differ in case only on some systems.</summary>
    public static StringComparer PlaceComparer => OperatingSystem.IsWindows() ? StringComparer.OrdinalIgnoreCase : StringComparer.Ordinal;

    /// <summary>The full path of the file that a path means: that to which a link leads.</summary>
    /// <param name="path">Any path; nothing need be there.</param>
    public static string Place(string path)
    {
        string full = Path.GetFullPath(path);
        try
        {
            return File.ResolveLinkTarget(full, returnFinalTarget: true)?.FullName ?? full;
        }
        catch (Exception error) when (error is IOException or UnauthorizedAccessException)
        {
            return full;
        }
    }

    /// <summary>Writes bytes.</summary>
    /// <param name="path">The place; an existing file is replaced.</param>
    /// <param name="write">Writes the content.</param>
    /// <exception cref="UnwritableOutputException">The place cannot be written, for example because the disk is full.</exception>
    public static void Write(string path, Action<Stream> write)
    {
        string? aside = null;
        try
        {
            string place = IsStream(path) ? path : Place(path);
            aside = IsStream(path) ? null : $"{place}.{Environment.ProcessId}.tmp";
            using (FileStream file = new(aside ?? place, FileMode.Create, FileAccess.Write))
            {
                write(file);
            }

            if (aside is not null)
            {
                File.Move(aside, place, overwrite: true);
            }
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

    /// <summary>True for what must not be replaced: pipes, devices, and names of open files such as <c>/dev/stdout</c>, wherever they lead.</summary>
    private static bool IsStream(string path) =>
        EntryStatus.Of(path) is { Kind: EntryKind.Special } || s_streams.Any(f => Path.GetFullPath(path).StartsWith(f, StringComparison.Ordinal));

    private static void Remove(string? aside)
    {
        try
        {
            if (aside is not null)
            {
                File.Delete(aside);
            }
        }
        catch (Exception error) when (error is IOException or UnauthorizedAccessException)
        {
            // The failure to write is reported; a rest that cannot be removed either is of no more interest.
        }
    }
}
