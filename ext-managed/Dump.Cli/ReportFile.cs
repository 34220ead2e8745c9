using Dump.Model;
using Dump.Triage.Discovery;

namespace Dump.Cli;

/// <summary>
/// A file that a result is written to: aside first, then moved into place, so that whoever looks at the place sees a whole file or the one before. Where links lead to is written, the links stay; devices and pipes
/// are written to, never replaced.
/// </summary>
internal static class ReportFile
{
    /// <summary>Writes bytes.</summary>
    /// <param name="path">The place; an existing file is replaced.</param>
    /// <param name="write">Writes the content.</param>
    /// <exception cref="UnwritableOutputException">The place cannot be written, for example because the disk is full.</exception>
    public static void Write(string path, Action<Stream> write)
    {
        string? aside = null;
        try
        {
            if (IsDevice(path))
            {
                // Standard output may be a file with text in it.
                using FileStream device = new(path, FileMode.Append, FileAccess.Write, FileShare.ReadWrite);
                write(device);
                return;
            }

            string place = Place(path);
            aside = $"{place}.{Environment.ProcessId}.tmp";
            using (FileStream file = new(aside, FileMode.Create, FileAccess.Write))
            {
                write(file);
            }

            File.Move(aside, place, overwrite: true);
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

    /// <summary>The full path of what a name leads to, links followed.</summary>
    /// <exception cref="IOException">Links lead in a circle.</exception>
    public static string Place(string path) => Path.GetFullPath(IsDevice(path) ? path : File.ResolveLinkTarget(path, returnFinalTarget: true)?.FullName ?? path);

    private static bool IsDevice(string path) => EntryStatus.Of(path) is { Kind: EntryKind.Special }
        || (!OperatingSystem.IsWindows() && (Path.GetFullPath(path).StartsWith("/dev/", StringComparison.Ordinal) || Path.GetFullPath(path).StartsWith("/proc/", StringComparison.Ordinal)) && File.Exists(path));

    private static void Remove(string? aside)
    {
        if (aside is null)
        {
            return;
        }

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
