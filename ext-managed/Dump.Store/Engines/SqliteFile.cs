using Dump.Model.Text;
using Dump.Readers.Files;
using Dump.Triage.Records;

namespace Dump.Store.Engines;

/// <summary>
/// Looks at a file before SQLite does: only a regular file that begins as a database is opened, so that nothing else is changed or waited for.
/// </summary>
internal static class SqliteFile
{
    /// <summary>How a database begins (sqlite.org, fileformat2.html, section 1.3).</summary>
    private static readonly byte[] s_start = "SQLite format 3\0"u8.ToArray();

    /// <summary>Refuses what is no database.</summary>
    /// <param name="path">The file.</param>
    /// <param name="write">True when it is made where it is not there.</param>
    /// <exception cref="UnusableStoreException">It is none.</exception>
    public static void Check(string path, bool write)
    {
        string name = SafeText.Clean(path);
        try
        {
            byte[] start = new byte[s_start.Length];
            using FileStream file = RegularFile.OpenRead(path, bufferSize: 0);
            int length = file.ReadAtLeast(start, start.Length, throwOnEndOfStream: false);
            if (!(length == 0 && write) && !start.AsSpan(0, length).SequenceEqual(s_start))
            {
                throw new UnusableStoreException(length == 0 ? $"{name}: this file is empty; name a store that dumpanalyze triage --store has written"
                    : $"{name}: this is no store: it does not begin as an SQLite database; name another file");
            }
        }
        catch (Exception error) when (error is FileNotFoundException or DirectoryNotFoundException)
        {
            if (!write || Path.GetDirectoryName(Path.GetFullPath(path)) is not { } folder || !Directory.Exists(folder))
            {
                throw new UnusableStoreException(write ? $"{name}: its folder does not exist; make it first"
                    : $"{name}: there is no such file; name a store that dumpanalyze triage --store has written", error);
            }
        }
        catch (Exception error) when (error is IOException or UnauthorizedAccessException)
        {
            throw new UnusableStoreException($"{name}: {SafeText.Clean(error.Message).TrimEnd('.')}", error);
        }
    }
}
