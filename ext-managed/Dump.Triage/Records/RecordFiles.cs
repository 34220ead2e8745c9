using System.Text.Json;
using Dump.Readers.Files;

namespace Dump.Triage.Records;

/// <summary>Where the records of a folder lie: <c>records/FIRST-TWO-DIGITS/IDENTITY.json</c>.</summary>
internal static class RecordFiles
{
    /// <summary>Folder of the records.</summary>
    public const string Folder = "records";

    private const string Suffix = ".json";

    private const int FolderDigits = 2;

    /// <summary>File of a record.</summary>
    public static string PathOf(string output, string identity) => Path.Combine(output, Folder, identity[..FolderDigits], identity + Suffix);

    /// <summary>The identity that the name of a record's file says.</summary>
    public static string IdentityOf(string path) => Path.GetFileNameWithoutExtension(path);

    /// <summary>The name of a record's file.</summary>
    public static string NameOf(string identity) => identity + Suffix;

    /// <summary>The files of all records; links are not followed.</summary>
    /// <param name="output">The folder that <c>--out</c> named, in which there are records.</param>
    public static IEnumerable<string> Enumerate(string output) => Directory.EnumerateFiles(
        Path.Combine(output, Folder), "*" + Suffix,
        new EnumerationOptions { RecurseSubdirectories = true, MaxRecursionDepth = 1, AttributesToSkip = FileAttributes.ReparsePoint });

    /// <summary>Reads a record's file.</summary>
    /// <param name="path">The file.</param>
    /// <param name="take">Takes what it needs of the record while its JSON is there.</param>
    /// <param name="problem">What is wrong with the file, as a clause; null when it is read or is not there.</param>
    /// <returns>Null when there is no such record.</returns>
    public static T? Read<T>(string path, Func<RecordContent, T> take, out string? problem)
        where T : class
    {
        problem = null;
        try
        {
            using FileStream file = RegularFile.OpenRead(path);
            if (file.Length > RecordDocuments.LongestRecord)
            {
                problem = RecordDocuments.TooLong;
                return null;
            }

            return RecordDocuments.Read(() => JsonDocument.Parse(file), IdentityOf(path), take, out problem);
        }
        catch (Exception error) when (error is FileNotFoundException or DirectoryNotFoundException)
        {
            return null;
        }
        catch (Exception error) when (error is IOException or UnauthorizedAccessException)
        {
            problem = RecordDocuments.Unreadable;
            return null;
        }
    }
}
