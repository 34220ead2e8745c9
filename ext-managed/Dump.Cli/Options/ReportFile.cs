using System.Globalization;
using Dump.Model.Text;
using Dump.Readers.Files;
using Dump.Triage.Discovery;

namespace Dump.Cli.Options;

/// <summary>
/// A file that a result is written to: aside first, then moved into place, so that whoever looks at the place sees a whole file or the one before. A link
/// stays: the file that it leads to is replaced; but one that another user may have planted is not followed. Pipes and devices are written to.
/// </summary>
internal static class ReportFile
{
    private const int MostLinks = 40;
    // Files like any others, that lie in memory.
    private const string SharedMemory = "/dev/shm/";
    private static readonly string[] s_streams = ["/dev/", "/proc/"];

    /// <summary>How places are compared: names of files differ in case only on some systems.</summary>
    public static StringComparer PlaceComparer => OperatingSystem.IsWindows() ? StringComparer.OrdinalIgnoreCase : StringComparer.Ordinal;

    /// <summary>The full path of the file that a path means: links are followed, those of directories too.</summary>
    /// <param name="path">Any path; nothing need be there.</param>
    public static string Place(string path) => Place(path, isWritten: false);

    private static string Place(string path, bool isWritten)
    {
        int links = MostLinks;
        return Followed(Path.GetFullPath(path), isWritten, ref links);
    }

    /// <summary>True for what must not be replaced: pipes, devices, and names of open files such as <c>/dev/stdout</c>, wherever they lead.</summary>
    /// <param name="path">Any path; nothing need be there.</param>
    public static bool IsStream(string path) =>
        EntryStatus.Of(path) is { Kind: EntryKind.Special }
            || (s_streams.Any(f => Path.GetFullPath(path).StartsWith(f, StringComparison.Ordinal)) && !Path.GetFullPath(path).StartsWith(SharedMemory, StringComparison.Ordinal));

    /// <summary>Why nothing can be written to a place, tried without touching what is there.</summary>
    /// <param name="path">The place; its directory need not be there.</param>
    /// <returns>The reason as a clause; null when a file can be made there.</returns>
    public static string? Refusal(string path)
    {
        if (IsStream(path))
        {
            return EntryStatus.Of(path) is null ? "nothing can be made there" : null;
        }

        try
        {
            string aside = Aside(Place(path, isWritten: true));
            new FileStream(aside, FileMode.CreateNew, FileAccess.Write, FileShare.None, bufferSize: 1, FileOptions.DeleteOnClose).Dispose();
            return null;
        }
        catch (PlantedLinkException error)
        {
            return error.Message;
        }
        catch (UnauthorizedAccessException)
        {
            return "its directory may not be written to";
        }
        catch (IOException error)
        {
            return $"it cannot be written ({Cause(error)})";
        }
    }

    /// <summary>Writes a file aside and moves it into place; pipes and devices are written to directly.</summary>
    /// <param name="path">The place; an existing file is replaced.</param>
    /// <param name="write">Writes the content.</param>
    /// <exception cref="UnwritableOutputException">The place cannot be written, for example because the disk is full.</exception>
    public static void Write(string path, Action<Stream> write)
    {
        try
        {
            if (IsStream(path))
            {
                using Stream stream = Opened(path);
                write(stream);
            }
            else
            {
                Replace(Place(path, isWritten: true), write);
            }
        }
        catch (Exception error) when (error is IOException or UnauthorizedAccessException)
        {
            throw new UnwritableOutputException($"{SafeText.Clean(path)}: {Cause(error)}", error);
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

    /// <summary>What the shell opened is written to where it stands: opened by its name it would begin anew, and what was printed would be lost.</summary>
    private static Stream Opened(string path) => Path.GetFullPath(path) switch
    {
        "/dev/stdout" or "/dev/fd/1" or "/proc/self/fd/1" => Console.OpenStandardOutput(),
        "/dev/stderr" or "/dev/fd/2" or "/proc/self/fd/2" => Console.OpenStandardError(),
        _ => new FileStream(path, FileMode.Open, FileAccess.Write),
    };

    private static string Followed(string full, bool isWritten, ref int links)
    {
        string place = Path.GetPathRoot(full)!;
        foreach (string part in full[place.Length..].Split(Path.DirectorySeparatorChar, StringSplitOptions.RemoveEmptyEntries))
        {
            string next = Path.Combine(place, part);
            if (links == 0 || Target(next, isWritten) is not { } target)
            {
                place = next;
                continue;
            }

            links--;
            place = Followed(target, isWritten, ref links);
        }

        return place;
    }

    private static string? Target(string path, bool isWritten)
    {
        string? target;
        try
        {
            target = File.ResolveLinkTarget(path, returnFinalTarget: false)?.FullName;
        }
        catch (Exception error) when (error is IOException or UnauthorizedAccessException)
        {
            return null;
        }

        return isWritten && target is not null && RegularFile.StrangerOf(path) is { } stranger ? throw new PlantedLinkException(string.Create(CultureInfo.InvariantCulture,
            $"{SafeText.Clean(path)} is a link of user {stranger} where others may write, and is not followed; name another file")) : target;
    }

    /// <summary>
    /// A file beside the place. Nobody can know its name, and what stands there is never opened: a link that somebody has planted would be followed.
    /// </summary>
    private static string Aside(string place) => Path.Combine(Path.GetDirectoryName(place) ?? place, $".dumpanalyze-{Path.GetRandomFileName()}.tmp");

    /// <summary>What the system says, without the name of the file that was written aside, which nobody has given.</summary>
    private static string Cause(Exception error) => error switch
    {
        PlantedLinkException => error.Message,
        UnauthorizedAccessException => "it may not be written to",
        DirectoryNotFoundException => "there is no such directory",
        _ => SafeText.Clean(error.Message.Split(" : '")[0].TrimEnd('.')),
    };

    private static void Replace(string place, Action<Stream> write)
    {
        string aside = Aside(place);
        bool isOurs = false;
        try
        {
            using (FileStream file = new(aside, FileMode.CreateNew, FileAccess.Write))
            {
                isOurs = true;
                KeepMode(file, place);
                write(file);
            }

            File.Move(aside, place, overwrite: true);
        }
        catch (Exception error) when (error is IOException or UnauthorizedAccessException)
        {
            if (isOurs)
            {
                Remove(aside);
            }

            throw;
        }
    }

    /// <summary>A report that only its owner could read stays one.</summary>
    private static void KeepMode(FileStream file, string place)
    {
        if (!OperatingSystem.IsWindows() && File.Exists(place))
        {
            File.SetUnixFileMode(file.SafeFileHandle, File.GetUnixFileMode(place));
        }
    }

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

    /// <summary>A link that another user may have planted stands in the way.</summary>
    private sealed class PlantedLinkException(string message) : IOException(message);
}

/// <summary>Standard output cannot be written: the result is incomplete.</summary>
internal sealed class UnwritableOutputException(string message, Exception cause) : Exception(message, cause);
