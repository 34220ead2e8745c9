using Dump.Model.Text;

namespace Dump.Triage.Records;

/// <summary>Writes files so that they are there wholly or not at all: beside their place first, onto the disk, then renamed.</summary>
internal static class AtomicFile
{
    /// <summary>Ends the names of files that are being written.</summary>
    public const string Suffix = ".partial";

    /// <summary>Writes a file beside its place, forces it onto the disk and moves it into place.</summary>
    /// <param name="path">Its place.</param>
    /// <param name="run">Name of the run, which makes the name beside it its own.</param>
    /// <param name="write">Writes its content.</param>
    /// <exception cref="UnwritableRecordException">It cannot be written; nothing has changed.</exception>
    public static void Write(string path, string run, Action<Stream> write)
    {
        string aside = $"{path}.{run}{Suffix}";
        try
        {
            // What a killed run has left goes away; a link that somebody has planted there is not followed.
            File.Delete(aside);
            using (FileStream file = new(aside, FileMode.CreateNew, FileAccess.Write, FileShare.None))
            {
                write(file);
                file.Flush(flushToDisk: true);
            }

            File.Move(aside, path, overwrite: true);
        }
        catch (Exception error) when (error is IOException or UnauthorizedAccessException)
        {
            Remove(aside);
            throw new UnwritableRecordException(SafeText.Clean(error.Message.TrimEnd('.')), error);
        }
    }

    /// <summary>Removes a file if that is possible.</summary>
    public static void Remove(string path)
    {
        try
        {
            File.Delete(path);
        }
        catch (Exception error) when (error is IOException or UnauthorizedAccessException)
        {
            // What stays is never counted, and the next run tries again.
        }
    }
}
